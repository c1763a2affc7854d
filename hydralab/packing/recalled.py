"""What recall offers to a prompt, with the tables that its candidates point into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import polars as pl

from hydralab.frames import empty
from hydralab.packing.draft import Explain
from hydralab.recall import RecallResult

__all__ = ["Recalled"]


@dataclass(frozen=True)
class Recalled:
    """What recall offers to a prompt: candidates, the tables they point into, and their reasons.

    `explain` is asked only for candidates that come up for the prompt; `refused` says, by item id, which of them
    are not to be put into it, and why; `events` are rows of what failed while it was chosen.
    """

    found: RecallResult = field(default_factory=RecallResult)
    checkpoints: pl.DataFrame = field(default_factory=lambda: empty("checkpoints"))
    memories: pl.DataFrame = field(default_factory=lambda: empty("memories"))
    explain: Explain | None = None
    documents: pl.DataFrame = field(default_factory=lambda: empty("documents"))
    refused: Mapping[str, str] = field(default_factory=dict)
    events: Sequence[dict[str, Any]] = ()

    @classmethod
    def of(
        cls,
        candidates: pl.DataFrame,
        checkpoints: pl.DataFrame | None = None,
        memories: pl.DataFrame | None = None,
    ) -> Self:
        """Return what a candidates table offers, with the tables that it points into."""
        return cls(
            RecallResult.of(candidates),
            empty("checkpoints") if checkpoints is None else checkpoints,
            empty("memories") if memories is None else memories,
        )

    @property
    def candidates(self) -> pl.DataFrame:
        """The candidates table."""
        return self.found.frame
