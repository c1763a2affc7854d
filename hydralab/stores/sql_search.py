"""Some rows of a table in SQL, and the vectors nearest to one, without reading the others into memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from sqlalchemy import Connection, Select, cast, func, literal, select
from sqlalchemy.sql import ColumnElement
from sqlalchemy.types import Double

from hydralab.stores import row_rules
from hydralab.stores.cipher import Cipher
from hydralab.stores.codec import decode
from hydralab.stores.column_types import PgVector
from hydralab.stores.row_filters import Where
from hydralab.stores.schema import TABLES
from hydralab.stores.sql import batches, fetch, known_fields, query_of, stored_models
from hydralab.stores.vector_search import BLOCK, NUMBERED, Block, VectorQuery, best_of, is_held, merge, shown

__all__ = ["nearest_rows", "select_rows"]

VECTORS = TABLES["vectors"]
NAMES = (VECTORS.c.item_id, VECTORS.c.item_kind, VECTORS.c.dialogue_id)


def select_rows(
    connection: Connection,
    place: str,
    table: str,
    dialogue: str,
    where: Where,
    newest: int | None,
    model: str | None,
) -> pl.DataFrame:
    """Return rows of one dialogue, as `Store.select` does."""
    target = TABLES[table]
    query = query_of(table, model).where(target.c.dialogue_id == dialogue)
    for column, values in where.items():
        query = query.where(target.c[column].in_(list(values)))
    # Unordered, so that SQLite finds ids by their own index, not all of the dialogue by the one that has an order.
    query = query.order_by(None)
    if newest is not None:
        query = query.order_by(target.c.seq.desc()).limit(newest)
    dim = None if model is None else row_rules.stored_dim(place, stored_models(connection), model, None)
    plain = fetch(connection, table, query, seq=True, model=model).sort("seq").drop("seq")
    return decode(table, plain, known_fields(connection, table), dim=dim)


def nearest_rows(connection: Connection, where: str, sought: VectorQuery) -> pl.DataFrame:
    """Return the nearest vectors: compared by pgvector where it is, else here, a block at a time."""
    if not is_held(where, stored_models(connection), sought):
        return shown(pl.DataFrame(schema=NUMBERED))
    search = _by_pgvector if connection.dialect.name == "postgresql" else _streamed
    if sought.dialogues is None:
        return shown(search(connection, sought))
    some = [replace(sought, dialogues=names) for names in batches(sought.dialogues)]
    parts = [search(connection, each) for each in some]
    return shown(merge([pl.DataFrame(schema=NUMBERED), *parts], sought.count))


def _by_pgvector(connection: Connection, sought: VectorQuery) -> pl.DataFrame:
    asked = literal(sought.vector.astype("<f4").tobytes(), PgVector())
    plain: ColumnElement[float] = VECTORS.c.vector.op("<=>", return_type=Double())(asked)
    # The angle to a vector of zeros is unknown to pgvector; it counts as a right one.
    distance = func.coalesce(func.nullif(plain, cast(literal("NaN"), Double())), 1.0)
    query = select(*NAMES, (1.0 - distance).label("score"), VECTORS.c.seq).order_by(distance, VECTORS.c.seq)
    rows = connection.execute(_among(query, sought).limit(sought.count)).all()
    best = pl.DataFrame([tuple(row) for row in rows], schema=NUMBERED, orient="row")
    return best.with_columns(pl.col("score").clip(-1, 1))


def _streamed(connection: Connection, sought: VectorQuery) -> pl.DataFrame:
    query = select(*NAMES, VECTORS.c.vector, VECTORS.c.seq).order_by(VECTORS.c.seq)
    return best_of(_blocks(connection, _among(query, sought), sought.model), sought)


def _blocks(connection: Connection, query: Select[Any], model: str) -> Iterator[Block]:
    cipher: Cipher | None = connection.get_execution_options().get("cipher")
    columns = [column.name for column in query.selected_columns]
    for part in connection.execute(query).partitions(BLOCK):
        rows = [tuple(row) for row in part]
        if cipher is not None:
            rows = cipher.show("vectors", columns, rows, model)
        vectors = np.frombuffer(b"".join(row[3] for row in rows), "<f4").reshape(len(rows), -1)
        yield [(*row[:3], row[4]) for row in rows], vectors


def _among(query: Select[Any], sought: VectorQuery) -> Select[Any]:
    query = query.where(VECTORS.c.model == sought.model)
    if sought.kinds is not None:
        query = query.where(VECTORS.c.item_kind.in_(sought.kinds))
    return query if sought.dialogues is None else query.where(VECTORS.c.dialogue_id.in_(sought.dialogues))
