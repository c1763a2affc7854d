"""Which of the newest turns go into the prompt as messages of their own, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.packing.messages import group_messages, message
from hydralab.packing.tools import make_sendable
from hydralab.texts import Tokenizer

__all__ = ["Recent", "charge_recent", "choose_recent", "name_speakers", "role_overhead"]


def name_speakers(turns: pl.DataFrame) -> pl.DataFrame:
    """Keep `speaker`, on one line, where several people speak, and make it null where one person does.

    Parameters
    ----------
    turns
        Turns of one dialogue.
    """
    if turns["speaker"].null_count() == turns.height:
        return turns
    people = turns.filter(pl.col("role") == "user")["speaker"].drop_nulls()
    if people.len() and people.n_unique() > 1:
        return turns.with_columns(pl.col("speaker").str.replace_all(r"\s+", " "))
    return turns.with_columns(pl.lit(None, dtype=pl.String).alias("speaker"))


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
    turns: pl.DataFrame, query: str, tokenizer: Tokenizer, *, rounds: int | None, ceiling: int, room: int
) -> Recent:
    """Return the newest turns that fit.

    Whole rounds are taken from the newest back, so a tool call never leaves its result; the first one
    taken starts with a user turn.

    Parameters
    ----------
    turns
        Turns of one dialogue without system turns; speakers as `name_speakers` leaves them.
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
    newest = turns.slice(asked)
    named = newest["speaker"].str.len_chars().fill_null(-1).to_numpy() + 1
    likely = newest["tokens"].to_numpy() + named + role_overhead(tokenizer, "assistant")
    likely_from = np.cumsum(likely[::-1])[::-1]
    # The exact count is slow, so it begins where the known counts fit; tool calls may take more than those.
    for start in starts[likely_from[starts] <= ceiling].tolist():
        charges, query_tokens = charge_recent(newest.slice(start), query, tokenizer)
        taken = int(charges.sum())
        if taken <= ceiling and taken + query_tokens <= room:
            return Recent(asked, asked + start, charges, query_tokens)
    charges, query_tokens = charge_recent(turns.head(0), query, tokenizer)
    return Recent(asked, turns.height, charges, query_tokens)


def _round_starts(turns: pl.DataFrame, rounds: int | None) -> tuple[int, NDArray[np.int64]]:
    """Return the row where the newest rounds start, and from there the rows where one may begin."""
    numbers = turns["round"].to_numpy()
    if not len(numbers):
        return 0, np.zeros(0, dtype=np.int64)
    asked = 0 if rounds is None else int(np.searchsorted(numbers, numbers[-1] - rounds + 1))
    users = np.flatnonzero((turns["role"].slice(asked) == "user").to_numpy())
    if not len(users):
        return asked, np.zeros(0, dtype=np.int64)
    numbers = numbers[asked:]
    starts = np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1]])
    return asked, np.unique(np.maximum(starts, users[0]))


def role_overhead(tokenizer: Tokenizer, role: str) -> int:
    """Return the tokens of an empty message of a role."""
    return _message_tokens(tokenizer, {"role": role, "content": ""})


def charge_recent(
    turns: pl.DataFrame, query: str, tokenizer: Tokenizer, *, query_role: str = "user"
) -> tuple[NDArray[np.int64], int]:
    """Return what each recent turn is charged, and what the query is.

    A turn that is a message of its own is charged the message. Of turns merged into one message
    each is charged what it adds to those before it. The query's charge holds the rest: its text,
    its message, and the tokens that prime the reply.

    Parameters
    ----------
    turns
        The recent turns, in order; `tokens` counted by `tokenizer`.
    query
        The query's text; it joins the last message when that is of its role.

    Returns
    -------
    (int array (n,), int)
        Tokens; their sum is what `count_messages` gives for these turns and the query.
    """
    rows: list[dict[str, Any]] = list(turns.select("role", "speaker", "text", "parts").iter_rows(named=True))
    plain = np.array([not row["parts"] and not row["speaker"] for row in rows] + [False])
    rows.append({"role": query_role, "speaker": None, "text": query, "parts": None})
    sent = make_sendable(rows)
    charges = np.zeros(len(sent), dtype=np.int64)
    for group in group_messages([each.role for each in sent]):
        if len(group) == 1 and plain[group.start]:
            charges[group.start] = turns["tokens"][group.start] + role_overhead(
                tokenizer, sent[group.start].role
            )
            continue
        so_far = [
            _message_tokens(tokenizer, message([sent[i] for i in group[: n + 1]])) for n in range(len(group))
        ]
        charges[group.start : group.stop] = np.diff([0, *so_far])
    priming = tokenizer.count_messages([])
    return charges[:-1], int(charges[-1]) + priming


def _message_tokens(tokenizer: Tokenizer, one: dict[str, Any]) -> int:
    if tokenizer.render is not None:
        return tokenizer.count(one["content"]) + 4
    return tokenizer.count_messages([one]) - tokenizer.count_messages([])
