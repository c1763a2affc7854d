"""Types of columns that engines keep differently: text, doubles and vectors come back as they were from each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sqlalchemy import BigInteger, Integer, LargeBinary, Text, func
from sqlalchemy.engine import Dialect
from sqlalchemy.sql import ColumnElement
from sqlalchemy.types import TypeDecorator, TypeEngine, UserDefinedType

from hydralab.optional import load_optional

__all__ = ["COUNTER", "VECTOR", "AnyText", "Float", "PgVector"]

Processor = Callable[[Any], Any] | None

HEADER = 4
"""Bytes before the numbers of a vector as pgvector sends it: its dimension and two unused bytes."""

ESCAPE, NUL = "\ue000", "\x00"
"""PostgreSQL takes no NUL in a text; it is sent as a private-use character, itself doubled where it occurs."""

COUNTER = BigInteger().with_variant(Integer(), "sqlite")
"""A primary key that counts by itself; SQLite counts plain integers only."""


class AnyText(TypeDecorator[str]):
    """Text with any character, NUL included."""

    impl = Text
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Processor:
        """Return what makes a value ready to be sent."""
        return _without_nul if dialect.name == "postgresql" else None

    def result_processor(self, dialect: Dialect, coltype: object) -> Processor:
        """Return what makes a value that was sent what it was."""
        return _with_nul if dialect.name == "postgresql" else None


class Float(UserDefinedType[float]):
    """A double; NaN, which SQLite turns into null, travels there as text."""

    cache_ok = True

    def get_col_spec(self, **options: Any) -> str:
        """Return the type's name in SQL."""
        return "DOUBLE PRECISION"

    def bind_processor(self, dialect: Dialect) -> Processor:
        """Return what makes a value ready to be sent."""
        return _nan_to_text if dialect.name == "sqlite" else None

    def result_processor(self, dialect: Dialect, coltype: object) -> Processor:
        """Return what makes a value that was sent a float again."""
        return _to_float if dialect.name == "sqlite" else None


class PgVector(UserDefinedType[bytes]):
    """A vector of pgvector, of any dimension; in Python the bytes of its float32, little-endian."""

    cache_ok = True

    def get_col_spec(self, **options: Any) -> str:
        """Return the type's name in SQL."""
        return "vector"

    def column_expression(self, column: ColumnElement[bytes]) -> ColumnElement[bytes]:
        """Read the bytes that pgvector sends, which hold every float exactly."""
        return func.vector_send(column, type_=self)

    def bind_processor(self, dialect: Dialect) -> Processor:
        """Return what makes a value ready to be sent."""
        vector = load_optional("pgvector", extra="stores", purpose="PostgresStore").Vector
        return lambda value: value if value is None else vector(np.frombuffer(value, "<f4"))

    def result_processor(self, dialect: Dialect, coltype: object) -> Processor:
        """Return what makes a value that was sent bytes again."""
        return _from_pgvector


VECTOR: TypeEngine[bytes] = LargeBinary().with_variant(PgVector(), "postgresql")
"""Float32, little-endian; on PostgreSQL the `vector` of pgvector, so that SQL can compare them."""


def _without_nul(text: str | None) -> str | None:
    if text is None or (NUL not in text and ESCAPE not in text):
        return text
    return text.replace(ESCAPE, 2 * ESCAPE).replace(NUL, f"{ESCAPE}0")


def _with_nul(text: str | None) -> str | None:
    if text is None or ESCAPE not in text:
        return text
    parts = text.split(2 * ESCAPE)
    return ESCAPE.join(part.replace(f"{ESCAPE}0", NUL) for part in parts)


def _nan_to_text(value: float | None) -> float | str | None:
    return "nan" if value is not None and value != value else value


def _to_float(value: float | str | None) -> float | None:
    return None if value is None else float(value)


def _from_pgvector(sent: bytes | None) -> bytes | None:
    return None if sent is None else np.frombuffer(sent, ">f4", offset=HEADER).astype("<f4").tobytes()
