"""What is looked at in the place of a text, and which words stand near a place in it."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["PrivateSpan", "cues", "folded", "leaning", "said_before"]

FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
SPACES = dict.fromkeys((0x00A0, 0x2002, 0x2003, 0x2007, 0x2009, 0x202F, 0x3000), ord(" "))
HYPHENS = dict.fromkeys((*range(0x2010, 0x2016), 0x2212), ord("-"))
FOLDS = {**FULL_WIDTH, **SPACES, **HYPHENS}


class PrivateSpan(NamedTuple):
    """Where something private stands in a text, as character offsets, and of which kind it is."""

    start: int
    end: int
    kind: str


def folded(text: str) -> str:
    """Return a text of the same length whose full-width letters, digits, blanks and dashes are the plain ones.

    >>> folded("１３８\u3000００００")
    '138 0000'
    """
    return text.translate(FOLDS)


def cues(chinese: str, english: str) -> re.Pattern[str]:
    """Return a pattern that finds Chinese words anywhere and English ones where they stand alone."""
    return re.compile(f"(?:{chinese})|(?<![A-Za-z])(?:{english})(?![A-Za-z])", re.IGNORECASE)


def leaning(
    text: str, start: int, end: int, speaks_for: re.Pattern[str], speaks_against: re.Pattern[str], reach: int
) -> int:
    """Return 1 or -1 by the nearest word before a place that speaks for or against it, 0 where there is none.

    Where none stands before, one that follows within half the reach decides.
    """
    before, after = text[max(0, start - reach) : start], text[end : end + reach // 2]
    marks = [
        (match.end(), side)
        for side, pattern in ((1, speaks_for), (-1, speaks_against))
        for match in pattern.finditer(before)
    ]
    if marks:
        return max(marks)[1]
    follow = [
        (match.start(), side)
        for side, pattern in ((1, speaks_for), (-1, speaks_against))
        for match in pattern.finditer(after)
    ]
    return min(follow)[1] if follow else 0


def said_before(text: str, start: int, pattern: re.Pattern[str], reach: int) -> bool:
    """Return whether a word stands within so many characters before a place."""
    return pattern.search(text, max(0, start - reach), start) is not None
