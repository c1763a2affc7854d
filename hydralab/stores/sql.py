"""Reading and writing tables over a SQLAlchemy connection that is in a transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl
from sqlalchemy import Connection, Select, and_, bindparam, delete, func, insert, select, update

from hydralab.schemas import KEYS
from hydralab.stores import row_rules
from hydralab.stores.cipher import Cipher
from hydralab.stores.codec import Fields, decode, encode, fields_of, merge_fields, open_column, plain_schema
from hydralab.stores.copying import can_copy, copy_new_rows
from hydralab.stores.dialects import insert_new
from hydralab.stores.row_filters import MOST_VALUES
from hydralab.stores.schema import EDITS, FIELDS, MODELS, TABLES, VERSION

__all__ = [
    "append_rows",
    "batches",
    "exchange_rows",
    "fetch",
    "id_of",
    "known_fields",
    "numbered_rows",
    "query_of",
    "read_rows",
    "recent_rows",
    "replace_dialogues",
    "stamp_of",
    "stored_models",
]

PART = 10_000
"""Rows that are turned into Python's objects and back at once: a table of millions takes little beside itself."""


def append_rows(
    connection: Connection, where: str, table: str, frame: pl.DataFrame, model: str | None
) -> None:
    """Insert the rows whose key is new; raise where a stored one has other content.

    Parameters
    ----------
    connection
        In a write transaction.
    where
        What errors call the database.
    table, frame, model
        As `Store.append` takes them, checked.
    """
    if not frame.height:
        return
    _note_fields(connection, table, frame)
    if model is not None:
        _note_model(connection, where, model, row_rules.dim_of(frame))
    for part in frame.iter_slices(PART):
        _append_part(connection, where, table, encode(table, part), model)


def _append_part(
    connection: Connection, where: str, table: str, plain: pl.DataFrame, model: str | None
) -> None:
    if _insert_new(connection, table, _with_model(plain, model)) == plain.height:
        return
    key = list(KEYS[table])
    stored = _with_keys(connection, table, plain, model)
    row_rules.check_same(where, table, stored, plain)
    refused = plain.join(stored, on=key, how="anti", nulls_equal=True)
    if refused.height:
        raise row_rules.place_taken(where, refused.select(row_rules.PLACE).row(0))


def _insert_new(connection: Connection, table: str, plain: pl.DataFrame) -> int:
    """Insert the rows whose key is new, and return how many there were."""
    if can_copy(connection, plain.height):
        return copy_new_rows(connection, TABLES[table], plain)
    inserted = connection.execute(
        insert_new(connection, TABLES[table]).on_conflict_do_nothing(),
        _hidden(connection, table, plain.to_dicts()),
        execution_options={"preserve_rowcount": True},
    )
    return inserted.rowcount


def read_rows(
    connection: Connection, where: str, table: str, dialogues: Sequence[str] | None, model: str | None
) -> pl.DataFrame:
    """Return a table in the order of appending, of all dialogues or of those named."""
    dim = None
    if model is not None:
        dim = row_rules.stored_dim(where, stored_models(connection), model, None)
    query, fields = query_of(table, model), known_fields(connection, table)
    if dialogues is None:
        plain = _fetched(connection, table, query, model)
        return pl.concat(decode(table, part.drop("seq"), fields, dim=dim) for part in plain)
    queries = [query.where(TABLES[table].c.dialogue_id.in_(some)) for some in batches(dialogues)]
    parts = [fetch(connection, table, each, seq=True, model=model) for each in queries or [query.limit(0)]]
    chosen = parts[0] if len(parts) == 1 else pl.concat(parts).sort("seq")
    return decode(table, chosen, fields, dim=dim)


def recent_rows(connection: Connection, dialogue: str, count: int) -> pl.DataFrame:
    """Return the newest turns of a dialogue, in order."""
    turns = TABLES["turns"]
    newest = query_of("turns", None).where(turns.c.dialogue_id == dialogue).order_by(None)
    plain = fetch(connection, "turns", newest.order_by(turns.c.position.desc()).limit(count))
    return decode("turns", plain.reverse(), {})


def stamp_of(connection: Connection, dialogue: str) -> str:
    """Return the order of the last turn that was added to a dialogue and the number of edits; "0:" begins none's."""
    turns = TABLES["turns"]
    last = select(func.max(turns.c.seq)).where(turns.c.dialogue_id == dialogue).scalar_subquery()
    edits = select(EDITS.c.edits).where(EDITS.c.dialogue_id == dialogue).scalar_subquery()
    return ":".join(str(part or 0) for part in connection.execute(select(last, edits)).one())


def id_of(connection: Connection) -> str:
    """Return what tells a database from every other one."""
    return str(connection.scalar(select(func.max(VERSION.c.store_id))))


def exchange_rows(
    connection: Connection, where: str, table: str, frame: pl.DataFrame, model: str | None
) -> pl.DataFrame:
    """Update the rows with these keys, and return what they were."""
    key = list(KEYS[table])
    dim = None
    if model is not None and frame.height:
        dim = row_rules.stored_dim(where, stored_models(connection), model, row_rules.dim_of(frame))
    fields = _note_fields(connection, table, frame) if frame.height else known_fields(connection, table)
    plain = encode(table, frame)
    stored = _with_keys(connection, table, plain, model, seq=True)
    before = plain.select(key).join(stored, on=key, how="left", nulls_equal=True, maintain_order="left")
    unknown = before.filter(pl.col("seq").is_null())
    if unknown.height:
        raise row_rules.not_there(where, table, unknown.select(key).row(0))
    numbers, before = before["seq"], before.select(plain.columns)
    if table == "turns":
        row_rules.check_places(before, plain)
    content = plain.drop(key)
    if plain.height and content.width:
        hidden = _hidden(connection, table, _with_model(plain, model).to_dicts())
        rows = [
            {"row": number, **{name: row[name] for name in content.columns}}
            for number, row in zip(numbers, hidden, strict=True)
        ]
        connection.execute(update(TABLES[table]).where(TABLES[table].c.seq == bindparam("row")), rows)
    if table == "turns":
        changed = row_rules.changed(before, plain)
        _mark_stale(connection, changed)
        _note_edits(connection, changed["dialogue_id"].unique().to_list())
    return decode(table, before, fields, dim=dim)


def replace_dialogues(
    connection: Connection,
    where: str,
    table: str,
    frame: pl.DataFrame,
    dialogues: Sequence[str],
    model: str | None,
) -> pl.DataFrame:
    """Delete what a table holds of these dialogues, append `frame`, and return what was deleted."""
    before = read_rows(connection, where, table, dialogues, model)
    target = TABLES[table]
    for some in batches(dialogues):
        chosen = delete(target).where(target.c.dialogue_id.in_(some))
        connection.execute(chosen if model is None else chosen.where(target.c.model == model))
    append_rows(connection, where, table, frame, model)
    return before


def numbered_rows(connection: Connection, table: str, model: str | None) -> pl.DataFrame:
    """Return a table as encoded rows with their number `seq`."""
    return fetch(connection, table, query_of(table, model), seq=True, model=model)


def stored_models(connection: Connection) -> dict[str, int]:
    """Return the models whose vectors are stored, and their dimensions."""
    return {row.model: row.dim for row in connection.execute(select(MODELS.c.model, MODELS.c.dim))}


def _note_model(connection: Connection, where: str, model: str, dim: int) -> None:
    models = stored_models(connection)
    row_rules.stored_dim(where, models, model, dim)
    if model not in models:
        connection.execute(insert(MODELS).values(model=model, dim=dim))


def known_fields(connection: Connection, table: str) -> Fields:
    """Return the further columns or fields that a table has had, and their types."""
    if open_column(table) is None:
        return {}
    query = select(FIELDS.c.field, FIELDS.c.kind).where(FIELDS.c.table == table).order_by(FIELDS.c.seq)
    return {row.field: row.kind for row in connection.execute(query)}


def _note_fields(connection: Connection, table: str, frame: pl.DataFrame) -> Fields:
    known = known_fields(connection, table)
    merged = merge_fields(table, known, fields_of(table, frame))
    fresh = [{"table": table, "field": name, "kind": merged[name]} for name in merged if name not in known]
    if fresh:
        connection.execute(insert(FIELDS), fresh)
    return merged


def query_of(table: str, model: str | None) -> Select[Any]:
    """Return the query of a table in the order of appending, with `seq` last."""
    target = TABLES[table]
    query = select(*(target.c[name] for name in plain_schema(table)), target.c.seq).order_by(target.c.seq)
    return query if model is None else query.where(target.c.model == model)


def fetch(
    connection: Connection, table: str, query: Select[Any], *, seq: bool = False, model: str | None = None
) -> pl.DataFrame:
    """Return the encoded rows of a query made of `query_of`, decrypted where they are encrypted."""
    frame = pl.concat(_fetched(connection, table, query, model))
    return frame if seq else frame.drop("seq")


def _fetched(
    connection: Connection, table: str, query: Select[Any], model: str | None
) -> Iterator[pl.DataFrame]:
    """Yield the encoded rows of a query with `seq`, `PART` at a time; one frame without rows where there are none."""
    cipher: Cipher | None = connection.get_execution_options().get("cipher")
    schema = {**plain_schema(table), "seq": pl.Int64}
    result = connection.execute(query)
    part = result.fetchmany(PART)
    while True:
        rows = [tuple(row) for row in part]
        if cipher is not None:
            rows = cipher.show(table, list(schema), rows, model)
        yield pl.DataFrame(rows, schema=schema, orient="row")
        if len(rows) < PART or not (part := result.fetchmany(PART)):
            return


def _with_keys(
    connection: Connection, table: str, plain: pl.DataFrame, model: str | None, *, seq: bool = False
) -> pl.DataFrame:
    # Rows that share the first column of the key with any of `plain`; a join narrows them down.
    first = KEYS[table][0]
    query = query_of(table, model)
    parts = [
        fetch(connection, table, query.where(TABLES[table].c[first].in_(some)), seq=seq, model=model)
        for some in batches(plain[first].unique(maintain_order=True).to_list())
    ]
    return pl.concat(parts) if parts else fetch(connection, table, query.limit(0), seq=seq)


def batches(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield values in as many parts as it takes to name them in queries."""
    for start in range(0, len(values), MOST_VALUES):
        yield values[start : start + MOST_VALUES]


def _with_model(plain: pl.DataFrame, model: str | None) -> pl.DataFrame:
    return plain if model is None else plain.with_columns(model=pl.lit(model))


def _hidden(connection: Connection, table: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows as they are written: encrypted where the database is."""
    cipher: Cipher | None = connection.get_execution_options().get("cipher")
    return rows if cipher is None else cipher.hide(table, rows)


def _note_edits(connection: Connection, dialogues: Sequence[str]) -> None:
    if dialogues:
        first = insert_new(connection, EDITS)
        counted = first.on_conflict_do_update(
            index_elements=["dialogue_id"], set_={"edits": EDITS.c.edits + 1}
        )
        connection.execute(counted, [{"dialogue_id": each, "edits": 1} for each in dialogues])


def _mark_stale(connection: Connection, turns: pl.DataFrame) -> None:
    if not turns.height:
        return
    spans, vectors = TABLES["checkpoints"], TABLES["vectors"]
    covers = and_(
        spans.c.dialogue_id == bindparam("dialogue"),
        spans.c.start <= bindparam("place"),
        spans.c.end >= bindparam("place"),
    )
    rows = [
        {"dialogue": dialogue, "place": place, "turn": turn}
        for dialogue, place, turn in turns.select("dialogue_id", "position", "turn_id").iter_rows()
    ]
    connection.execute(update(spans).where(covers).values(status="stale"), rows)
    stale = (
        vectors.c.item_id == bindparam("turn"),
        vectors.c.item_id.in_(select(spans.c.checkpoint_id).where(covers)),
        and_(vectors.c.dialogue_id == bindparam("dialogue"), vectors.c.item_kind == "round"),
    )
    for condition in stale:
        connection.execute(delete(vectors).where(condition), rows)
