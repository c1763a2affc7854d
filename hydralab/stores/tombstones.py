"""Tombstones: what was forgotten, and which rows come too late because they are of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from typing import Any

import polars as pl

from hydralab.errors import StoreError
from hydralab.frames import build, event
from hydralab.schemas import SCHEMAS, TEXTS
from hydralab.stores.protocol import Store
from hydralab.texts.hashing import source_hash

__all__ = [
    "TOMBSTONES",
    "Removal",
    "Tombstone",
    "Tombstones",
    "Values",
    "checked_tombstones",
    "forgotten_behind",
    "holds",
    "late_rows",
    "tombstone_table",
]

KINDS = ("dialogue", "turn", "memory", "user")

TOMBSTONES = {"kind": pl.String, "name": pl.String, "dialogue_id": pl.String, "position": pl.Int64}
"""Columns of the tombstones of a store; kind is one of `KINDS`."""

Values = frozenset[str]

Removal = Mapping[str, Values]
"""Column → values; a row goes when one of its columns has one of them, or, a list, holds one."""


@dataclass(frozen=True)
class Tombstone:
    """What was forgotten, by its id; of a turn also where it stood."""

    kind: str
    name: str
    dialogue_id: str | None = None
    position: int | None = None


@dataclass(frozen=True)
class Tombstones:
    """All tombstones of a store."""

    dialogues: Values = frozenset()
    turns: Values = frozenset()
    memories: Values = frozenset()
    users: Values = frozenset()
    places: tuple[tuple[str, int], ...] = ()

    @staticmethod
    def of(tombstones: Iterable[Tombstone]) -> Tombstones:
        """Sort tombstones by what they are of."""
        listed = list(tombstones)

        def named(kind: str) -> Values:
            return frozenset(tombstone.name for tombstone in listed if tombstone.kind == kind)

        places = tuple(
            (tombstone.dialogue_id, tombstone.position)
            for tombstone in listed
            if tombstone.dialogue_id is not None and tombstone.position is not None
        )
        return Tombstones(named("dialogue"), named("turn"), named("memory"), named("user"), places)


def tombstone_table(tombstones: Iterable[Tombstone]) -> pl.DataFrame:
    """Return tombstones as a table; see `TOMBSTONES`."""
    return pl.DataFrame([astuple(each) for each in tombstones], schema=TOMBSTONES, orient="row")


def forgotten_behind(store: Store, *, after: int = 0) -> pl.DataFrame:
    """Return the tombstones of the store behind all views of it, without the first `after`.

    Their number only grows, while a user's view of them shrinks with the user's dialogues: this is how one who has
    read a store notices that something was forgotten since. It is not to be shown to a user.
    """
    behind = store
    while (deeper := getattr(behind, "store", None)) is not None:
        behind = deeper
    return behind.tombstones(after=after)


def checked_tombstones(frame: pl.DataFrame) -> list[Tombstone]:
    """Return the tombstones of a table, or refuse what is none.

    Raises
    ------
    StoreError
        Other columns or types, or a kind that there isn't.
    """
    if dict(frame.schema) != TOMBSTONES:
        raise StoreError(f"tombstones: columns {dict(frame.schema)}, expected {TOMBSTONES}")
    unknown = frame.filter(~pl.col("kind").is_in(KINDS).fill_null(False) | pl.col("name").is_null())
    if unknown.height:
        raise StoreError(f"tombstones: {unknown.row(0)}, expected a kind of {', '.join(KINDS)} and a name")
    return [Tombstone(*row) for row in frame.iter_rows()]


def late_rows(
    table: str, frame: pl.DataFrame, tombstones: Tombstones, store: Store
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the rows that may be written, and events that tell of those that are of something forgotten."""
    late = _is_late(table, frame, tombstones, store)
    if late is None or not late.any():
        return frame, build("events", [])
    dropped = frame.filter(late)
    if table == "events":
        return frame.filter(~late), build("events", [])
    name = next((name for name in (*_names(table), "dialogue_id") if name in dropped.columns), None)
    told = event(
        "store",
        "failed",
        item_id=None if name is None else dropped[name][0],
        detail=f"{dropped.height} late rows of {table} were dropped: what they are of was forgotten",
    )
    return frame.filter(~late), build("events", [told])


def _names(table: str) -> tuple[str, ...]:
    known = {
        "turns": "turn_id",
        "memories": "memory_id",
        "checkpoints": "checkpoint_id",
        "vectors": "item_id",
    }
    return (known[table],) if table in known else ()


def _is_late(table: str, frame: pl.DataFrame, tombstones: Tombstones, store: Store) -> pl.Series | None:
    if tombstones == Tombstones() or not frame.height:
        return None
    columns = frame.columns
    gone = pl.lit(False)
    for column, values in _late_names(table, tombstones).items():
        if column in columns and values:
            gone |= holds(table, column, values)
    if table == "turns":
        # The empty row of a forgotten turn may be written again, anything in it may not.
        filled = pl.col("text") != ""
        for column in ("speaker", "parts", "meta"):
            filled |= pl.col(column).is_not_null()
        gone |= pl.col("turn_id").is_in(list(tombstones.turns)) & filled
    if table == "vectors":
        moved = (
            pl.Series(frame["vector"].to_numpy().any(axis=1))
            if frame.height
            else pl.Series([], dtype=pl.Boolean)
        )
        near = pl.col("dialogue_id").is_in([where for where, _ in tombstones.places])
        emptied = pl.col("item_id").is_in(_emptied_spans(store, frame, tombstones))
        gone |= ((pl.col("item_kind") == "round") & near) | emptied
        gone |= pl.col("item_id").is_in(list(tombstones.turns)) & pl.lit(moved)
    late = frame.select(gone.fill_null(False).alias("late"))["late"]
    late = late if len(late) == frame.height else pl.Series([bool(late[0])] * frame.height)
    if table == "checkpoints" and tombstones.places:
        late |= pl.Series([_is_of_old_words(row, tombstones, store) for row in frame.iter_rows(named=True)])
    return late


def _late_names(table: str, tombstones: Tombstones) -> dict[str, Values]:
    items = tombstones.turns | tombstones.memories
    names: dict[str, Values] = {"dialogue_id": tombstones.dialogues}
    if table in ("dialogues", "memories", "documents"):
        names["user_id"] = tombstones.users
    if table == "memories":
        names |= {"memory_id": tombstones.memories, "source_turn_ids": tombstones.turns}
    elif table == "vectors":
        names["item_id"] = tombstones.memories
    elif table == "verdicts":
        names |= {"item_ids": items, "used_ids": items, "query_id": tombstones.turns}
    elif table == "context":
        names |= {"item_id": items, "source_turn_ids": tombstones.turns, "query_id": tombstones.turns}
    elif table == "entities":
        names["source_turn_ids"] = tombstones.turns
    elif table == "relations":
        names["turn_id"] = tombstones.turns
    elif table == "steps":
        names["query_id"] = tombstones.turns
    elif table == "questions":
        names["evidence"] = tombstones.turns
    elif table == "events":
        names["item_id"] = items | tombstones.dialogues
    return names


def _is_of_old_words(row: Mapping[str, Any], tombstones: Tombstones, store: Store) -> bool:
    """Say whether a checkpoint with words covers a forgotten turn, and was made before it was forgotten."""
    start, end, name = row["start"], row["end"], row["dialogue_id"]
    if not any(where == name and start <= place <= end for where, place in tombstones.places):
        return False
    if all(row[column] in (None, "", []) for column in TEXTS["checkpoints"]):
        return False
    span = store.read("turns", dialogue_id=str(name)).filter(pl.col("position").is_between(start, end))
    return row["source_hash"] != source_hash(span)


def _emptied_spans(store: Store, frame: pl.DataFrame, tombstones: Tombstones) -> list[str]:
    near = {where for where, _ in tombstones.places} & set(frame["dialogue_id"].drop_nulls())
    if not near:
        return []
    spans = store.read("checkpoints", dialogue_id=sorted(near))
    return spans.filter(pl.col("title").is_null() & pl.col("summary").is_null())["checkpoint_id"].to_list()


def holds(table: str, column: str, values: Values) -> pl.Expr:
    """Return an expression: the column has one of the values, or, a list, holds one."""
    if isinstance(SCHEMAS[table][column], pl.List):
        return pl.col(column).list.eval(pl.element().is_in(list(values))).list.any().fill_null(False)
    return pl.col(column).is_in(list(values)).fill_null(False)
