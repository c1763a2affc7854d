"""One prompt as a row of the steps table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from hydralab.packing import Context
from hydralab.packing.blocks import BLOCKS, block_pieces
from hydralab.texts import Tokenizer
from hydralab.texts import tokenizer as get_tokenizer

__all__ = ["stable_prefix", "step_row"]

Row = Mapping[str, Any]

SPOKEN = ("role", "speaker", "text", "parts")
"""Columns of a turn, or of the query, that decide how it reads in a prompt."""


def step_row(
    context: Context,
    run_id: str,
    position: int,
    times: dict[str, float],
    previous: Context | None,
    met: tuple[float | None, float | None] = (None, None),
    *,
    tokenizer: Tokenizer | None = None,
) -> dict[str, Any]:
    """Return a row of the steps table, without calls and cost.

    Parameters
    ----------
    position
        Of the turn after which the prompt was made.
    times
        Milliseconds a stage.
    previous
        The prompt before it.
    met
        Evidence of a gold question, verbatim and by answer.
    tokenizer
        What the prompt was counted by; cl100k_base when None.
    """
    counter = get_tokenizer() if tokenizer is None else tokenizer
    return {
        "run_id": run_id,
        "strategy": context.strategy,
        "dialogue_id": context.dialogue_id,
        "position": position,
        "query_id": context.query_id,
        "tokens": context.tokens,
        "items": context.items_by_section(),
        "stable_prefix_tokens": stable_prefix(context, previous, counter),
        "evidence_verbatim": met[0],
        "evidence_answer": met[1],
        "decision": context.decision.get("why"),
        "milliseconds": times,
    }


def stable_prefix(context: Context, previous: Context | None, tokenizer: Tokenizer) -> int:
    """Return how many leading tokens of a rendered prompt are those of the prompt before.

    A provider's prefix cache holds these. Items that read alike count whole, with their tags and the overhead of
    their messages; of the first one that doesn't, the tokens of its text until it differs.
    """
    if previous is None:
        return 0
    now, before = context.kept_rows, previous.kept_rows
    pairs = zip(_rendered(now), _rendered(before), strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    stable = sum(row["tokens"] for row in now[:same])
    if same < min(len(now), len(before)):
        stable += _common_start(_piece(now, same), _piece(before, same), tokenizer)
    return min(stable, context.tokens)


def _rendered(rows: Sequence[Row]) -> Iterator[tuple[Any, ...]]:
    """Yield of each item what decides how it reads: where it stands, its words, whether it opens or closes a block."""
    sections = [row["section"] for row in rows]
    edges = zip([None, *sections], sections, [*sections[1:], None], strict=False)
    for row, (earlier, section, later) in zip(rows, edges, strict=True):
        if section in BLOCKS:
            yield section, row["label"], row["text"], section != earlier, section != later
        else:
            yield section == "system", *(row[name] for name in SPOKEN)


def _piece(rows: Sequence[Row], place: int) -> tuple[str, str]:
    """Return the role of the message that an item stands in, and the item as it reads there."""
    row = rows[place]
    section, text = row["section"], row["text"]
    if section == "system":
        return "system", text
    if section not in BLOCKS:
        return str(row["role"]), f"{row['speaker']}: {text}" if row["speaker"] else text
    late = any(each["section"] == "recent" for each in rows[:place])
    first = next(
        number for number in range(place, -1, -1) if number == 0 or rows[number - 1]["section"] != section
    )
    own = list(takewhile(lambda number: rows[number]["section"] == section, range(first, len(rows))))
    pieces = block_pieces(section, [(rows[number]["label"], rows[number]["text"]) for number in own])
    return ("user" if late else "system"), pieces[own.index(place)]


def _common_start(now: tuple[str, str], before: tuple[str, str], tokenizer: Tokenizer) -> int:
    """Return how many tokens two pieces begin with together; none where they are of other roles."""
    if now[0] != before[0]:
        return 0
    own, other = tokenizer.encode(now[1]), tokenizer.encode(before[1])
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(own, other, strict=False)))
