"""Cutting a long text into windows that an encoder can take."""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["DEFAULT_WINDOW", "cut_windows", "cut_windows_by_count"]

DEFAULT_WINDOW = 4000
"""Characters a window for an encoder that doesn't say how it wants its texts cut."""

_SENTENCE_ENDS = re.compile(r"[\n。！？!?；]|\.\s")
_GAPS = re.compile(r"\s|[，、,;:：]")


def cut_windows(text: str, limit: int) -> list[str]:
    """Cut `text` into windows of at most `limit` characters.

    The cut falls after the last sentence end of the window's second half, else after its last gap
    between words, else at `limit`. The windows joined are the text. O(n).

    >>> cut_windows("One two. Three four.", 12)
    ['One two. ', 'Three four.']
    """
    windows: list[str] = []
    at = 0
    while len(text) - at > limit:
        end = _last_break(text, at + limit // 2, at + limit)
        windows.append(text[at:end])
        at = end
    return [*windows, text[at:]]


def cut_windows_by_count(text: str, limit: int, count: Callable[[str], int]) -> list[str]:
    """Cut `text` into windows that `count` (tokens, word pieces) to at most `limit` each.

    A window that counts too much is halved near a break, so windows are of similar size.

    >>> cut_windows_by_count("a b c d e", 3, lambda text: len(text.split()))
    ['a b ', 'c d e']
    """
    # No tokenizer makes more than one token of a byte, so a short text needs no counting.
    if len(text.encode()) <= limit:
        return [text]
    windows: list[str] = []
    for part in cut_windows(text, 6 * limit):
        windows += _halved(part, limit, count)
    return windows


def _halved(text: str, limit: int, count: Callable[[str], int]) -> list[str]:
    if len(text) < 2 or count(text) <= limit:
        return [text]
    middle = len(text) // 2
    end = _last_break(text, middle // 2, middle + 1) if middle > 1 else middle
    return _halved(text[:end], limit, count) + _halved(text[end:], limit, count)


def _last_break(text: str, low: int, high: int) -> int:
    for pattern in (_SENTENCE_ENDS, _GAPS):
        ends = [found.end() for found in pattern.finditer(text, low, high)]
        if ends:
            return ends[-1]
    return high
