"""Eight writers and four readers on one store at once: `hydralab bench stress`."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from multiprocessing.connection import Connection

import polars as pl

from hydralab.benchmarks.kills import session_process
from hydralab.benchmarks.live_session import span_rows, turn_row
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.errors import StoreError, check_value, unknown_name
from hydralab.stores.opening import open_store
from hydralab.stores.protocol import Store
from hydralab.stores.servers import fresh_schema, postgres_server, redis_server

__all__ = ["ENGINES", "measure_stress"]

ENGINES = ("sqlite", "postgresql", "redis+postgresql")
WRITERS, READERS = 8, 4
SECONDS = 60.0
SHARED = "shared"
"""The dialogue whose turns all writers append, each the same ones."""

RECENT = 8

PAUSE = 0.02
"""Seconds between two looks of a reader: twelve processes that never rest measure the scheduler of two cores."""


def measure_stress(
    methods: Sequence[str] = ENGINES,
    *,
    seconds: float = SECONDS,
    writers: int = WRITERS,
    readers: int = READERS,
) -> pl.DataFrame:
    """Let processes write and read one store for a while, and check that no turn is lost or doubled.

    A writer appends an exchange of two turns to a dialogue of its own, with a checkpoint now and then, repeats
    its last turn, and appends the next turns of a dialogue that all writers share. A reader reads whole
    dialogues and newest turns, and looks whether one has a gap, half an exchange, another content than its place
    says, or is shorter than it was.

    Parameters
    ----------
    methods
        Some of `ENGINES`.
    seconds
        For each of them.

    Returns
    -------
    DataFrame
        A row an engine: seconds, writers, readers; turns and reads done; `errors`, `first_error`; `wrong_reads`;
        turns `lost` and `doubled` at the end; the longest write in milliseconds.
    """
    for name, value in (("seconds", seconds), ("writers", writers), ("readers", readers)):
        check_value(f"bench stress: {name}", value, "float", least=0.1)
    rows = []
    for engine in methods:
        if engine not in ENGINES:
            raise unknown_name("engine", engine, ENGINES)
        with _engine(engine) as url:
            rows.append({"engine": engine, **_strain(url, seconds, writers, readers)})
    return pl.DataFrame(rows)


@contextmanager
def _engine(name: str) -> Iterator[str]:
    """Yield the URL of a new store."""
    if name == "sqlite":
        with tempfile.TemporaryDirectory(prefix="hydralab-stress-") as folder:
            yield f"sqlite:///{folder}/lab.db"
        return
    with postgres_server() as server, fresh_schema(server) as url:
        if name == "postgresql":
            yield url
        else:
            with redis_server() as redis:
                yield f"{redis.url}?expiry=60+{url}"


def _strain(url: str, seconds: float, writers: int, readers: int) -> dict[str, object]:
    names = [f"writer-{number}" for number in range(writers)]
    open_store(url).close()  # the schema is there before the clock starts
    until = time.time() + seconds
    started = [session_process(_write, url, name, until) for name in names]
    started += [session_process(_read, url, names, until) for _ in range(readers)]
    told = [_last(pipe) for _, pipe in started]
    for process, _ in started:
        process.join()
    errors = [str(each["error"]) for each in told if each["error"]]
    with open_store(url) as store:
        held = {name: store.read("turns", dialogue_id=name) for name in (*names, SHARED)}
    wanted = {name: int(each["turns"]) for name, each in zip(names, told[:writers], strict=True)}
    wanted[SHARED] = max(int(each["shared"]) for each in told[:writers])
    return {
        "seconds": seconds,
        "writers": writers,
        "readers": readers,
        "turns": sum(wanted.values()),
        "reads": sum(int(each["reads"]) for each in told[writers:]),
        "errors": len(errors),
        "first_error": errors[0] if errors else "",
        "wrong_reads": sum(int(each["wrong"]) for each in told[writers:]),
        "lost": sum(max(wanted[name] - held[name]["position"].n_unique(), 0) for name in held),
        "doubled": sum(int(turns["position"].is_duplicated().sum()) for turns in held.values()),
        "longest_write_ms": round(max(each["longest"] for each in told[:writers]) * 1000, 1),
    }


def _last(pipe: Connection) -> dict[str, float]:
    """Return what a process told at its end; one that ended without a word is an error."""
    try:
        return pipe.recv()
    except EOFError:
        silent = {"turns": 0, "shared": 0, "reads": 0, "wrong": 0, "longest": 0.0}
        return {**silent, "error": "a process ended without a word"}  # type: ignore[dict-item]


def _write(url: str, name: str, until: float, telling: Connection) -> None:
    done, shared, longest, error = 0, 0, 0.0, ""
    try:
        with open_store(url) as store:
            for number in count():
                if time.time() > until:
                    break
                started = time.monotonic()
                _write_exchange(store, name, number)
                done = 2 * number + 2
                store.append("turns", turn_row(SHARED, number))
                shared = number + 1
                longest = max(longest, time.monotonic() - started)
    except StoreError as told:
        error = f"{name}: {told}"
    telling.send({"turns": done, "shared": shared, "longest": longest, "error": error})


def _write_exchange(store: Store, name: str, number: int) -> None:
    with store.transaction():
        store.append("turns", turn_row(name, 2 * number))
        store.append("turns", turn_row(name, 2 * number + 1))
        if number % 2:
            for table, rows in span_rows(name, number // 2).items():
                store.append(table, rows)
    store.append("turns", turn_row(name, 2 * number + 1))


def _read(url: str, names: Sequence[str], until: float, telling: Connection) -> None:
    reads, wrong, error = 0, 0, ""
    seen: dict[str, int] = {}
    try:
        with open_store(url) as store:
            while time.time() < until:
                name = names[reads % len(names)]
                turns = store.read("turns", dialogue_id=name)
                newest = store.recent(name, RECENT)
                wrong += not _is_whole(name, turns, seen.get(name, 0)) or not _are_newest(
                    name, newest, turns.height
                )
                seen[name] = turns.height
                reads += 2
                time.sleep(PAUSE)
    except StoreError as told:
        error = f"reader: {told}"
    telling.send({"reads": reads, "wrong": wrong, "error": error})


def _is_whole(name: str, turns: pl.DataFrame, least: int) -> bool:
    """Tell whether a dialogue has no gap, no half exchange, and is no shorter than it was."""
    if turns.height % 2 or turns.height < least:
        return False
    told = turns["position"].equals(pl.int_range(turns.height, eager=True).alias("position"))
    return told and (not turns.height or turns[-1:].equals(turn_row(name, turns.height - 1)))


def _are_newest(name: str, newest: pl.DataFrame, least: int) -> bool:
    """Tell whether turns are the last ones of a dialogue that had `least` turns a moment before."""
    if not newest.height:
        return least == 0
    end = int(newest["position"][-1]) + 1
    wanted = [turn_row(name, place) for place in range(max(end - RECENT, 0), end)]
    return end >= least and pl.concat(wanted).equals(newest)


BENCHES.add(
    "stress",
    Bench(
        measure_stress,
        lambda: {"writers": WRITERS, "readers": READERS, "seconds": SECONDS},
        "eight writers and four readers on one store for a minute: errors, turns lost or doubled",
    ),
)
