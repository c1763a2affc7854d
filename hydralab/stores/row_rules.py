"""What is the same in every store: which rows are taken, which contradict, in what order they come back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars as pl

from hydralab.errors import FrameError, StoreError, brief, check_value, unknown_name
from hydralab.frames import validate
from hydralab.schemas import KEYS, SCHEMAS, SORTED_TABLES

__all__ = [
    "OWN_PLACE",
    "PLACE",
    "SPAN",
    "changed",
    "check_places",
    "check_recent",
    "check_same",
    "check_table",
    "checked_replacement",
    "checked_rows",
    "dim_of",
    "in_order",
    "names",
    "not_there",
    "own_place",
    "place_taken",
    "stored_dim",
]

PLACE = ("dialogue_id", "position")
"""What two turns of a store never share, besides the key."""

SPAN = ("dialogue_id", "start", "end")
"""Where a checkpoint lies."""

OWN_PLACE = "user:"
"""What the ids of no dialogue begin with; see `own_place`."""


def checked_rows(table: str, frame: pl.DataFrame, model: str | None) -> pl.DataFrame:
    """Return rows to append as a valid table with exactly the declared types, or raise what is wrong with them."""
    check_table(table, model)
    frame = validate(table, frame)
    if table == "vectors" and frame["vector"].null_count():
        row = int(frame["vector"].is_null().arg_max() or 0)
        raise FrameError(f"vectors: column 'vector', row {row}: null, expected a vector")
    if table == "vectors" and frame.height:
        _check_finite(frame)
    given = frame.schema
    lists = {name: kind for name, kind in SCHEMAS[table].items() if isinstance(kind, pl.List)}
    untyped = [pl.col(name).cast(kind) for name, kind in lists.items() if given[name] != kind]
    return frame.with_columns(untyped) if untyped else frame


def checked_replacement(
    table: str, frame: pl.DataFrame, dialogue_id: str | Iterable[str] | None, model: str | None
) -> tuple[pl.DataFrame, list[str] | None]:
    """Return rows that take the place of others, and of which dialogues; None where they do so by key.

    Raises
    ------
    StoreError
        It is no replacement: no key to find rows by, rows of other dialogues, or turns of a whole dialogue.
    """
    frame, dialogues = checked_rows(table, frame, model), names(dialogue_id)
    if dialogues is None:
        if not KEYS[table]:
            raise StoreError(f"{table}: rows have no key to replace by, expected dialogue_id=")
        return frame, None
    if table == "turns":
        raise StoreError(
            "turns: dialogue_id given, expected replacement by turn_id: turns are never thrown away"
        )
    others = frame.filter(~pl.col("dialogue_id").is_in(dialogues).fill_null(False))["dialogue_id"]
    if others.len():
        raise StoreError(
            f"{table}: a row of dialogue {others[0]!r}, expected only {', '.join(map(repr, dialogues))}"
        )
    return frame, dialogues


def check_table(table: str, model: str | None) -> None:
    """Raise where there is no such table, or `model` is missing for vectors or given for another table."""
    if table not in SCHEMAS:
        raise unknown_name("table", table, SCHEMAS)
    if table == "vectors" and not model:
        raise StoreError("vectors: no model named, expected model= the name of the encoder that made them")
    if table != "vectors" and model is not None:
        raise StoreError(f"{table}: model={model!r}, expected none: only vectors are kept by model")


def stored_dim(where: str, models: Mapping[str, int], model: str, dim: int | None) -> int | None:
    """Return the dimension of a model's vectors, None where there are none, or refuse another one.

    Parameters
    ----------
    where
        What the store is called.
    models
        The models it holds and their dimensions.
    model
        The model asked for.
    dim
        The dimension of the vectors to add; None to read.
    """
    if dim is None:
        if models and model not in models:
            listed = ", ".join(f"{name!r} ({size})" for name, size in models.items())
            raise StoreError(
                f"vectors: none of model {model!r} in {where}, which holds {listed}; embed with {model!r} "
                "and append to rebuild"
            )
        return models.get(model)
    held = models.get(model, dim)
    if held != dim:
        raise StoreError(
            f"vectors: model {model!r} has {held} dimensions in {where}, the vectors given have {dim}; "
            "append them under the name of the model that made them"
        )
    return held


def check_same(where: str, table: str, stored: pl.DataFrame, given: pl.DataFrame) -> None:
    """Raise where a row that is stored comes again with other content.

    Parameters
    ----------
    where
        What the store is called.
    stored, given
        Encoded rows; those that share a key are compared in all columns.
    """
    key = list(KEYS[table])
    content = [name for name in given.columns if name not in key]
    pairs = given.join(stored, on=key, how="inner", nulls_equal=True, suffix=":stored")
    for name in content:
        unlike = pairs.filter(pl.col(name).ne_missing(pl.col(f"{name}:stored")))
        if unlike.height:
            raise StoreError(
                f"{table}: {_named(unlike, key)} is in {where} with another {name!r}; "
                "use replace to change what is stored"
            )


def check_recent(dialogue_id: str, count: int) -> None:
    """Raise where the newest turns of no dialogue, or less than none of them, are asked for."""
    check_value("recent: dialogue_id", dialogue_id, "str")
    check_value("recent: count", count, "int", least=0)


def changed(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Return dialogue_id, position and turn_id of the turns that differ, given both as encoded rows."""
    unlike = pl.any_horizontal(before[name].ne_missing(after[name]).alias(name) for name in after.columns)
    return after.filter(unlike).select("dialogue_id", "position", "turn_id")


def check_places(before: pl.DataFrame, after: pl.DataFrame) -> None:
    """Raise where a turn that is replaced would move."""
    for turn_id, old, new in zip(
        after["turn_id"], before.select(PLACE).rows(), after.select(PLACE).rows(), strict=True
    ):
        if old != new:
            raise StoreError(
                f"turns: {turn_id!r} is at position {old[1]} of dialogue {old[0]!r}, the one to replace it at "
                f"position {new[1]} of {new[0]!r}; expected the same place"
            )


def place_taken(where: str, place: Sequence[object]) -> StoreError:
    """Build the error for a turn whose place another turn has."""
    return StoreError(f"turns: position {place[1]} of dialogue {place[0]!r} in {where} is another turn's")


def not_there(where: str, table: str, key: Sequence[object]) -> StoreError:
    """Build the error for a row that replaces none."""
    named = ", ".join(f"{name} {value!r}" for name, value in zip(KEYS[table], key, strict=True))
    return StoreError(f"{table}: {named} is not in {where}, expected a row to replace; use append to add it")


def dim_of(vectors: pl.DataFrame) -> int:
    """Return the dimension of a vectors table."""
    return int(vectors.schema["vector"].shape[0])  # type: ignore[attr-defined]


def in_order(table: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Return rows as they are read: a dialogue's together and in order of position where they have one."""
    if table not in SORTED_TABLES or not frame.height:
        return frame
    first = pl.col("row").min().over("dialogue_id")
    return frame.with_row_index("row").sort(first, "position", maintain_order=True).drop("row")


def own_place(user: str) -> str:
    """Return under which dialogue id a user's rows of no dialogue are kept: settings, events.

    >>> own_place("lena")
    'user:lena'
    """
    return f"{OWN_PLACE}{user}"


def names(dialogue_id: str | Iterable[str] | None) -> list[str] | None:
    """Return the dialogues asked for as a list; None means all."""
    if dialogue_id is None:
        return None
    if isinstance(dialogue_id, str):
        return [dialogue_id]
    listed = list(dialogue_id) if isinstance(dialogue_id, Iterable) else [dialogue_id]
    if not all(isinstance(name, str) for name in listed):
        raise StoreError(f"dialogue_id is {brief(dialogue_id)}, expected the id of a dialogue, or some")
    return listed


def _check_finite(vectors: pl.DataFrame) -> None:
    finite = np.isfinite(vectors["vector"].to_numpy()).all(axis=1)
    if not finite.all():
        row = int(finite.argmin())
        raise FrameError(
            f"vectors: column 'vector', row {row} ({vectors['item_id'][row]!r}): NaN or infinite, "
            "expected finite numbers"
        )


def _named(rows: pl.DataFrame, key: Sequence[str]) -> str:
    return ", ".join(f"{name} {rows[name][0]!r}" for name in key)
