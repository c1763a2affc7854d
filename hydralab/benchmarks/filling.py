"""Stores to measure on: an engine with room for one, dialogues by the thousand, steps in processes of their own."""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, TypeVar

import polars as pl

from hydralab.benchmarks.speed import long_dialogue
from hydralab.checkpoints import extract_checkpoints
from hydralab.encoders import get_encoder, vectors_table
from hydralab.frames import build
from hydralab.stores import Store, open_store
from hydralab.stores.servers import fresh_schema, postgres_server
from hydralab.texts import key_texts, tokenizer
from hydralab.triggers import default_trigger, find_boundaries

__all__ = ["Filled", "apart", "dialogue_name", "empty_store", "fill_store", "folder_size", "user_name"]

Result = TypeVar("Result")

USER_DIALOGUES = 10
"""Dialogues of one user."""

FACTS = 5
"""Facts of a dialogue."""

BATCH = 10
"""Dialogues that are appended at once."""


class Filled(NamedTuple):
    """What filling a store took, and what the users of its dialogues say."""

    seconds: float
    said: list[str]


@contextmanager
def empty_store(name: str) -> Iterator[tuple[str, Callable[[], int]]]:
    """Yield the URL of a new store, and what tells its bytes."""
    if name == "sqlite":
        with tempfile.TemporaryDirectory(prefix="hydralab-scale-") as folder:
            yield f"sqlite:///{folder}/lab.db", lambda: folder_size(Path(folder))
        return
    with postgres_server() as server, fresh_schema(server) as url:
        yield url, lambda: int(server.psql("SELECT pg_database_size(current_database())").split()[2])


def folder_size(folder: Path) -> int:
    """Return the bytes of the files in a folder."""
    return sum(path.stat().st_size for path in folder.iterdir())


def dialogue_name(number: int) -> str:
    """Return the id of a dialogue that `fill_store` makes."""
    return f"dialogue-{number}"


def user_name(number: int) -> str:
    """Return the user of a dialogue that `fill_store` makes."""
    return f"user-{number // USER_DIALOGUES}"


def fill_store(url: str, each: int, dialogues: int) -> Filled:
    """Append dialogues of `each` turns of the bundled ones, with vectors, boundaries, checkpoints and some facts."""
    encoder = get_encoder("use")
    turns, vectors = long_dialogue(each)
    keyed = turns.with_columns(pl.Series("text", key_texts(turns), pl.String))
    boundaries = find_boundaries(default_trigger(), turns, vectors, closed=False)
    ready = extract_checkpoints(turns, boundaries).filter(status="ready")
    said = turns.filter(pl.col("role") == "user")["text"].to_list()
    tables = {
        "turns": turns,
        "vectors": vectors_table(keyed, encoder, vectors=vectors),
        "boundaries": boundaries,
        "checkpoints": ready,
    }
    started = perf_counter()
    with open_store(url) as store:
        for first in range(0, dialogues, BATCH):
            numbers = range(first, min(first + BATCH, dialogues))
            with store.transaction():
                _append(store, tables, said, numbers, getattr(encoder, "cache_key", None))
    return Filled(perf_counter() - started, said)


def _append(
    store: Store, tables: dict[str, pl.DataFrame], said: list[str], numbers: Sequence[int], model: str | None
) -> None:
    rows = [
        {"dialogue_id": dialogue_name(each), "user_id": user_name(each), "title": dialogue_name(each)}
        for each in numbers
    ]
    store.append("dialogues", build("dialogues", rows))
    for table, frame in tables.items():
        named = pl.concat(_named(frame, dialogue_name(number)) for number in numbers)
        store.append(table, named, model=model if table == "vectors" else None)
    facts = [
        {
            "memory_id": f"{dialogue_name(number)}!{fact}",
            "user_id": user_name(number),
            "dialogue_id": dialogue_name(number),
            "kind": "fact",
            "text": said[(number * FACTS + fact) % len(said)],
            "tokens": 30,
        }
        for number in numbers
        for fact in range(FACTS)
    ]
    store.append("memories", build("memories", facts))


def _named(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return the rows of the dialogue "long" as those of another."""
    names = [column for column in frame.columns if column.endswith("_id")]
    return frame.with_columns(pl.col(names).str.replace("^long", name))


def apart(step: Callable[..., Result], *arguments: object) -> tuple[Result, float]:
    """Run a step in a process of its own, and return with its result by how many megabytes its memory grew at most.

    Raises
    ------
    BrokenProcessPool
        The system killed it: more memory or time than there was.
    """
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(_watched, step, arguments).result()


def _watched(step: Callable[..., Result], arguments: Sequence[object]) -> tuple[Result, float]:
    get_encoder("use").encode(["warm"])
    tokenizer().count("warm")
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forget the highest size until now
    before = _resident("VmRSS")
    result = step(*arguments)
    return result, _resident("VmHWM") - before


def _resident(name: str) -> float:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024
