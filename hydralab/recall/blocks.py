"""What may be recalled at one moment, a block a kind: score columns, and how to look items up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.cosine import unit_rows
from hydralab.frames import SCHEMAS
from hydralab.recall.history import History
from hydralab.recall.items import Items
from hydralab.recall.scoring import Columns, Floats, Query, item_columns, round_columns

__all__ = ["Block", "Rows", "item_block", "round_block", "turn_block"]

Rows = NDArray[np.int64]


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
        Rows of the block → a frame of item_id, tokens, source_turn_ids.
    """

    kind: str
    columns: Columns
    spans: NDArray[np.int64]
    barred: Rows
    vectors: Callable[[Rows], Floats]
    describe: Callable[[Rows], pl.DataFrame]

    def __len__(self) -> int:
        return len(self.spans)


def turn_block(history: History, columns: Columns, query: Query, exclude: Collection[str]) -> Block:
    """Return the turns; one whose text is the query is barred."""
    barred = {*history.equal_rows(query.text), *history.rows_of(exclude)}
    positions = np.arange(len(columns["dense"]))

    def describe(rows: Rows) -> pl.DataFrame:
        ids, tokens = (history.turns[name][rows] for name in ("turn_id", "tokens"))
        alone = ids.reshape((-1, 1)).cast(pl.List(pl.String))
        return pl.DataFrame({"item_id": ids, "tokens": tokens, "source_turn_ids": alone})

    return Block(
        kind="turn",
        columns=columns,
        spans=np.column_stack([positions, positions]),
        barred=_rows(row for row in barred if row < len(positions)),
        vectors=lambda rows: np.asarray(history.vectors.rows[rows]),
        describe=describe,
    )


def round_block(history: History, turns: Columns, exclude: Collection[str]) -> Block:
    """Return the rounds begun so far, each with the turns it has so far."""
    at = len(turns["dense"])
    numbers = history.rounds.rows[:at]
    starts = np.flatnonzero(np.diff(numbers, prepend=numbers[:1] - 1))
    spans = np.column_stack([starts, np.append(starts[1:], at) - 1]).astype(np.int64)

    dialogue_id = history.turns["dialogue_id"][0]
    ids = [f"{dialogue_id}@{number}" for number in numbers[starts].tolist()]

    def vectors(rows: Rows) -> Floats:
        sums = [history.vectors.rows[start : end + 1].sum(axis=0) for start, end in spans[rows].tolist()]
        return np.asarray(unit_rows(np.stack(sums)))

    def describe(rows: Rows) -> pl.DataFrame:
        held = [history.turns.slice(start, end + 1 - start) for start, end in spans[rows].tolist()]
        return _described(
            [ids[row] for row in rows.tolist()],
            [int(turns["tokens"].sum()) for turns in held],
            [turns["turn_id"].to_list() for turns in held],
        )

    return Block(
        kind="round",
        columns=round_columns(turns, starts),
        spans=spans,
        barred=_rows(row for row, item_id in enumerate(ids) if item_id in exclude),
        vectors=vectors,
        describe=describe,
    )


def item_block(
    kind: str, items: Items, turns: Columns, query: Query, now: int, exclude: Collection[str]
) -> Block:
    """Return checkpoints or facts that were known at the turn `now`."""
    known = items.visible(len(turns["dense"]), now)

    def describe(rows: Rows) -> pl.DataFrame:
        chosen = [items.items[row] for row in known[rows].tolist()]
        return _described(
            [item.item_id for item in chosen],
            [item.tokens for item in chosen],
            [list(item.sources) for item in chosen],
        )

    return Block(
        kind=kind,
        columns=item_columns(items, known, turns, query),
        spans=items.spans[known],
        barred=_rows(row for row, item in enumerate(known.tolist()) if items.items[item].item_id in exclude)
        if exclude
        else _rows(()),
        vectors=lambda rows: np.asarray(items.centroids[known[rows]]),
        describe=describe,
    )


def _rows(numbers: Iterable[int]) -> Rows:
    return np.fromiter(numbers, dtype=np.int64)


def _described(item_ids: list[str], tokens: list[int | None], sources: list[list[str]]) -> pl.DataFrame:
    values = {"item_id": item_ids, "tokens": tokens, "source_turn_ids": sources}
    return pl.DataFrame(values, schema={name: SCHEMAS["candidates"][name] for name in values})
