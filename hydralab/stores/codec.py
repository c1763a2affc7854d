"""Tables as plain columns and back: lists and structs as JSON text, vectors as bytes, times as integers.

What an engine stores of a table is strings, integers, floats, booleans and bytes. Two rows are equal
when their encoded rows are, which is how a store tells a repeated append from a contradiction.

Tables may have columns that the schema does not name: a column a signal, a field a score. They travel
in one JSON column, and their names and types beside it, as *fields*.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from hydralab.errors import FrameError, StoreError
from hydralab.frames import empty
from hydralab.schemas import OPEN_TABLES, SCHEMAS

__all__ = [
    "FURTHER",
    "Fields",
    "align",
    "decode",
    "encode",
    "fields_of",
    "merge_fields",
    "open_column",
    "plain_schema",
]

Fields = Mapping[str, str]
"""Name of a further column or field → name of its type, in the order of display."""

FURTHER = "further"
"""The stored column with the columns of an open table that its schema does not name."""

FIELD_TYPES: Mapping[str, Any] = {
    "Float64": pl.Float64,
    "Int64": pl.Int64,
    "Boolean": pl.Boolean,
    "String": pl.String,
}


def open_column(table: str) -> str | None:
    """Return the stored column whose fields the schema leaves open, if the table has one.

    >>> open_column("signals"), open_column("context"), open_column("turns")
    ('further', 'scores', None)
    """
    if table in OPEN_TABLES:
        return FURTHER
    return next((name for name, kind in SCHEMAS[table].items() if kind is pl.Struct), None)


def fields_of(table: str, frame: pl.DataFrame) -> dict[str, str]:
    """Return the further columns or fields of a frame and their types.

    Raises
    ------
    FrameError
        One of them is neither a number, a boolean nor a string.
    """
    column = open_column(table)
    if column is None:
        return {}
    if column == FURTHER:
        given = {name: kind for name, kind in frame.schema.items() if name not in SCHEMAS[table]}
    else:
        given = {part.name: part.dtype for part in frame.schema[column].fields}  # type: ignore[attr-defined]
    kinds = {name: "Float64" if kind == pl.Null else str(kind) for name, kind in given.items()}
    for name, kind in kinds.items():
        if kind not in FIELD_TYPES:
            raise FrameError(f"{table}: column {name!r} is {kind}, expected {', '.join(FIELD_TYPES)}")
    return kinds


def merge_fields(table: str, known: Fields, given: Fields) -> dict[str, str]:
    """Return the known fields and after them the new ones, or refuse one that changed its type."""
    for name, kind in given.items():
        if known.get(name, kind) != kind:
            raise StoreError(f"{table}: column {name!r} is {kind}, but the store holds it as {known[name]}")
    return {**known, **given}


def plain_schema(table: str) -> dict[str, Any]:
    """Return the columns of encoded rows and their types.

    >>> plain_schema("signals")
    {'dialogue_id': String, 'position': Int64, 'further': String}
    """
    kinds = {name: _plain_type(kind) for name, kind in SCHEMAS[table].items()}
    return {**kinds, FURTHER: pl.String} if open_column(table) == FURTHER else kinds


def encode(table: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a valid table as plain columns, in the order of its schema."""
    columns = [_plain(frame[name]) for name in SCHEMAS[table]]
    if open_column(table) == FURTHER:
        names = [name for name in frame.columns if name not in SCHEMAS[table]]
        rows = frame.select(names).rows(named=True) if names else [None] * frame.height
        columns.append(pl.Series(FURTHER, [_dumps(row) for row in rows], dtype=pl.String))
    return pl.DataFrame(columns)


def decode(table: str, plain: pl.DataFrame, fields: Fields, *, dim: int | None = None) -> pl.DataFrame:
    """Return the table that `encode` made plain.

    Parameters
    ----------
    table
        Its name.
    plain
        Encoded rows.
    fields
        All further columns or fields that the table has had.
    dim
        Length of the vectors, for the table "vectors".
    """
    kinds = dict(empty(table).schema)
    if dim is not None:
        kinds["vector"] = pl.Array(pl.Float32, dim)
    struct = pl.Struct({name: FIELD_TYPES[kind] for name, kind in fields.items()}) if fields else None
    column = open_column(table)
    if struct is not None and column is not None and column != FURTHER:
        kinds[column] = struct
    frame = pl.DataFrame([_rich(plain[name], kind) for name, kind in kinds.items()])
    if struct is not None and column == FURTHER:
        frame = frame.hstack(_rich(plain[FURTHER], struct).struct.unnest())
    return frame


def align(table: str, frame: pl.DataFrame, fields: Fields) -> pl.DataFrame:
    """Return a table with exactly `fields`, null where it had none of that name.

    >>> align("signals", empty("signals"), {"shift": "Float64"}).columns
    ['dialogue_id', 'position', 'shift']
    """
    if list(fields_of(table, frame).items()) == list(fields.items()):
        return frame
    dim = frame.schema["vector"].shape[0] if table == "vectors" else None  # type: ignore[attr-defined]
    return decode(table, encode(table, frame), fields, dim=dim)


def _plain_type(kind: Any) -> Any:
    if isinstance(kind, pl.Datetime):
        return pl.Int64
    if kind is pl.Array:
        return pl.Binary
    return pl.String if kind is pl.Struct or isinstance(kind, (pl.List, pl.Struct)) else kind


def _plain(column: pl.Series) -> pl.Series:
    kind = column.dtype
    if isinstance(kind, pl.Datetime):
        return column.cast(pl.Int64)
    if isinstance(kind, pl.Array):
        rows = column.to_numpy().astype("<f4", copy=False)
        return pl.Series(column.name, [row.tobytes() for row in rows], dtype=pl.Binary)
    if kind.is_nested():
        return pl.Series(column.name, [_dumps(each) for each in column.to_list()], dtype=pl.String)
    return column


def _rich(column: pl.Series, kind: Any) -> pl.Series:
    if isinstance(kind, pl.Datetime):
        return column.cast(pl.Int64).cast(kind)
    if isinstance(kind, pl.Array):
        joined = np.frombuffer(b"".join(column.to_list()), dtype="<f4")
        return pl.Series(column.name, joined.reshape(len(column), *kind.shape), dtype=kind)
    if kind.is_nested():
        values = [None if each is None else json.loads(each) for each in column.to_list()]
        return pl.Series(column.name, values, dtype=kind)
    return column.cast(kind)


def _dumps(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, dict):
        # A field that is null and one that came later are the same: neither is written.
        value = {name: each for name, each in value.items() if each is not None}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
