"""From a laptop to a server: a SQLite file copied to a folder of Parquet, the folder taken in by PostgreSQL."""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter

import polars as pl

from hydralab.benchmarks.filling import apart, empty_store, fill_store, folder_size
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.errors import HydralabError, check_value
from hydralab.schemas import SCHEMAS
from hydralab.stores import Store, export_store, import_store, open_store

__all__ = ["measure_moving"]

TURNS, DIALOGUES = 100_000, 100


def measure_moving(*, turns: int = TURNS, dialogues: int = DIALOGUES) -> pl.DataFrame:
    """Fill a SQLite file, move it to a PostgreSQL server, each half in a process of its own, and compare the two.

    Parameters
    ----------
    turns, dialogues
        Of the file; each dialogue has `turns` // `dialogues` of them, with vectors, checkpoints and facts.

    Returns
    -------
    DataFrame
        turns, dialogues, what, value, unit, and `peak_mb`: the memory that the half takes at most beyond that of a
        process with encoder and tokenizer loaded (null where it is not of one process).

    Raises
    ------
    HydralabError
        A table did not come out equal.
    """
    check_value("bench moving: dialogues", dialogues, "int", least=1)
    check_value("bench moving: turns", turns, "int", least=dialogues)
    with (
        empty_store("sqlite") as (file, size),
        tempfile.TemporaryDirectory(prefix="hydralab-moving-") as parent,
        empty_store("postgresql") as (server, server_size),
    ):
        folder = f"{parent}/lab"
        filled, taken = apart(fill_store, file, turns // dialogues, dialogues)
        exported, exporting = apart(_export, file, folder)
        imported, importing = apart(_import, folder, server)
        again, repeating = apart(_import, folder, server)
        _check_equal(file, server)
        rows = [
            ("fill the SQLite file", filled.seconds, "s", taken),
            ("its size", size() / 2**20, "MB", None),
            ("export it to a folder", exported, "s", exporting),
            ("size of the folder", folder_size(Path(folder)) / 2**20, "MB", None),
            ("import the folder into PostgreSQL", imported, "s", importing),
            ("import it once more", again, "s", repeating),
            ("size of the server's database", server_size() / 2**20, "MB", None),
        ]
    return pl.DataFrame(
        [
            (turns // dialogues * dialogues, dialogues, what, round(value, 3), unit, peak and round(peak))
            for what, value, unit, peak in rows
        ],
        schema={
            "turns": pl.Int64,
            "dialogues": pl.Int64,
            "what": pl.String,
            "value": pl.Float64,
            "unit": pl.String,
            "peak_mb": pl.Int64,
        },
        orient="row",
    )


def _export(url: str, folder: str) -> float:
    started = perf_counter()
    with open_store(url) as store:
        export_store(store, folder)
    return perf_counter() - started


def _import(folder: str, url: str) -> float:
    started = perf_counter()
    import_store(folder, url).close()
    return perf_counter() - started


def _check_equal(one: str, other: str) -> None:
    with open_store(one) as left, open_store(other) as right:
        unlike = [name for name in SCHEMAS if not _same(left, right, name)]
    if unlike:
        raise HydralabError(f"bench moving: {', '.join(unlike)} differ after the move, expected equal tables")


def _same(left: Store, right: Store, table: str) -> bool:
    models = [*left.models()] if table == "vectors" else [None]
    return all(left.read(table, model=each).equals(right.read(table, model=each)) for each in models)


BENCHES.add(
    "moving",
    Bench(
        measure_moving,
        lambda: {"turns": TURNS, "dialogues": DIALOGUES},
        "from a SQLite file through a folder of Parquet to PostgreSQL: time, memory, size",
    ),
)
