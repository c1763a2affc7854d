"""Rows to hold a store to its promises with, and what tells that one is broken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import numpy as np
import polars as pl

from hydralab.errors import HydralabError
from hydralab.frames import build, vectors_schema

__all__ = ["NOON", "checkpoint_of", "expect", "expect_equal", "refused", "turns_of", "vectors_of"]

TEXTS = ("我们要开一场新品发布会", 'line\nbreak\tand "quotes"', "", "🙂 naïve \u202eright to left", "40 万")
NOON = datetime(2025, 5, 7, 12, tzinfo=UTC)


def turns_of(dialogue: str) -> pl.DataFrame:
    """Return five turns of a dialogue."""
    return build(
        "turns",
        [
            {
                "dialogue_id": dialogue,
                "turn_id": f"{dialogue}:{i}",
                "position": i,
                "round": i // 2,
                "role": "user" if i % 2 == 0 else "assistant",
                "text": text,
                "tokens": len(text),
                "time": NOON + timedelta(microseconds=i),
                "meta": None if i else '{"zone": "+08:00"}',
            }
            for i, text in enumerate(TEXTS)
        ],
    )


def checkpoint_of(dialogue: str) -> pl.DataFrame:
    """Return a checkpoint of its first four turns."""
    return build(
        "checkpoints",
        [
            {
                "checkpoint_id": f"{dialogue}#0-3",
                "dialogue_id": dialogue,
                "start": 0,
                "end": 3,
                "status": "ready",
                "score": 0.1 + 0.2,
                "keywords": ["预算", "launch"],
                "decisions": [],
                "time": NOON,
                "entities": [{"type": "money", "text": "40 万"}, {"type": "place", "text": None}],
            }
        ],
    )


def vectors_of(dialogue: str, names: list[str], dim: int = 3) -> pl.DataFrame:
    """Return vectors of items of a dialogue, each another one."""
    values = np.linspace(-1, 1, len(names) * dim, dtype=np.float32).reshape(-1, dim)
    rows = {
        "item_id": names,
        "item_kind": ["round" if name.endswith(":round") else "turn" for name in names],
        "dialogue_id": [dialogue] * len(names),
        "source_hash": [None] * len(names),
        "vector": values,
    }
    return pl.DataFrame(rows, schema=vectors_schema(dim))


def expect(held: bool, detail: str) -> None:
    """Raise AssertionError where something does not hold."""
    if not held:
        raise AssertionError(detail)


def expect_equal(found: pl.DataFrame, expected: pl.DataFrame) -> None:
    """Raise AssertionError where two tables differ in a column, a type or a value."""
    expect(found.columns == expected.columns, f"columns {found.columns}, expected {expected.columns}")
    expect(found.height == expected.height, f"{found.height} rows, expected {expected.height}")
    for name, kind in expected.schema.items():
        expect(found.schema[name] == kind, f"column {name!r} is {found.schema[name]}, expected {kind}")
        expect(found[name].equals(expected[name]), f"column {name!r} holds {found[name].head(5).to_list()}")


@contextmanager
def refused(word: str) -> Iterator[None]:
    """Raise AssertionError where no error is raised that names a word."""
    try:
        yield
    except HydralabError as error:
        expect(word in str(error), f"the error {error} does not name {word!r}")
    else:
        raise AssertionError(f"no error that names {word!r}")
