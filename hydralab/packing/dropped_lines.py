"""What was left out of a prompt, told in one line a reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from hydralab.texts import language

__all__ = ["Fold", "fold_dropped", "fold_text"]

FOLDED_FROM = 3
"""Fewer rows of one reason stay rows of their own."""

NAMED = 3
"""So many of the best are named."""

_NUMBERS = re.compile(r"\s*[(（][^()（）]*[)）]$")

SENTENCES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {"count": "{count:,} dropped: {reason}", "best": "the best: ", "comma": ", ", "joint": "; "},
        "zh": {"count": "{count:,} 条未采用：{reason}", "best": "最好的：", "comma": "、", "joint": "；"},
    }
)


@dataclass(frozen=True)
class Fold:
    """Dropped rows of one reason, in the order of the context table; of the better ones first."""

    reason: str
    rows: Sequence[Mapping[str, Any]]

    @property
    def is_folded(self) -> bool:
        """Whether there are enough of them to be told in one line."""
        return len(self.rows) >= FOLDED_FROM

    @property
    def tokens(self) -> int:
        """Tokens of all rows."""
        return sum(row["tokens"] for row in self.rows)


def fold_dropped(rows: Iterable[Mapping[str, Any]]) -> list[Fold]:
    """Group the dropped rows of a context table by reason; numbers in brackets at its end don't tell it apart.

    >>> [(fold.reason, len(fold.rows)) for fold in fold_dropped([
    ...     {"kept": False, "drop_reason": "far below (0.1 of 0.9)"}, {"kept": True},
    ...     {"kept": False, "drop_reason": "far below (0.2 of 0.9)"}])]
    [('far below', 2)]
    """
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if not row["kept"]:
            groups.setdefault(_NUMBERS.sub("", row["drop_reason"] or ""), []).append(row)
    return [Fold(reason, tuple(listed)) for reason, listed in groups.items()]


def fold_text(fold: Fold, query: str, *, named: bool = False) -> str:
    """Return a fold in one line, in the language of the query; when `named`, with the best of what has scores.

    >>> row = {"label": "turn 13 user", "scores": {"score": 0.4}}
    >>> fold_text(Fold("no room left", [row] * 28), "budget?", named=True)
    '28 dropped: no room left; the best: turn 13 user, turn 13 user, turn 13 user'
    """
    words = SENTENCES.get(language(query), SENTENCES["en"])
    text = words["count"].format(count=len(fold.rows), reason=fold.reason)
    if not named or not fold.rows[0].get("scores"):
        return text
    names = [row["label"] or row["role"] or "" for row in fold.rows[:NAMED]]
    return f"{text}{words['joint']}{words['best']}{words['comma'].join(names)}"
