"""A benchmark's work in parts: side by side through joblib, and each part done once though a run is cut short.

`joblib.parallel_config(backend="dask")` or `"ray"` spreads the parts over a cluster.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any, TypeVar

from hydralab.optional import load_optional
from hydralab.texts.folders import cache_folder

__all__ = ["done_once"]

Part = TypeVar("Part")
Done = TypeVar("Done")

LIMIT = 2**28
"""Bytes of results that are kept."""


def done_once(
    work: Callable[[Part], Done],
    parts: Mapping[str, Part],
    *,
    rests_on: Mapping[str, Any],
    jobs: int | None = None,
    progress: bool = False,
) -> Iterator[Done]:
    """Yield what work makes of each part, in their order; what an earlier run has made is taken from the disk.

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

    >>> list(done_once(len, {"doctest, first": "ab", "doctest, second": "abc"}, rests_on={}))
    [2, 3]
    """
    from diskcache import Cache
    from tqdm.auto import tqdm

    joblib = load_optional("joblib", extra="bench", purpose="benchmarks side by side")
    basis = sha256(json.dumps(rests_on, sort_keys=True, default=str).encode()).hexdigest()
    keys = {name: f"{basis} {sha256(name.encode()).hexdigest()}" for name in parts}
    with Cache(str(cache_folder("bench")), size_limit=LIMIT) as kept:
        left = [name for name in parts if keys[name] not in kept]
        fresh = joblib.Parallel(n_jobs=jobs, return_as="generator")(
            joblib.delayed(work)(parts[name]) for name in left
        )
        waiting = set(left)
        for name in tqdm(parts, disable=not progress, unit="part"):
            if name in waiting:
                kept[keys[name]] = done = next(fresh)
            else:
                done = kept[keys[name]]
            yield done
