"""Tables with only what a metric looks at."""

import polars as pl
import pytest

from hydralab.frames import build


@pytest.fixture
def dialogue():
    """Return a function that makes the turns of one dialogue."""

    def make(dialogue_id="a", texts=("",) * 8):
        return build(
            "turns",
            [
                {
                    "dialogue_id": dialogue_id,
                    "turn_id": f"{dialogue_id}:{i}",
                    "position": i,
                    "round": i // 2,
                    "role": "user" if i % 2 == 0 else "assistant",
                    "text": text,
                    "tokens": len(text),
                }
                for i, text in enumerate(texts)
            ],
        )

    return make


@pytest.fixture
def marks():
    """Return a function that makes boundaries (or gold) from {dialogue: positions}."""

    def make(table, by_dialogue, **columns):
        named = {"trigger": "t"} if table == "boundaries" else {}
        rows = [
            {"dialogue_id": name, "position": position, **named, **columns}
            for name, positions in by_dialogue.items()
            for position in positions
        ]
        return build(table, rows)

    return make


@pytest.fixture
def item():
    """Return a function that makes one row of a context table."""

    def make(text, sources, **columns):
        return build(
            "context",
            [
                {
                    "query_id": "q",
                    "section": "recalled",
                    "order": 0,
                    "tokens": 1,
                    "kept": True,
                    "text": text,
                    "source_turn_ids": list(sources),
                    **columns,
                }
            ],
        )

    return make


@pytest.fixture
def context():
    """Return a function that joins rows of context into one table."""

    def join(*rows):
        numbered = [row.with_columns(pl.lit(i, dtype=pl.Int64).alias("order")) for i, row in enumerate(rows)]
        return pl.concat(numbered)

    return join
