"""Which of the newest turns go into the prompt as messages of their own, and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hydralab.packing.counting import count_piece
from hydralab.packing.messages import group_messages, message
from hydralab.packing.tools import make_sendable
from hydralab.packing.transcript import Excerpt, Row
from hydralab.texts import Tokenizer

__all__ = ["Recent", "charge_recent", "choose_recent", "role_overhead"]


@dataclass(frozen=True)
class Recent:
    """The newest turns that go into the prompt, and what they and the query are charged.

    `asked` and `start` are row numbers: where the rounds that were asked for start, and where those start
    that fit.
    """

    asked: int
    start: int
    charges: NDArray[np.int64]
    query_tokens: int


def choose_recent(
    turns: Excerpt, query: str, tokenizer: Tokenizer, *, rounds: int | None, ceiling: int, room: int
) -> Recent:
    """Return the newest turns that fit.

    Whole rounds are taken from the newest back, so a tool call never leaves its result; the first one
    taken starts with a user turn.

    Parameters
    ----------
    turns
        Of one dialogue.
    query
        What follows them.
    rounds
        How many rounds to ask for at most; all when None.
    ceiling
        Tokens that the turns may take.
    room
        Tokens that the turns and the query may take together.
    """
    asked, starts = _round_starts(turns, rounds)
    known = turns.whole.text_tokens[asked : turns.stop] + turns.name_lengths[asked:]
    likely = known + role_overhead(tokenizer, "assistant")
    likely_from = np.cumsum(likely[::-1])[::-1]
    # The exact count is slow, so it begins where the known counts fit; tool calls may take more than those.
    for start in (asked + starts[likely_from[starts] <= ceiling]).tolist():
        charges, query_tokens = charge_recent(turns.rows(start), query, tokenizer)
        taken = int(charges.sum())
        if taken <= ceiling and taken + query_tokens <= room:
            return Recent(asked, start, charges, query_tokens)
    charges, query_tokens = charge_recent([], query, tokenizer)
    return Recent(asked, turns.stop, charges, query_tokens)


def _round_starts(turns: Excerpt, rounds: int | None) -> tuple[int, NDArray[np.int64]]:
    """Return the row where the newest rounds start, and from there the rows where one may begin."""
    numbers = turns.whole.rounds[: turns.stop]
    if not len(numbers):
        return 0, np.zeros(0, dtype=np.int64)
    asked = 0 if rounds is None else int(np.searchsorted(numbers, numbers[-1] - rounds + 1))
    users = np.flatnonzero(turns.whole.is_user[asked : turns.stop])
    if not len(users):
        return asked, np.zeros(0, dtype=np.int64)
    numbers = numbers[asked:]
    starts = np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1]])
    return asked, np.unique(np.maximum(starts, users[0]))


@lru_cache(maxsize=64)
def role_overhead(tokenizer: Tokenizer, role: str) -> int:
    """Return the tokens of an empty message of a role."""
    return _counted(tokenizer, {"role": role, "content": ""})


def charge_recent(
    turns: Sequence[Row], query: str, tokenizer: Tokenizer, *, query_role: str = "user"
) -> tuple[NDArray[np.int64], int]:
    """Return what each recent turn is charged, and what the query is.

    A turn that is a message of its own is charged the message. Of turns merged into one message
    each is charged what it adds to those before it. The query's charge holds the rest: its text,
    its message, and the tokens that prime the reply.

    Parameters
    ----------
    turns
        The recent turns, in order: role, speaker, text, parts, and tokens counted by `tokenizer`.
    query
        The query's text; it joins the last message when that is of its role.

    Returns
    -------
    (int array (n,), int)
        Tokens; their sum is what `count_messages` gives for these turns and the query.
    """
    plain = [not turn["parts"] and not turn["speaker"] and turn["text"] for turn in turns]
    sent = make_sendable([*turns, {"role": query_role, "speaker": None, "text": query, "parts": None}])
    charges = np.zeros(len(sent), dtype=np.int64)
    for group in group_messages([each.role for each in sent]):
        if len(group) == 1 and group.start < len(turns) and plain[group.start]:
            overhead = role_overhead(tokenizer, sent[group.start].role)
            charges[group.start] = turns[group.start]["tokens"] + overhead
            continue
        so_far = [
            _message_tokens(tokenizer, message([sent[i] for i in group[: n + 1]])) for n in range(len(group))
        ]
        charges[group.start : group.stop] = np.diff([0, *so_far])
    priming = tokenizer.count_messages([])
    return charges[:-1], int(charges[-1]) + priming


def _message_tokens(tokenizer: Tokenizer, one: dict[str, Any]) -> int:
    if one.keys() == {"role", "content"}:
        return role_overhead(tokenizer, one["role"]) + count_piece(tokenizer, one["content"])
    return _counted(tokenizer, one)


def _counted(tokenizer: Tokenizer, one: dict[str, Any]) -> int:
    if tokenizer.render is not None:
        return tokenizer.count(one["content"]) + 4
    return tokenizer.count_messages([one]) - tokenizer.count_messages([])
