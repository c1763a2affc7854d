"""What a chat with a memory takes beside its model: recall, packing and a durable store, after many turns."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time

import numpy as np
import polars as pl

from hydralab.agent import Agent
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.benchmarks.speed import long_dialogue
from hydralab.encoders import get_encoder, vectors_table
from hydralab.frames import build
from hydralab.llms import Scripted
from hydralab.recall import Recall
from hydralab.stores import SqliteStore
from hydralab.strategies import ExplicitMemory, Hydration, SlidingWindow, Strategy
from hydralab.triggers import default_trigger, find_boundaries

__all__ = ["measure_agent"]

BUDGET = 2_000
BAR = 30.0
STRATEGIES: tuple[Strategy, ...] = (Hydration(), SlidingWindow(), ExplicitMemory())
REPLY = "Noted; let us come back to that."


def measure_agent(*, turns: int = 10_000, chats: int = 120) -> pl.DataFrame:
    """Measure how long a chat takes whose model answers at once, on an SQLite file that is durable at each write.

    Parameters
    ----------
    turns
        So many turns the store holds already.
    chats
        Chats to measure, of questions that differ. The next one is said when the background is done.

    Returns
    -------
    DataFrame
        strategy, what, value (milliseconds), bar (null where none is promised).
    """
    rows: list[tuple[str, str, float, float | None]] = []
    for strategy in STRATEGIES:
        spent, busy, steps = _chats(strategy, turns, chats)
        bar = BAR if strategy.name == "hydration" else None
        rows += [
            (strategy.name, "a chat without its model, median", float(np.median(spent)), bar),
            (strategy.name, "the same, 95th percentile", float(np.quantile(spent, 0.95)), None),
            (strategy.name, "processor time of the chat's thread, median", float(np.median(busy)), None),
            (strategy.name, "of these: recall, median", _median(steps, "recall"), None),
            (strategy.name, "of these: pack, median", _median(steps, "pack"), None),
        ]
    return pl.DataFrame(rows, schema=["strategy", "what", "value", "bar"], orient="row")


def _chats(strategy: Strategy, turns: int, chats: int) -> tuple[list[float], list[float], pl.DataFrame]:
    asked = _questions(chats + 1)
    with TemporaryDirectory() as folder, SqliteStore(Path(folder) / "chat.db") as store:
        _fill(store, turns)
        agent = Agent(Scripted(lambda _: REPLY), strategy, store=store, dialogue="long", budget=BUDGET)
        spent, busy = [], []
        for number, question in enumerate(asked):
            started, worked = perf_counter(), thread_time()
            agent.chat(question)
            if number:  # the first one loads what is loaded once
                spent.append((perf_counter() - started) * 1e3)
                busy.append((thread_time() - worked) * 1e3)
            agent.drain()
        return spent, busy, agent.steps.tail(chats)


def _fill(store: SqliteStore, turns: int) -> None:
    frame, vectors = long_dialogue(turns)
    encoder = get_encoder("use")
    boundaries = find_boundaries(default_trigger(), frame, vectors, closed=False)
    with store.transaction():
        store.append("boundaries", boundaries)
        store.append("checkpoints", _checkpoints(frame, boundaries))
        store.append("dialogues", build("dialogues", [{"dialogue_id": "long", "title": "long"}]))
        store.append("turns", frame)
        store.append(
            "vectors",
            vectors_table(frame, encoder, vectors=vectors),
            model=getattr(encoder, "cache_key", None),
        )


def _checkpoints(turns: pl.DataFrame, boundaries: pl.DataFrame) -> pl.DataFrame:
    """Return a checkpoint a span that tells its first words: how well it tells is of no matter here."""
    ends = boundaries["position"].to_list()
    texts, names = turns["text"].to_list(), turns["turn_id"].to_list()
    rows = [
        {
            "checkpoint_id": f"long#{start}-{end - 1}",
            "dialogue_id": "long",
            "kind": "topic",
            "start": start,
            "end": end - 1,
            "start_turn_id": names[start],
            "end_turn_id": names[end - 1],
            "title": texts[start][:40],
            "summary": " ".join(text[:60] for text in texts[start : start + 3]),
            "tokens": 60,
            "decided_at": decided,
            "ready_at": decided,
            "status": "ready",
        }
        for start, end, decided in zip([0, *ends], ends, boundaries["decided_at"], strict=False)
    ]
    return build("checkpoints", rows)


def _questions(count: int) -> list[str]:
    """Return what users say in the bundled dialogues, each with another number, so that nothing is encoded before."""
    frame, _ = long_dialogue(2_000)
    said = frame.filter(pl.col("role") == "user")["text"]
    return [f"{said[row % said.len()]} ({row + 1:,})" for row in range(count)]


def _median(steps: pl.DataFrame, stage: str) -> float:
    return float(steps["milliseconds"].struct.field(stage).median() or 0.0)  # type: ignore[arg-type]


BENCHES.add(
    "agent",
    Bench(
        measure_agent,
        lambda: {"trigger": default_trigger(), "recall": Recall(), "strategies": STRATEGIES},
        "what a chat with a memory takes beside its model",
    ),
)
