"""One record of a source as it was parsed, or why it could not be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Failure", "Item"]


@dataclass(frozen=True)
class Failure:
    """One record that could not be read, or could only be read in part.

    `status` is "failed" (lost), "salvaged" (kept, changed) or "ok" (left out on purpose).
    """

    reason: str
    line: int | None = None
    record: int | None = None
    item_id: str | None = None
    status: str = "failed"

    def where(self) -> str:
        """Return the place in words.

        >>> Failure("no role", line=3, record=0).where()
        'line 3, record 1'
        """
        line = [] if self.line is None else [f"line {self.line}"]
        return ", ".join(line if self.record is None else [*line, f"record {self.record + 1}"])


@dataclass(frozen=True)
class Item:
    """One parsed record of a source: a line, a list item, a row, or a key with its value."""

    value: Any
    line: int | None = None
    record: int | None = None
    key: str | None = None
