"""What reading attention costs beside a plain run of the model: peak memory and time."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import subprocess
import sys
from time import perf_counter, process_time

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.attention import LanguageModel, load_language_model
from hydralab.attention.capture import Capture
from hydralab.attention.hook import capturing
from hydralab.attention.running import log_probabilities
from hydralab.benchmarks.results import BENCHES, Bench

__all__ = ["measure_attention", "run_once"]

TOKENS = 4_000
SMALL = 1_000
ANSWER = 32
SEGMENTS = 40
SEED = 3

ALLOCATOR = {"MALLOC_MMAP_THRESHOLD_": "1048576", "MALLOC_TRIM_THRESHOLD_": "1048576"}
"""Of the GNU C library: larger blocks go back to the system when they are freed."""

Ids = NDArray[np.int64]


def measure_attention(*, tokens: int = TOKENS, small: int = SMALL, repeats: int = 2) -> pl.DataFrame:
    """Measure what reading attention by segment adds to a plain run of SmolLM2.

    Plain is scaled dot-product attention with the logits of the answer's 32 rows only. Memory is the highest
    resident size of a fresh process, less what it had after loading, with an allocator that hands freed
    blocks of 1 MB back at once, so that it is the memory in use rather than the heap's fragments. Times are
    of the process's own work on one thread, since another's work on the same machine then counts for
    little; in one process, in turn.

    Parameters
    ----------
    tokens
        Length of prompt and answer.
    small
        Length at which whole matrices (`output_attentions=True`) still fit.
    repeats
        Of how many runs the mean is taken for memory and the median for times.

    Returns
    -------
    DataFrame
        what, tokens, value, unit, bar (null where none is promised), how.
    """
    rows: list[tuple[object, ...]] = []
    peaks = {
        (way, n): float(np.mean([_fresh(way, n) for _ in range(repeats)]))
        for way, n in (
            ("plain", tokens),
            ("segments", tokens),
            ("plain", small),
            ("segments", small),
            ("whole matrices", small),
        )
    }
    how = f"peak less after load, fresh process each, mean of {repeats}"
    rows += [(f"memory, {way}", n, peak / 1e6, "MB", None, how) for (way, n), peak in peaks.items()]
    plain = peaks["plain", tokens]
    rows.append(("memory, segments to plain", tokens, peaks["segments", tokens] / plain, "ratio", 1.3, how))
    ratio = peaks["whole matrices", small] / peaks["segments", small]
    rows.append(("memory, whole matrices to segments", small, ratio, "ratio", None, how))
    for n, ways in ((tokens, ("plain", "segments")), (small, ("plain", "segments", "whole matrices"))):
        rows += _times(n, ways, repeats)
    return pl.DataFrame(
        rows, schema=["what", "tokens", "value", "unit", "bar", "how"], orient="row"
    ).with_columns(pl.col("value").round(3))


def run_once(model: LanguageModel, ids: Ids, way: str) -> None:
    """Run the model over a text in one of three ways: "plain", "segments" or "whole matrices"."""
    rows = np.arange(len(ids) - ANSWER - 1, len(ids) - 1)
    if way == "plain":
        log_probabilities(model, ids, rows)
    elif way == "segments":
        segments = np.arange(len(ids)) * SEGMENTS // len(ids)
        capture = Capture(rows=rows, segments=segments, count=SEGMENTS)
        with capturing(model.network, capture):
            log_probabilities(model, ids, rows)
        capture.sums()
    else:
        _whole_matrices(model, ids, rows)


def _whole_matrices(model: LanguageModel, ids: Ids, rows: Ids) -> None:
    import torch

    from hydralab.attention.hook import running_as

    with torch.inference_mode(), running_as(model.network, "eager"):
        model.network(
            input_ids=torch.from_numpy(ids)[None],
            output_attentions=True,
            use_cache=False,
            logits_to_keep=torch.from_numpy(rows),
        )


def _text(model: LanguageModel, tokens: int) -> Ids:
    words = int(model.network.config.vocab_size)
    return np.random.default_rng(SEED).integers(100, words, tokens)


def _times(tokens: int, ways: tuple[str, ...], repeats: int) -> list[tuple[object, ...]]:
    model = load_language_model("smollm2")
    ids = _text(model, tokens)
    spent: dict[str, list[float]] = {way: [] for way in ways}
    waited: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(repeats):
        for way in ways:
            work, wall = process_time(), perf_counter()
            run_once(model, ids, way)
            spent[way].append(process_time() - work)
            waited[way].append(perf_counter() - wall)
    how = f"processor time, {_threads()}, interleaved, median of {repeats}"
    found = {way: float(np.median(each)) for way, each in spent.items()}
    rows: list[tuple[object, ...]] = [
        (f"time, {way}", tokens, each, "s", None, how) for way, each in found.items()
    ]
    rows.append(("time, segments to plain", tokens, found["segments"] / found["plain"], "ratio", 2.0, how))
    walls = float(np.median(waited["segments"]) / np.median(waited["plain"]))
    rows.append(
        ("time on the clock, segments to plain", tokens, walls, "ratio", None, "the machine was shared")
    )
    return rows


def _threads() -> str:
    import torch

    return f"{torch.get_num_threads()} thread" + "s" * (torch.get_num_threads() > 1)


def _fresh(way: str, tokens: int) -> float:
    """Return the bytes that one run adds to a fresh process at its highest."""
    program = f"from hydralab.benchmarks.attention import _measure_peak; _measure_peak({way!r}, {tokens})"
    found = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | ALLOCATOR,
    )
    return float(json.loads(found.stdout.splitlines()[-1]))


def _measure_peak(way: str, tokens: int) -> None:
    """Print the bytes by which the highest resident size exceeds that after loading; for a fresh process."""
    model = load_language_model("smollm2")
    ids = _text(model, tokens)
    run_once(model, ids[: ANSWER + 8], way)  # what the first call of a library takes is not the way's
    _forget_peak()
    before = _status("VmRSS")
    run_once(model, ids, way)
    print(_status("VmHWM") - before)


def _forget_peak() -> None:
    """Hand free memory back and forget the highest resident size: loading goes higher than running."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def _status(name: str) -> int:
    with open("/proc/self/status", encoding="ascii") as file:
        line = next(line for line in file if line.startswith(f"{name}:"))
    return int(line.split()[1]) * 1024


def _defaults() -> dict[str, object]:
    from hydralab.attention.capture import SINK_ROWS
    from hydralab.attention.scores import MOST_FLOATS

    return {"chunk": MOST_FLOATS, "sink rows": SINK_ROWS, "answer": (ANSWER, SEGMENTS)}


BENCHES.add(
    "attention",
    Bench(
        measure_attention, _defaults, "memory and time of reading attention beside a plain run of the model"
    ),
)
