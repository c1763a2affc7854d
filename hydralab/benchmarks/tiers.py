"""What a message takes that is served from the tiers alone, by the length of its dialogue. `hydralab bench tiers`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.agent import TieredDialogue
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.benchmarks.speed import long_dialogue
from hydralab.core.cosine import unit_rows
from hydralab.encoders import Encoder, embed, get_encoder, vectors_table
from hydralab.encoders.memory_only import OffDisk
from hydralab.errors import check_value, unknown_name
from hydralab.frames import build
from hydralab.llms import Scripted
from hydralab.recall.items import checkpoint_text
from hydralab.stores import Store, open_store
from hydralab.stores.servers import fresh_schema, postgres_server, redis_server
from hydralab.strategies import ThreeTier
from hydralab.strategies.summaries import Told, summary_row
from hydralab.texts import tokenizer

__all__ = ["ENGINES", "measure_tiers"]

ENGINES = ("sqlite", "postgresql", "redis+postgresql")
LENGTHS = (1_000, 10_000, 50_000)
BATCH = 5_000
BUDGET = 2_000
REPLY = "Noted; let us come back to that."


def measure_tiers(
    methods: Sequence[str] = ENGINES, *, turns: int | None = None, limit: int = 15
) -> pl.DataFrame:
    """Fill a dialogue, then serve messages of it, each by objects that know nothing of it, as a new process would.

    The encoder is loaded, and the model answers at once. The dialogue has the turns of the bundled ones over and over
    with their real vectors; a summary tells the first words of each five turns.

    Parameters
    ----------
    methods
        Some of `ENGINES`.
    turns
        Length of the dialogue; `LENGTHS` when None.
    limit
        Messages to measure; medians are given.

    Returns
    -------
    DataFrame
        engine, turns, what, value, unit.
    """
    check_value("bench tiers: turns", turns, "int | None", least=20)
    check_value("bench tiers: limit", limit, "int", least=1)
    rows: list[tuple[object, ...]] = []
    for engine in methods:
        if engine not in ENGINES:
            raise unknown_name("engine", engine, ENGINES)
        for length in LENGTHS if turns is None else (turns,):
            with _engine(engine) as url:
                rows += [(engine, length, *row) for row in _measure(url, length, limit)]
    return pl.DataFrame(rows, schema=["engine", "turns", "what", "value", "unit"], orient="row")


@contextmanager
def _engine(name: str) -> Iterator[str]:
    """Yield the URL of a new store."""
    if name == "sqlite":
        with tempfile.TemporaryDirectory(prefix="hydralab-tiers-") as folder:
            yield f"sqlite:///{folder}/lab.db"
        return
    with postgres_server() as server, fresh_schema(server) as url:
        if name == "postgresql":
            yield url
            return
        with redis_server() as window:
            yield f"{window.url}?expiry=3600+{url}"


def _measure(url: str, length: int, limit: int) -> Iterator[tuple[object, ...]]:
    encoder = OffDisk(get_encoder("use"))
    frame, vectors = long_dialogue(length)
    with open_store(url) as store:
        _fill(store, frame, vectors, encoder)
    asked = _questions(frame, limit + 1)
    spent: dict[str, list[float]] = {}
    for question in asked:
        for what, seconds in _serve(url, question, encoder).items():
            spent.setdefault(what, []).append(1e3 * seconds)
    for what, times in spent.items():  # the first loads what is loaded once
        yield what, round(median(times[1:]), 1), "ms"


def _serve(url: str, question: str, encoder: Encoder) -> dict[str, float]:
    """Serve one message, and return how long each step took."""
    marks = [perf_counter()]
    with open_store(url) as store:
        dialogue = TieredDialogue(store, "long", encoder=encoder)
        marks.append(perf_counter())
        dialogue.chat(Scripted([REPLY]), question, budget=BUDGET)
        marks.append(perf_counter())
        dialogue.context(question, budget=BUDGET)
        marks.append(perf_counter())
        query = embed([question], encoder, kind="query").vectors[0]
        recall, model = dialogue.strategy.recall, _model(encoder)
        store.nearest(query, recall.turns + 1, model=model, kind="turn", dialogue_id="long")
        store.nearest(query, recall.checkpoints, model=model, kind="checkpoint", dialogue_id="long")
        marks.append(perf_counter())
        store.recent("long", dialogue.strategy.window)
        marks.append(perf_counter())
    names = (
        "open the store and the dialogue",
        "a message without its model: two turns stored, prompt made, summary where due",
        "of these: the prompt",
        "of the prompt: nearest turns and summaries",
        "of the prompt: the short window",
    )
    return {name: end - start for name, (start, end) in zip(names, pairwise(marks), strict=True)}


def _fill(store: Store, frame: pl.DataFrame, vectors: NDArray[np.float32], encoder: Encoder) -> None:
    model = _model(encoder)
    store.append("dialogues", build("dialogues", [{"dialogue_id": "long", "title": "long"}]))
    step, counter = ThreeTier().summary_turns, tokenizer()
    for start in range(0, frame.height, BATCH):
        turns, own = frame[start : start + BATCH], vectors[start : start + BATCH]
        spans = [turns[at : at + step] for at in range(0, turns.height, step)]
        made = pl.concat(
            summary_row(
                span,
                Told(" ".join(text[:60] for text in span["text"]), build("events", [])),
                trigger=ThreeTier.name,
                at=int(span["position"][-1]),
                tokenizer=counter,
            )
            for span in spans
        )
        middles = unit_rows(np.stack([own[at : at + step].sum(axis=0) for at in range(0, len(own), step)]))
        keys = pl.Series("key_text", [checkpoint_text(row) for row in made.iter_rows(named=True)])
        told = vectors_table(
            made.with_columns(keys),
            encoder,
            vectors=middles,
            kind="checkpoint",
            id_column="checkpoint_id",
            text_column="key_text",
        )
        with store.transaction():
            store.append("turns", turns)
            store.append("checkpoints", made)
            store.append("vectors", vectors_table(turns, encoder, vectors=own), model=model)
            store.append("vectors", told, model=model)


def _model(encoder: Encoder) -> str:
    return str(encoder.cache_key)  # type: ignore[attr-defined]


def _questions(frame: pl.DataFrame, count: int) -> list[str]:
    """Return what users say in the dialogue, each with a number of its own."""
    said = frame.filter(pl.col("role") == "user")["text"]
    return [f"{said[row % said.len()]} ({row + 1:,})" for row in range(count)]


def _defaults() -> dict[str, Any]:
    return {"strategy": ThreeTier(), "budget": BUDGET}


BENCHES.add(
    "tiers", Bench(measure_tiers, _defaults, "a message served from the three tiers alone, by length")
)
