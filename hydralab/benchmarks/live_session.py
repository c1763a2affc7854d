"""A dialogue that is written as it goes on, with work in the background: what the benchmarks of stores run.

It imports stores and index alone, so that a process of it starts quickly. What each row holds follows from its
id, so whoever reads it can tell whether it is whole.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy as np
import polars as pl

from hydralab.frames import build, vectors_schema
from hydralab.index.choosing import open_index
from hydralab.stores.database import ConnectionLostError
from hydralab.stores.opening import open_store
from hydralab.stores.protocol import Store

__all__ = ["DIM", "MODEL", "SPAN", "index_folder", "run_session", "span_rows", "turn_row", "vector_rows"]

MODEL = "live"
DIM = 16
SPAN = 4
"""Turns a checkpoint."""

Acknowledge = Callable[[str, int], Any]
"""(what, its number) → anything; called once a write has returned."""


def turn_row(dialogue: str, position: int) -> pl.DataFrame:
    """Return a turn: its text follows from its place."""
    role = "user" if position % 2 == 0 else "assistant"
    row = {
        "dialogue_id": dialogue,
        "turn_id": f"{dialogue}:{position}",
        "position": position,
        "round": position // 2,
        "role": role,
        "text": f"{role} 第 {position} 句 of {dialogue} " * 20,
        "tokens": 200,
    }
    return build("turns", [row])


def span_rows(dialogue: str, number: int) -> dict[str, pl.DataFrame]:
    """Return a checkpoint and a fact of it, which are written together."""
    start, end = number * SPAN, number * SPAN + SPAN - 1
    span = {
        "checkpoint_id": f"{dialogue}#{start}-{end}",
        "dialogue_id": dialogue,
        "start": start,
        "end": end,
        "status": "ready",
        "summary": f"turns {start} to {end} of {dialogue}",
        "keywords": [dialogue, str(number)],
    }
    fact = {
        "memory_id": f"{dialogue}!{number}",
        "dialogue_id": dialogue,
        "text": f"fact {number} of {dialogue}",
        "source_turn_ids": [f"{dialogue}:{start}"],
    }
    return {"checkpoints": build("checkpoints", [span]), "memories": build("memories", [fact])}


def vector_rows(dialogue: str, first: int, last: int) -> pl.DataFrame:
    """Return the vectors of the turns from `first` to before `last`: float32 (n, DIM), each another."""
    places = np.arange(first, last)
    seed = np.frombuffer(dialogue.encode(), np.uint8).sum(dtype=np.int64)
    angles = (1.0 + places[:, None]) * np.sqrt(np.arange(2.0, DIM + 2.0))[None, :] + seed
    rows = {
        "item_id": [f"{dialogue}:{place}" for place in places],
        "item_kind": ["turn"] * len(places),
        "dialogue_id": [dialogue] * len(places),
        "source_hash": [None] * len(places),
        "vector": np.cos(angles).astype(np.float32),
    }
    return pl.DataFrame(rows, schema=vectors_schema(DIM))


def index_folder(folder: str | Path, dialogue: str) -> Path:
    """Return where the index of a dialogue's vectors is kept."""
    return Path(folder) / f"{dialogue}.index"


def run_session(url: str, folder: str, dialogue: str, acknowledge: Acknowledge) -> None:
    """Write a dialogue until killed or the server is gone: turns in front; vectors, spans and the index behind.

    Parameters
    ----------
    url
        Of a store.
    folder
        Where the index goes.
    acknowledge
        Told of "opened", of each "turn", "vector" and "span" once it is written.
    """
    with suppress(ConnectionLostError), open_store(url) as store:
        acknowledge("opened", 0)
        waiting: SimpleQueue[int] = SimpleQueue()
        behind = Thread(
            target=_work_behind, args=(store, folder, dialogue, waiting, acknowledge), daemon=True
        )
        behind.start()
        for position in count():
            store.append("turns", turn_row(dialogue, position))
            acknowledge("turn", position)
            waiting.put(position)


def _work_behind(
    store: Store, folder: str, dialogue: str, waiting: SimpleQueue[int], acknowledge: Acknowledge
) -> None:
    done = 0
    with suppress(ConnectionLostError):
        while True:
            last = waiting.get() + 1
            while not waiting.empty():
                last = waiting.get() + 1
            _catch_up(store, folder, dialogue, done, last, acknowledge)
            done = last


def _catch_up(
    store: Store, folder: str, dialogue: str, done: int, last: int, acknowledge: Acknowledge
) -> None:
    store.append("vectors", vector_rows(dialogue, done, last), model=MODEL)
    acknowledge("vector", last - 1)
    for number in range(done // SPAN, last // SPAN):
        with store.transaction():
            for table, rows in span_rows(dialogue, number).items():
                store.append(table, rows)
        acknowledge("span", number)
    rows = vector_rows(dialogue, 0, last)
    target = index_folder(folder, dialogue)
    open_index(target, rows["vector"].to_numpy(), rows["item_id"].to_list(), model=MODEL, name="hnsw")
