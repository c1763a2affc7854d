"""Rules over words: patterns to find, and near misses to blank before looking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

__all__ = ["CHINESE", "LATIN", "Rules", "any_of", "joined"]

CHINESE = r"[\x{3400}-\x{9fff}]"
"""A Chinese character."""

LATIN = "[A-Za-z]"
"""A Latin letter."""

LARGEST_PATTERN = 2500
"""UTF-8 bytes of a pattern beyond which the engine's cache of states thrashes."""

ASCII_FORMS = (
    ("'", "['’]?"),
    (r"\b", r"(?-u:\b)"),
    (r"\w", "[0-9A-Za-z_]"),
    (r"\d", "[0-9]"),
    (r"\s", r"[ \t\n]"),
)
"""Unicode classes and what stands for them."""

BLANK = " \u2026 "
"""What a near miss is replaced by: no pattern matches it or reaches across a clause through it."""


def joined(*lexicons: Sequence[str]) -> str:
    """Return one pattern that finds what any of the patterns finds, letter case ignored.

    An apostrophe in a pattern stands for a straight one, a curly one or none. Word boundaries and
    classes are made ASCII: Unicode ones force the engine off its fast path on Chinese text.

    >>> joined(["don't", "定了"])
    "(?i)(?:don['’]?t|定了)"
    """
    alternatives = "|".join(pattern for lexicon in lexicons for pattern in lexicon)
    for wide, narrow in ASCII_FORMS:
        alternatives = alternatives.replace(wide, narrow)
    return "(?i)(?:" + alternatives + ")"


@dataclass(frozen=True)
class Rules:
    """Patterns that show something in a text, unless they stand in a phrase that only looks like it.

    Attributes
    ----------
    find
        Regular expressions (Rust syntax, no look-around), one of which must match.
    blank
        Regular expressions of near misses (negations, questions, quotations, other meanings), taken
        out of the text first, in this order.
    script
        Only texts that match this are looked at: those with a character of the rules' language.

    >>> Rules(find=("decided",), blank=("not decided",)).search(pl.Series(["I decided", "not decided"])).to_list()
    [True, False]
    """

    find: tuple[str, ...]
    blank: tuple[str, ...] = ()
    script: str = "."

    @cached_property
    def patterns(self) -> tuple[str, ...]:
        """What `find` comes to: as few patterns as the engine still searches fast."""
        groups: list[list[str]] = [[]]
        for pattern in self.find:
            if groups[-1] and len("|".join([*groups[-1], pattern]).encode()) > LARGEST_PATTERN:
                groups.append([])
            groups[-1].append(pattern)
        return tuple(joined(group) for group in groups)

    def search(self, texts: pl.Series) -> pl.Series:
        """Return for each text whether a pattern is found: Boolean."""
        rows = texts.str.contains(self.script).arg_true()
        rows = rows.filter(self._found(texts.gather(rows))) if len(rows) else rows
        if not len(rows):
            return pl.repeat(False, len(texts), eager=True)
        left = texts.gather(rows)
        for near_miss in self.blank:
            left = left.str.replace_all(joined([near_miss]), BLANK)
        rows = rows.filter(self._found(left))
        return pl.Series(np.isin(np.arange(len(texts)), rows.to_numpy()))

    def _found(self, texts: pl.Series) -> pl.Series:
        each = (pl.first().str.contains(pattern) for pattern in self.patterns)
        return texts.to_frame("text").select(pl.any_horizontal(each)).to_series()


def any_of(texts: pl.Series, *rules: Rules) -> pl.Series:
    """Return for each text whether one of the rules finds something: Boolean.

    >>> any_of(pl.Series(["a", "b", "c"]), Rules(find=("a",)), Rules(find=("b",))).to_list()
    [True, True, False]
    """
    found = rules[0].search(texts)
    for other in rules[1:]:
        found = found | other.search(texts)
    return found
