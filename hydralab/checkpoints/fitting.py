"""Texts cut to a length at a sentence, and dialogues cut into pieces that a model can read at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile

import polars as pl

from hydralab.texts import Tokenizer, sentences

__all__ = ["UNKNOWN_WINDOW", "parts_of", "said_lines", "within", "within_tokens"]

UNKNOWN_WINDOW = 8_192
"""What a model is taken to read when it does not say."""


def within(text: str, fits: Callable[[str], bool]) -> str:
    """Return the leading sentences of a text that fit; of a first one that doesn't, its beginning.

    Parameters
    ----------
    fits
        Tells of a beginning whether it fits; of a longer one never what it denies of a shorter one.

    >>> within("We meet in May. Bring the plan.", lambda part: len(part) <= 20)
    'We meet in May.'
    """
    if fits(text):
        return text
    ends = _sentence_ends(text)
    fitting = list(takewhile(lambda end: fits(text[:end].strip()), ends))
    if fitting and (kept := text[: fitting[-1]].strip()):
        return kept
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(text[:middle]) else (low, middle - 1)
    return text[:low].strip()


def within_tokens(text: str, most: int, counter: Tokenizer) -> str:
    """Return the leading sentences of a text that have at most so many tokens; of a longer first one its beginning.

    >>> from hydralab.texts import tokenizer
    >>> within_tokens("The budget is fixed. We meet in May. Bring the plan.", 12, tokenizer())
    'The budget is fixed. We meet in May.'
    """
    return within(text, lambda part: counter.count(part) <= most)


def said_lines(turns: pl.DataFrame) -> list[str]:
    """Return a line a turn: its role, its speaker where one is known, and what was said.

    >>> turns = pl.DataFrame({"role": ["user", "user"], "speaker": [None, "Bo"], "text": ["Hi", "Hello"]})
    >>> said_lines(turns)
    ['user: Hi', 'user Bo: Hello']
    """
    return [
        f"{role} {speaker}: {text}" if speaker else f"{role}: {text}"
        for role, speaker, text in turns.select("role", "speaker", "text").iter_rows()
    ]


def parts_of(lines: Sequence[str], room: int, counter: Tokenizer) -> list[str]:
    r"""Return lines in as few parts as have room in so many tokens each; a longer line is cut.

    >>> from hydralab.texts import tokenizer
    >>> parts_of(["one two three", "four", "five"], 4, tokenizer())
    ['one two three', 'four\nfive']
    """
    pieces = [piece for line in lines for piece in _pieces(line, room, counter)]
    parts: list[list[str]] = [[]]
    taken = 0
    for piece, cost in zip(pieces, counter.counts(pieces), strict=True):
        if parts[-1] and taken + cost + 1 > room:
            parts.append([])
            taken = 0
        parts[-1].append(piece)
        taken += cost + 1
    return ["\n".join(part) for part in parts]


def _sentence_ends(text: str) -> list[int]:
    """Return where the sentences of a text end, as far as they stand in it word for word."""
    ends: list[int] = []
    for sentence in sentences(text):
        at = text.find(sentence, ends[-1] if ends else 0)
        if at < 0:
            break
        ends.append(at + len(sentence))
    return ends


def _pieces(line: str, room: int, counter: Tokenizer) -> list[str]:
    pieces, rest = [], line
    while rest and counter.count(rest) > room:
        head = counter.truncate(rest, room)
        if not head or not rest.startswith(head):
            break
        pieces.append(head)
        rest = rest[len(head) :]
    return [*pieces, rest] if rest or not pieces else pieces
