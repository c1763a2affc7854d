"""Tables in memory with the row of each key: what `MemoryStore` is made of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from hydralab.schemas import KEYS
from hydralab.stores import row_rules
from hydralab.stores.codec import Fields, align, encode, fields_of, merge_fields
from hydralab.stores.tombstones import Removal, holds

__all__ = ["WHERE", "KeyedTables", "Name", "append_to", "drop", "erase", "exchange", "models_of", "rewind"]

Index = dict[tuple[Any, ...], int]
Name = tuple[str, str | None]
"""A table and, for vectors, the model."""

WHERE = "the memory store"
MOST_CHUNKS = 64
"""Pieces a table is left in; each append adds one, and joining them costs a copy of the table."""


@dataclass(frozen=True)
class KeyedTables:
    """One table: its rows and the row of each key (and place). Indexes only grow, in order of rows."""

    frame: pl.DataFrame
    fields: Fields
    rows: Index = field(default_factory=dict)
    places: Index = field(default_factory=dict)


def append_to(held: dict[Name, KeyedTables], name: Name, frame: pl.DataFrame) -> None:
    """Append the rows whose key is new; raise where one that is held has other content."""
    table, model = name
    if not frame.height:
        return
    if model is not None:
        row_rules.stored_dim(WHERE, models_of(held), model, row_rules.dim_of(frame))
    present = held.get(name) or KeyedTables(frame.clear(), fields_of(table, frame))
    keys = frame.select(KEYS[table]).rows() if KEYS[table] else []
    there = np.array([key in present.rows for key in keys] or [False] * frame.height)
    if there.any():
        repeated = frame.filter(there)
        stored = present.frame[[present.rows[key] for key in repeated.select(KEYS[table]).rows()]]
        row_rules.check_same(WHERE, table, encode(table, stored), encode(table, repeated))
        frame = frame.filter(~there)
    held[name] = _extended(table, present, frame)


def _extended(table: str, present: KeyedTables, frame: pl.DataFrame) -> KeyedTables:
    places = frame.select(row_rules.PLACE).rows() if table == "turns" else []
    for place in places:
        if place in present.places:
            raise row_rules.place_taken(WHERE, place)
    fields = merge_fields(table, present.fields, fields_of(table, frame))
    rows = align(table, present.frame, fields).vstack(align(table, frame, fields))
    grown = replace(present, frame=rows.rechunk() if rows.n_chunks() > MOST_CHUNKS else rows, fields=fields)
    numbers = range(present.frame.height, rows.height)
    if KEYS[table]:
        grown.rows.update(zip(frame.select(KEYS[table]).rows(), numbers, strict=True))
    if places:
        grown.places.update(zip(places, numbers, strict=True))
    return grown


def exchange(held: dict[Name, KeyedTables], name: Name, frame: pl.DataFrame) -> pl.DataFrame:
    """Put rows in the place of those with their keys, and return what they were."""
    table, model = name
    if model is not None and frame.height:
        row_rules.stored_dim(WHERE, models_of(held), model, row_rules.dim_of(frame))
    present = held.get(name) or KeyedTables(frame.clear(), fields_of(table, frame))
    keys = frame.select(KEYS[table]).rows()
    for key in keys:
        if key not in present.rows:
            raise row_rules.not_there(WHERE, table, key)
    numbers = [present.rows[key] for key in keys]
    before = present.frame[numbers]
    fields = merge_fields(table, present.fields, fields_of(table, frame))
    order = np.arange(present.frame.height)
    order[numbers] = present.frame.height + np.arange(frame.height)
    rows = align(table, present.frame, fields).vstack(align(table, frame, fields))
    held[name] = replace(present, frame=rows[order], fields=fields)
    if table == "turns":
        row_rules.check_places(before, frame)
        _mark_stale(held, row_rules.changed(encode(table, before), encode(table, frame)))
    return before


def erase(held: dict[Name, KeyedTables], name: Name, removal: Removal) -> int:
    """Drop what is to be forgotten of a table, and return how many rows that were."""
    if name not in held:
        return 0
    before = held[name].frame.height
    drop(held, name, pl.any_horizontal(holds(name[0], *each) for each in removal.items()))
    return before - held[name].frame.height


def drop(held: dict[Name, KeyedTables], name: Name, condition: pl.Expr) -> None:
    """Drop the rows that meet a condition."""
    if name in held:
        left = held[name].frame.filter(~condition.fill_null(False))
        emptied = KeyedTables(left.clear(), held[name].fields)
        held[name] = _extended(name[0], emptied, left)


def _mark_stale(held: dict[Name, KeyedTables], turns: pl.DataFrame) -> None:
    dialogues = turns["dialogue_id"].unique()
    covering: list[str] = []
    if ("checkpoints", None) in held:
        spans = held["checkpoints", None]
        pairs = spans.frame.select("checkpoint_id", *row_rules.SPAN).join(turns, on="dialogue_id")
        covering = pairs.filter(pl.col("position").is_between("start", "end"))["checkpoint_id"].to_list()
        status = pl.when(pl.col("checkpoint_id").is_in(covering)).then(pl.lit("stale")).otherwise("status")
        held["checkpoints", None] = replace(spans, frame=spans.frame.with_columns(status=status))
    stale = [*turns["turn_id"], *covering]
    rounds = (pl.col("item_kind") == "round") & pl.col("dialogue_id").is_in(dialogues.implode())
    for name in [name for name in held if name[0] == "vectors"]:
        drop(held, name, pl.col("item_id").is_in(stale) | rounds)


def models_of(held: dict[Name, KeyedTables]) -> dict[str, int]:
    """Return the models whose vectors are held, and their dimensions."""
    return {
        model: row_rules.dim_of(each.frame)
        for (table, model), each in held.items()
        if table == "vectors" and model is not None
    }


def rewind(held: dict[Name, KeyedTables], before: dict[Name, KeyedTables]) -> None:
    """Bring tables back to what they were: the indexes are shortened to the rows of then."""
    for each in before.values():
        for index in (each.rows, each.places):
            while index and next(reversed(index.values())) >= each.frame.height:
                index.popitem()
    held.clear()
    held.update(before)
