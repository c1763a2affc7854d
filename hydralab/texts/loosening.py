"""Patterns without their look-around: they tell in one pass over a column where a pattern can match at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import polars as pl

__all__ = ["can_match", "loosened"]

_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?<?[=!]|[()]|.", re.DOTALL)
_ASCII = {r"\w": "0-9A-Za-z_", r"\d": "0-9", r"\s": r" \t\n\r\x0b\x0c"}
_OPERATORS = ("[", "&&", "--", "~~")
"""What Rust reads as an operation on sets inside a class, and Python as characters."""


def loosened(pattern: re.Pattern[str]) -> str:
    r"""Return a pattern in Rust's syntax that matches wherever a verbose ASCII pattern does, and perhaps elsewhere.

    What a pattern looks at before and behind a match is left out, as Rust's engine, which takes a time linear
    in the text, can't look around.

    >>> loosened(re.compile(r"(?<!\w) \d+ [ ]? kg (?![a-z])", re.VERBOSE | re.ASCII | re.IGNORECASE))
    '(?i)[0-9]+[ ]?kg'
    """
    flags = "(?i)" if pattern.flags & re.IGNORECASE else ""
    return flags + "".join(_rust(token) for token in _without_looks(_TOKEN.findall(pattern.pattern)))


def can_match(texts: Sequence[str], patterns: Iterable[re.Pattern[str]]) -> Iterator[list[bool]]:
    r"""Yield for each pattern whether it can match in each of the texts; where it says no, it doesn't.

    >>> rule = re.compile(r"(?<!\w) \d+ (?!%)", re.VERBOSE | re.ASCII)
    >>> list(can_match(["none", "40", "40%"], [rule]))
    [[False, True, True]]
    """
    column = pl.Series(texts, dtype=pl.String)
    return (column.str.contains(loosened(pattern)).to_list() for pattern in patterns)


def _without_looks(tokens: Iterable[str]) -> Iterator[str]:
    """Leave out groups that look ahead or behind, with all that they hold."""
    depth, look = 0, 0
    for token in tokens:
        if token[0] == "(":
            depth += 1
            if not look and len(token) > 1:
                look = depth
        if not look:
            yield token
        if token == ")":
            if look == depth:
                look = 0
            depth -= 1


def _rust(token: str) -> str:
    if token.isspace():
        return ""
    if token[0] == "[":
        return f"[{_inside(token[1:-1])}]"
    if token in _ASCII:
        return f"[{_ASCII[token]}]"
    return {r"\b": r"(?-u:\b)", r"\ ": "[ ]", "#": r"\#"}.get(token, token)


def _inside(members: str) -> str:
    for name, written in _ASCII.items():
        members = members.replace(name, written)
    for operator in _OPERATORS:
        members = members.replace(operator, "".join(f"\\{sign}" for sign in operator))
    return members.replace(r"\ ", " ")
