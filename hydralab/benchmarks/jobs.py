"""A benchmark's work in parts: side by side through joblib, and each part done once though a run is cut short.

`joblib.parallel_config(backend="dask")` or `"ray"` spreads the parts over a cluster.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from hydralab.optional import load_optional
from hydralab.texts.folders import cache_folder

__all__ = ["done_once"]

Part = TypeVar("Part")

MOST = 4_000
"""Tables that are kept; the oldest make room."""


def done_once(
    work: Callable[[Part], pl.DataFrame],
    parts: Mapping[str, Part],
    *,
    rests_on: Mapping[str, Any],
    jobs: int | None = None,
    progress: bool = False,
) -> Iterator[pl.DataFrame]:
    """Yield the table that work makes of each part, in their order; what an earlier run has made is read from the disk.

    Seconds in such a table are those of the run that made it.

    Parameters
    ----------
    work
        A function of a module, which can be sent to another process.
    parts
        What tells a part from all others → the part.
    rests_on
        What the results rest on beside the parts, as `hydralab.benchmarks.results.foundations` returns it: when
        it changes everything is done again.
    jobs
        Processes; None for what `joblib.parallel_config` says, one otherwise.
    progress
        Show a progress bar.

    >>> lengths = lambda text: pl.DataFrame({"length": [len(text)]})
    >>> parts = {"doctest, first": "ab", "doctest, second": "abc"}
    >>> [table["length"][0] for table in done_once(lengths, parts, rests_on={})]
    [2, 3]
    """
    from tqdm.auto import tqdm

    joblib = load_optional("joblib", extra="bench", purpose="benchmarks side by side")
    basis = json.dumps(rests_on, sort_keys=True, default=str)
    folder = cache_folder("bench")
    places = {name: folder / f"{sha256(f'{basis}{name}'.encode()).hexdigest()}.parquet" for name in parts}
    done = {name: kept for name, place in places.items() if (kept := _read(place)) is not None}
    left = [part for name, part in parts.items() if name not in done]
    fresh = joblib.Parallel(n_jobs=jobs, return_as="generator")(joblib.delayed(work)(part) for part in left)
    for name in tqdm(parts, disable=not progress, unit="part"):
        if name not in done:
            done[name] = next(fresh)
            _keep(places[name], done[name])
        yield done.pop(name)
    _make_room(folder)


def _read(place: Path) -> pl.DataFrame | None:
    """Return what is kept; None where there is nothing that can be read."""
    try:
        return pl.read_parquet(place, glob=False) if place.is_file() else None
    except (OSError, pl.exceptions.PolarsError):
        return None


def _keep(place: Path, table: pl.DataFrame) -> None:
    """Write a table at once or not at all; where that can't be, the next run does it again."""
    draft = place.with_suffix(".draft")
    try:
        table.write_parquet(draft)
        draft.replace(place)
    except OSError:
        draft.unlink(missing_ok=True)


def _make_room(folder: Path) -> None:
    kept = sorted(folder.glob("*.parquet"), key=lambda place: place.stat().st_mtime)
    for place in kept[:-MOST]:
        place.unlink(missing_ok=True)
