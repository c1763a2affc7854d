"""What may be recalled at one moment, a block a kind: score columns, and how to look items up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hydralab.core.cosine import unit_rows
from hydralab.recall.history import History
from hydralab.recall.items import Items
from hydralab.recall.scoring import Columns, Floats, Query, item_columns, round_columns

__all__ = ["Block", "Described", "Rows", "item_block", "round_block", "turn_block"]

Rows = NDArray[np.int64]


class Described(NamedTuple):
    """Which item a candidate is."""

    item_id: str
    tokens: int | None
    sources: Sequence[str]


@dataclass(frozen=True)
class Block:
    """Items of one kind.

    Attributes
    ----------
    columns
        Score column → an entry an item, cosines as they are.
    spans
        Int64 (n, 2): first and last turn of each item, −1 for none.
    barred
        Rows that must not be recalled.
    vectors
        Rows of the block → their vectors, float32 (m, dim).
    describe
        Rows of the block → which items they are.
    texts
        Rows of the block → what a second model reads of them.
    """

    kind: str
    columns: Columns
    spans: NDArray[np.int64]
    barred: Rows
    vectors: Callable[[Rows], Floats]
    describe: Callable[[Rows], list[Described]]
    texts: Callable[[Rows], list[str]]

    def __len__(self) -> int:
        return len(self.spans)


def turn_block(history: History, columns: Columns, query: Query, exclude: Collection[str]) -> Block:
    """Return the turns; one whose text is the query is barred."""
    barred = {*history.equal_rows(query.text), *history.rows_of(exclude)}
    positions = np.arange(len(columns["dense"]))

    return Block(
        kind="turn",
        columns=columns,
        spans=np.column_stack([positions, positions]),
        barred=_rows(row for row in barred if row < len(positions)),
        vectors=lambda rows: np.asarray(history.vectors.rows[rows]),
        describe=lambda rows: [
            Described(history.turn_ids[row], history.tokens[row], (history.turn_ids[row],))
            for row in rows.tolist()
        ],
        texts=lambda rows: list(map(history.told_after_previous, rows.tolist())),
    )


def round_block(history: History, turns: Columns, exclude: Collection[str]) -> Block:
    """Return the rounds begun so far, each with the turns it has so far."""
    at = len(turns["dense"])
    numbers = history.rounds.rows[:at]
    starts = np.flatnonzero(np.diff(numbers, prepend=numbers[:1] - 1))
    spans = np.column_stack([starts, np.append(starts[1:], at) - 1]).astype(np.int64)

    ids = [f"{history.dialogue_id}@{number}" for number in numbers[starts].tolist()]

    def vectors(rows: Rows) -> Floats:
        sums = [history.vectors.rows[start : end + 1].sum(axis=0) for start, end in spans[rows].tolist()]
        return np.asarray(unit_rows(np.stack(sums)))

    def describe(rows: Rows) -> list[Described]:
        held = [slice(start, end + 1) for start, end in spans[rows].tolist()]
        return [
            Described(ids[row], sum(history.tokens[part]), history.turn_ids[part])
            for row, part in zip(rows.tolist(), held, strict=True)
        ]

    return Block(
        kind="round",
        columns=round_columns(turns, starts),
        spans=spans,
        barred=_rows(row for row, item_id in enumerate(ids) if item_id in exclude),
        vectors=vectors,
        describe=describe,
        # By its first two turns, so that what was read of a dialogue can be told, and forgotten with its turns.
        texts=lambda rows: [history.told(start, min(start + 1, end)) for start, end in spans[rows].tolist()],
    )


def item_block(
    kind: str, items: Items, turns: Columns, query: Query, now: int, exclude: Collection[str]
) -> Block:
    """Return checkpoints or facts that were known at the turn `now`."""
    known = items.visible(len(turns["dense"]), now)

    def describe(rows: Rows) -> list[Described]:
        chosen = [items.items[row] for row in known[rows].tolist()]
        return [Described(item.item_id, item.tokens, item.sources) for item in chosen]

    return Block(
        kind=kind,
        columns=item_columns(items, known, turns, query),
        spans=items.spans[known],
        barred=_rows(row for row, item in enumerate(known.tolist()) if items.items[item].item_id in exclude)
        if exclude
        else _rows(()),
        vectors=lambda rows: np.asarray(items.centroids[known[rows]]),
        describe=describe,
        texts=lambda rows: [items.items[row].text for row in known[rows].tolist()],
    )


def _rows(numbers: Iterable[int]) -> Rows:
    return np.fromiter(numbers, dtype=np.int64)
