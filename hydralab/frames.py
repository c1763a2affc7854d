"""Every stage of hydralab is a table. This module declares them and checks them.

`SCHEMAS` names the columns and types, `KEYS` what identifies a row. A table that passes `validate`
can be handed to any stage; one that doesn't is refused with the table, column, row and what was
expected. Empty tables are valid everywhere.

>>> validate("gold", empty("gold")).height
0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from functools import cache
from typing import Any

import polars as pl

from hydralab.errors import FrameError, brief, known_names
from hydralab.schemas import (
    KEYS,
    OPEN_TABLES,
    REQUIRED,
    ROLES,
    SCHEMAS,
    SECTIONS,
    SORTED_TABLES,
    VALUES,
    Schema,
)

__all__ = [
    "KEYS",
    "ROLES",
    "SCHEMAS",
    "SECTIONS",
    "Corpus",
    "build",
    "check_table",
    "content_columns",
    "empty",
    "event",
    "number_rounds",
    "validate",
    "vectors_schema",
]

MULTI_SPEAKER_ROUND = 8
MAY_BE_NULL = frozenset({("gold", "annotator")})
SEVERAL_A_POSITION = frozenset({"boundaries", "gold"})
"""Tables that may hold several rows a position: of several triggers, of several annotators."""

Row = Mapping[str, Any]
Fault = tuple[pl.Expr, str, Callable[[Row], str]]


def empty(table: str) -> pl.DataFrame:
    """Return the named table without rows.

    >>> empty("gold").columns
    ['dialogue_id', 'position', 'annotator']
    """
    return _empty(table).clone()


@cache
def _empty(table: str) -> pl.DataFrame:
    return pl.DataFrame(schema={name: _stored(kind) for name, kind in _schema(table).items()})


def vectors_schema(dim: int) -> dict[str, Any]:
    """Return the schema of a vectors table of one dimension.

    >>> vectors_schema(512)["vector"]
    Array(Float32, shape=(512,))
    """
    return {**SCHEMAS["vectors"], "vector": pl.Array(pl.Float32, dim)}


def build(table: str, rows: Iterable[Mapping[str, Any]] | pl.DataFrame) -> pl.DataFrame:
    """Make a valid table from rows that name some of its columns; the others are null.

    >>> build("gold", [{"dialogue_id": "a", "position": 4}])["annotator"].to_list()
    [None]
    """
    schema = {name: _stored(kind) for name, kind in _schema(table).items()}
    if isinstance(rows, pl.DataFrame):
        missing = [
            pl.lit(None, dtype=kind).alias(name) for name, kind in schema.items() if name not in rows.columns
        ]
        return validate(table, rows.with_columns(missing))
    listed = _listed(table, rows)
    if not listed:
        return empty(table)
    given = dict.fromkeys(name for row in listed for name in row)
    kinds = {
        name: kind
        for name, kind in schema.items()
        if name not in given or SCHEMAS[table][name] not in (pl.Struct, pl.Array)
    }
    further = [name for name in given if name not in schema]
    if table in OPEN_TABLES:
        kinds |= dict.fromkeys(further, pl.Float64)
    # All columns are named in the first row: that orders them, and none is to be added to the frame.
    first = {**dict.fromkeys([*schema, *further]), **listed[0]}
    return validate(table, _frame_of(table, [first, *listed[1:]], kinds))


def _listed(table: str, rows: Any) -> list[Row]:
    listed = list(rows) if isinstance(rows, Iterable) else [rows]
    for row in listed:
        if not isinstance(row, Mapping):
            raise FrameError(f"{table}: got {brief(row)}, expected rows that name columns, or a DataFrame")
    return listed


def _frame_of(table: str, rows: list[Row], overrides: dict[str, Any]) -> pl.DataFrame:
    try:
        return pl.from_dicts(rows, schema_overrides=overrides, infer_schema_length=None)
    except (OverflowError, TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise FrameError(f"{table}: a row holds what its columns can't: {error}") from error


def content_columns(table: str) -> list[str]:
    """Return the columns of a table that are no part of its key."""
    return [name for name in _schema(table) if name not in KEYS[table]]


def validate(table: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Return `frame` with its columns in schema order, or raise the first thing wrong with it.

    Parameters
    ----------
    table
        One of `SCHEMAS`.
    frame
        The table to check. A column of type Null (all values unknown) takes the declared type.

    Raises
    ------
    FrameError
        With table, column, row and what was expected: a missing or unknown column, a wrong type, a
        null or duplicate key, positions that don't rise within a dialogue, turns of a dialogue that stand
        apart, a word outside the list.

    >>> import polars as pl
    >>> validate("gold", pl.DataFrame({"dialogue_id": ["a"], "position": ["4"], "annotator": ["x"]}))
    Traceback (most recent call last):
    ...
    hydralab.errors.FrameError: gold: column 'position' is String, expected Int64
    """
    schema = _schema(table)
    check_table(table, frame)
    _check_names(table, frame)
    given = frame.schema
    unknown = [pl.col(name).cast(_stored(kind)) for name, kind in schema.items() if given[name] == pl.Null]
    frame = frame.with_columns(unknown) if unknown else frame
    ordered = [*schema, *(name for name in given if name not in schema)]
    frame = frame.select(ordered) if ordered != frame.columns else frame
    for name, kind in schema.items():
        _check_type(table, name, given[name] if given[name] != pl.Null else _stored(kind), kind)
    if frame.height:
        _check_rows(table, frame)
    return frame


def check_table(table: str, frame: Any) -> None:
    """Refuse what is no data frame with the columns of a table, whatever else and whatever rows it holds.

    Raises
    ------
    FrameError
        Names the table, and the column that is missing.

    >>> check_table("gold", [])
    Traceback (most recent call last):
    ...
    hydralab.errors.FrameError: gold: expected a polars DataFrame, got list
    """
    if not isinstance(frame, pl.DataFrame):
        raise FrameError(f"{table}: expected a polars DataFrame, got {type(frame).__name__}")
    schema = _schema(table)
    for name in schema:
        if name not in frame.columns:
            raise FrameError(f"{table}: column {name!r} is missing; expected {', '.join(schema)}")


def event(
    stage: str,
    status: str,
    *,
    detail: str = "",
    dialogue_id: str | None = None,
    item_id: str | None = None,
    milliseconds: float | None = None,
) -> dict[str, Any]:
    """Return one row of the events table, stamped now.

    >>> event("read", "failed", detail="line 3: no role")["status"]
    'failed'
    """
    return {
        "time": datetime.now(UTC),
        "stage": stage,
        "dialogue_id": dialogue_id,
        "item_id": item_id,
        "status": status,
        "detail": detail,
        "milliseconds": milliseconds,
    }


def number_rounds(roles: Sequence[str], speakers: Sequence[str | None]) -> list[int]:
    """Number the rounds of one dialogue.

    A round is a user message with what follows until the next one; round 0 takes what precedes the
    first. Where people talk without an assistant, it lasts until the same person speaks again, and
    has at most 8 turns.

    Parameters
    ----------
    roles, speakers
        One entry a turn, in order.

    Returns
    -------
    list of int
        The round of each turn, rising from 0.

    >>> number_rounds(["system", "user", "assistant", "user"], [None] * 4)
    [0, 0, 0, 1]
    >>> number_rounds(["user"] * 4, ["ann", "bob", "cem", "ann"])
    [0, 0, 0, 1]
    """
    people_only = "assistant" not in roles
    rounds: list[int] = []
    current, opener, size, opened = 0, None, 0, False
    for role, speaker in zip(roles, speakers, strict=True):
        again = not people_only or speaker == opener or size >= MULTI_SPEAKER_ROUND
        if role == "user" and (not opened or again):
            current, opener, size, opened = current + opened, speaker, 0, True
        size += 1
        rounds.append(current)
    return rounds


@dataclass(frozen=True)
class Corpus:
    """Dialogues with their turns, questions, gold boundaries, and what happened while reading them."""

    dialogues: pl.DataFrame = field(default_factory=lambda: empty("dialogues"))
    turns: pl.DataFrame = field(default_factory=lambda: empty("turns"))
    questions: pl.DataFrame = field(default_factory=lambda: empty("questions"))
    gold: pl.DataFrame = field(default_factory=lambda: empty("gold"))
    events: pl.DataFrame = field(default_factory=lambda: empty("events"))

    def __post_init__(self) -> None:
        """Check each table."""
        for part in fields(self):
            validate(part.name, getattr(self, part.name))
        known = self.dialogues["dialogue_id"]
        for table in ("turns", "questions", "gold"):
            names = getattr(self, table)["dialogue_id"]
            lost = (~names.is_in(known.implode())).arg_true()
            if len(lost):
                raise FrameError(
                    f"{table}: row {lost[0]}: dialogue {names[lost[0]]!r} is not in the table dialogues"
                )

    def select(self, *dialogue_ids: str) -> Corpus:
        """Return the corpus of these dialogues alone.

        >>> Corpus().select().turns.height
        0
        """
        known = self.dialogues["dialogue_id"].to_list()
        for given in dialogue_ids:
            if given not in known:
                nearest = ", ".join(repr(name) for name in known_names(given, known)[:5])
                raise FrameError(f"dialogues: no dialogue {given!r}; nearest: {nearest or 'none'}")
        chosen = pl.col("dialogue_id").is_in(dialogue_ids)
        return Corpus(**{part.name: getattr(self, part.name).filter(chosen) for part in fields(self)})

    def __repr__(self) -> str:
        return (
            f"Corpus({self.dialogues.height} dialogues, {self.turns.height} turns, "
            f"{self.questions.height} questions, {self.gold.height} gold boundaries, {self.events.height} events)"
        )


def _schema(table: str) -> Schema:
    if table not in SCHEMAS:
        nearest = ", ".join(repr(name) for name in known_names(table, SCHEMAS))
        raise FrameError(f"unknown table {table!r}; known: {nearest}")
    return SCHEMAS[table]


def _stored(kind: Any) -> Any:
    if kind is pl.Struct:
        return pl.Struct({"score": pl.Float64})
    if kind is pl.Array:
        return pl.Array(pl.Float32, 1)
    return kind


def _check_names(table: str, frame: pl.DataFrame) -> None:
    schema = _schema(table)
    for name in frame.columns:
        if name in schema or table in OPEN_TABLES:
            continue
        raise FrameError(f"{table}: unknown column {name!r}; nearest: {known_names(name, schema)[0]!r}")


def _check_type(table: str, name: str, given: pl.DataType, declared: Any) -> None:
    if declared is pl.Array:
        fits = isinstance(given, pl.Array) and given.inner == pl.Float32
        declared = "Array(Float32, dim)"
    elif declared is pl.Struct:
        fits = isinstance(given, pl.Struct)
        declared = "Struct"
    elif isinstance(given, pl.List) and given.inner == pl.Null:
        fits = isinstance(declared, pl.List)
    else:
        fits = given == declared
    if not fits:
        expected = getattr(declared, "__name__", None) or str(declared)
        raise FrameError(f"{table}: column {name!r} is {given}, expected {expected}")


def _check_rows(table: str, frame: pl.DataFrame) -> None:
    several = frame.height > 1
    # One pass over the table; which row it is, is looked for only when there is one.
    found = frame.select(_any_faults(table, several=several))
    for has_fault, (condition, name, tell) in zip(found.row(0), _faults(table, several=several), strict=True):
        if has_fault:
            row = int(frame.select(condition.fill_null(False).arg_true().first()).item())
            raise FrameError(f"{table}: column {name!r}, row {row}: {tell(frame.row(row, named=True))}")


@cache
def _any_faults(table: str, *, several: bool) -> list[pl.Expr]:
    """Return whether any row has each of the faults, a column each."""
    faults = _faults(table, several=several)
    return [condition.any().alias(str(number)) for number, (condition, *_) in enumerate(faults)]


@cache
def _faults(table: str, *, several: bool) -> list[Fault]:
    """Return what can be wrong with the rows of a table, or with a row alone: (condition, column, what to say)."""
    filled = [name for name in (*KEYS[table], *REQUIRED.get(table, ())) if (table, name) not in MAY_BE_NULL]
    faults: list[Fault] = [
        (pl.col(name).is_null(), name, lambda _: "null, expected a value") for name in filled
    ]
    if several:
        faults += _faults_between(table)
    if table in SORTED_TABLES:
        faults.append((pl.col("position") < 0, "position", _tell_order))
    for (of, name), words in VALUES.items():
        if of == table:
            faults.append((~pl.col(name).is_in(words), name, _tell_words(name, words)))
    if table == "checkpoints":
        faults.append((pl.col("end") < pl.col("start"), "end", _tell_span))
    return faults


def _faults_between(table: str) -> list[Fault]:
    """Return what can be wrong with a row beside the others."""
    faults: list[Fault] = []
    key = KEYS[table]
    if key:
        repeated = pl.struct(key).is_duplicated() if len(key) > 1 else pl.col(key[0]).is_duplicated()
        faults.append(
            (
                repeated,
                "+".join(key),
                lambda row: f"{_named(row, key)!r} stands more than once, expected unique",
            )
        )
    if table in SORTED_TABLES:
        step = pl.col("position").diff().over("dialogue_id")
        falls = step < 0 if table in SEVERAL_A_POSITION else step <= 0
        faults.append((falls.fill_null(False), "position", _tell_order))
    if table == "turns":
        owner = pl.col("dialogue_id")
        again = owner.ne_missing(owner.shift()) & ~owner.is_first_distinct()
        faults.append((again, "dialogue_id", _tell_apart))
    return faults


def _named(row: Row, key: Sequence[str]) -> str:
    return ", ".join(str(row[name]) for name in key)


def _tell_order(row: Row) -> str:
    return f"{row['position']}, expected positions from 0 that rise within dialogue {row['dialogue_id']!r}"


def _tell_apart(row: Row) -> str:
    return f"dialogue {row['dialogue_id']!r} goes on after another, expected its rows in one piece"


def _tell_words(name: str, words: Sequence[str]) -> Callable[[Row], str]:
    return lambda row: f"{row[name]!r}, expected one of {', '.join(words)}"


def _tell_span(row: Row) -> str:
    return f"{row['end']}, expected at least start {row['start']}"
