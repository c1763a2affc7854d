"""Kill a live session at random moments, and look what its store holds: `hydralab bench kills`."""

from __future__ import annotations

import multiprocessing
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from hydralab.benchmarks.live_session import (
    MODEL,
    SPAN,
    index_folder,
    run_session,
    span_rows,
    turn_row,
    vector_rows,
)
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.errors import check_value, unknown_name
from hydralab.index.choosing import open_index
from hydralab.stores.opening import open_store
from hydralab.stores.protocol import Store
from hydralab.stores.servers import fresh_schema, postgres_server

__all__ = ["ENGINES", "measure_kills", "session_process"]

ENGINES = ("sqlite", "postgresql")
SEED = 6
LONGEST = 0.5
"""Seconds a session lives at most after it has opened its store."""

EARLY = 0.15
"""The part of the sessions that are killed while they still open it."""

CRASHES = 20
"""At each so many-th kill the server is killed too, with its writes in flight."""

RECOVERY_SECONDS = 60.0
LIGHT = (
    "hydralab.benchmarks.live_session",
    "hydralab.stores.sqlite",
    "hydralab.stores.postgres",
    "hydralab.stores.tiered",
    "psycopg",
    "redis",
)
"""What the process imports from which sessions are forked."""

Crash = Callable[[], None]


def measure_kills(methods: Sequence[str] = ENGINES, *, kills: int = 200, seed: int = SEED) -> pl.DataFrame:
    """Kill sessions with SIGKILL, each on a dialogue of its own in one store, and check the store after each.

    Parameters
    ----------
    methods
        Some of `ENGINES`.
    kills
        So many on each.
    seed
        Of the moments.

    Returns
    -------
    DataFrame
        A row an engine: kills (of sessions), crashes (of the server), early (killed before the store was open);
        acknowledged rows by kind; `unacknowledged` ones that were kept all the same, whole; `lost` ones that were
        acknowledged and are not there; `half`: what is there in part or with other content; `index_differs`:
        indexes that, opened again, had other rows than the table; `index_rebuilt`: those that had to be made anew;
        seconds.
    """
    check_value("bench kills: kills", kills, "int", least=1)
    rows = []
    for engine in methods:
        if engine not in ENGINES:
            raise unknown_name("engine", engine, ENGINES)
        started = time.monotonic()
        with (
            tempfile.TemporaryDirectory(prefix="hydralab-kills-") as folder,
            _engine(engine, folder) as (url, crash),
        ):
            found = _kill_often(url, folder, crash, kills, random.Random(seed))
        rows.append({"engine": engine, **found, "seconds": round(time.monotonic() - started, 1)})
    return pl.DataFrame(rows)


@contextmanager
def _engine(name: str, folder: str) -> Iterator[tuple[str, Crash | None]]:
    """Yield the URL of a new store, and what kills its server, where it has one."""
    if name == "sqlite":
        yield f"sqlite:///{folder}/lab.db", None
        return
    with postgres_server() as server, fresh_schema(server) as url:

        def crash() -> None:
            server.get_postmaster_info().process.send_signal(
                signal.SIGQUIT
            )  # ends without writing anything more
            server.get_postmaster_info().process.wait()
            server.ensure_postgres_running()

        yield url, crash


def session_process(target: Callable[..., Any], *arguments: Any) -> tuple[Any, Connection]:
    """Start a process that tells over a pipe; it is forked from one that has imported what stores need."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(LIGHT))
    told, telling = context.Pipe(duplex=False)
    process = context.Process(target=target, args=(*arguments, telling), daemon=True)
    process.start()
    telling.close()
    return process, told


def _session(url: str, folder: str, dialogue: str, telling: Connection) -> None:
    run_session(url, folder, dialogue, lambda what, number: telling.send((what, number)))


def _kill_often(
    url: str, folder: str, crash: Crash | None, kills: int, chance: random.Random
) -> dict[str, int]:
    found: Counter[str] = Counter()
    acknowledged: dict[str, dict[str, int]] = {}
    for number in range(1, kills + 1):
        dialogue = f"dialogue-{number}"
        process, told = session_process(_session, url, folder, dialogue)
        if chance.random() < EARLY:
            time.sleep(chance.random() * LONGEST / 5)
        elif told.poll(RECOVERY_SECONDS):
            time.sleep(chance.random() * LONGEST)
        if crash is not None and number % CRASHES == 0:
            crash()
            found["crashes"] += 1
        process.kill()
        process.join()
        last = _heard(told)
        found["early"] += "opened" not in last
        acknowledged[dialogue] = last
        with open_store(url) as store:
            found.update(_check(store, folder, dialogue, last))
    with open_store(url) as store:  # what came later has harmed nothing that was there
        for dialogue, last in acknowledged.items():
            again = _check(store, folder, dialogue, last)
            found.update({name: again[name] for name in ("lost", "half", "index_differs")})
    columns = (
        "crashes", "early", "turns", "vectors", "spans",
        "unacknowledged", "lost", "half", "index_differs", "index_rebuilt",
    )  # fmt: skip
    return {"kills": kills, **{name: found[name] for name in columns}}


def _heard(told: Connection) -> dict[str, int]:
    """Return the last number of each kind that was acknowledged before the end."""
    last: dict[str, int] = {}
    while True:
        try:
            what, number = told.recv()
        except (EOFError, OSError):
            told.close()
            return last
        last[what] = number


def _check(store: Store, folder: str, dialogue: str, last: dict[str, int]) -> Counter[str]:
    """Count what of a dialogue is lost, half there, or there without having been acknowledged."""
    found: Counter[str] = Counter()
    turns = store.read("turns", dialogue_id=dialogue)
    vectors = _vectors(store, dialogue)
    spans, facts = (store.read(table, dialogue_id=dialogue) for table in ("checkpoints", "memories"))
    counts = {"turn": turns.height, "vector": vectors.height, "span": spans.height}
    for what, kept in counts.items():
        known = last.get(what, -1) + 1
        found[f"{what}s"] += known
        found["lost"] += max(known - kept, 0)
        found["unacknowledged"] += max(kept - known, 0)
    wanted = [turn_row(dialogue, place) for place in range(turns.height)]
    found["half"] += bool(wanted) and not pl.concat(wanted).equals(turns)
    found["half"] += (
        not vector_rows(dialogue, 0, vectors.height).equals(vectors) or vectors.height > turns.height
    )
    together = [span_rows(dialogue, number) for number in range(spans.height)]
    for table, frame in (("checkpoints", spans), ("memories", facts)):
        rows = [each[table] for each in together]
        found["half"] += not (pl.concat(rows).equals(frame) if rows else frame.height == 0)
    found["half"] += spans.height * SPAN > turns.height
    if vectors.height:
        found.update(_check_index(index_folder(folder, dialogue), vectors))
    return found


def _vectors(store: Store, dialogue: str) -> pl.DataFrame:
    if MODEL not in store.models():
        return vector_rows(dialogue, 0, 0)
    return store.read("vectors", dialogue_id=dialogue, model=MODEL)


def _check_index(path: Path, vectors: pl.DataFrame) -> Counter[str]:
    rows = vectors["vector"].to_numpy()
    index, events = open_index(path, rows, vectors["item_id"].to_list(), model=MODEL, name="hnsw")
    nearest = index.search(rows, 1)[1][:, 0]
    same = len(index) == vectors.height and bool((nearest == np.arange(vectors.height)).all())
    return Counter(index_differs=not same, index_rebuilt=events.height)


BENCHES.add(
    "kills",
    Bench(
        measure_kills,
        lambda: {"longest": LONGEST, "early": EARLY, "crashes": CRASHES, "span": SPAN},
        "kill -9 of a live session, on SQLite and PostgreSQL: lost, half, index against table",
    ),
)
