"""What changed from one prompt to the next, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

__all__ = ["diff_lines", "prompt_lines"]

MOST_COMPARED = 3_000
"""Lines on either side, after what both begin and end with, above which all of it counts as changed."""

CONTEXT_LINES = 2


def prompt_lines(messages: Sequence[dict[str, object]]) -> list[str]:
    """Return a prompt as lines, each message under a line with its role.

    >>> prompt_lines([{"role": "user", "content": "And the date?"}])
    ['[user]', 'And the date?']
    """
    blocks = (f"[{message['role']}]\n{message['content'] or ''}" for message in messages)
    return [line for block in blocks for line in block.split("\n")]


def diff_lines(before: Sequence[str], now: Sequence[str]) -> list[tuple[str, str]]:
    """Return (sign, text) pairs that lead from `before` to `now`.

    The sign is "+" for a new line, "-" for one that went, " " for one that stayed and stands near a
    change, and "…" for a run of others, whose text says how many.

    >>> diff_lines(["a", "b", "c"], ["a", "x", "c"])
    [(' ', 'a'), ('-', 'b'), ('+', 'x'), (' ', 'c')]
    >>> diff_lines(["a"] * 9, ["a"] * 9)
    [('…', '9 lines as before')]
    """
    head = _shared(before, now)
    tail = _shared(before[head:][::-1], now[head:][::-1])
    old, new = list(before[head : len(before) - tail]), list(now[head : len(now) - tail])
    signed = [(" ", line) for line in now[:head]]
    signed += _changed(old, new)
    signed += [(" ", line) for line in now[len(now) - tail :]]
    return _folded(signed)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return with how many equal lines both begin."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _changed(old: list[str], new: list[str]) -> list[tuple[str, str]]:
    if max(len(old), len(new)) > MOST_COMPARED:
        return [("-", line) for line in old] + [("+", line) for line in new]
    signed: list[tuple[str, str]] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            signed += [(" ", line) for line in new[c:d]]
        else:
            signed += [("-", line) for line in old[a:b]] + [("+", line) for line in new[c:d]]
    return signed


def _folded(signed: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Replace lines far from any change by their number."""
    near = [False] * len(signed)
    for at, (sign, _) in enumerate(signed):
        if sign != " ":
            for close in range(max(at - CONTEXT_LINES, 0), min(at + CONTEXT_LINES + 1, len(signed))):
                near[close] = True
    folded: list[tuple[str, str]] = []
    hidden = 0
    for shown, line in [*zip(near, signed, strict=True), (True, None)]:
        if not shown:
            hidden += 1
            continue
        if hidden:
            folded.append(("…", f"{hidden:,} line{'s' if hidden > 1 else ''} as before"))
            hidden = 0
        if line is not None:
            folded.append(line)
    return folded
