"""How fast: ratios beside bare NumPy measured in the same run, and times for what one waits for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from time import perf_counter

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.encoders import embed, get_encoder
from hydralab.frames import build, empty, number_rounds
from hydralab.readers import example, read_all
from hydralab.recall import Recall
from hydralab.replay import Timeline, run_replay
from hydralab.signals import compute_signals
from hydralab.strategies import Hydration
from hydralab.texts import tokenizer
from hydralab.triggers import default_trigger, find_boundaries, resolve_trigger

__all__ = ["long_dialogue", "measure_speed"]

SEED = 7
QUERY = "之前提到的市场推广预算是多少？"
PLACED = '((hl.col.shift > {}) | hl.cue("换个话题|另外")).place(min_turns=4, max_turns=40)'
IMPORT = (
    "import sys, time; t = time.perf_counter(); import hydralab; print(time.perf_counter() - t, *sys.modules)"
)
HEAVY = ("torch", "transformers", "matplotlib", "ipywidgets", "hnswlib", "sqlalchemy", "jieba")


def measure_speed(*, turns: int = 100_000, repeats: int = 9) -> pl.DataFrame:
    """Measure what the design promises of speed.

    Parameters
    ----------
    turns
        Length of the long dialogue.
    repeats
        Interleaved repeats of the ratios; medians are given.

    Returns
    -------
    DataFrame
        what, value, unit, bar (null where none is promised), and how it was measured.
    """
    rows = [
        *_import_time(),
        *_first_context(),
        *_hydrate(turns, repeats),
        *_replay(max(turns // 20, 50)),
        *_signals(turns),
        *_threshold(repeats),
    ]
    return pl.DataFrame(rows, schema=["what", "value", "unit", "bar", "how"], orient="row")


def long_dialogue(turns: int, dim: int = 512) -> tuple[pl.DataFrame, NDArray[np.float32]]:
    """Return a dialogue of any length made of the bundled turns, and unit rows near those of its texts.

    The turns of the long bundled dialogues are repeated, each with a number of its own; rows are the real
    vectors with a little noise, so that neighbours stay neighbours.
    """
    corpus = [read_all(example(name)).turns for name in ("long_zh", "long_en")]
    base = pl.concat([frame.filter(pl.col("role") != "system") for frame in corpus])
    known = embed(base["text"].to_list(), get_encoder("use")).vectors
    pick = np.arange(turns) % base.height
    noise = np.random.default_rng(SEED).normal(0, 0.02, (turns, dim)).astype(np.float32)
    vectors = known[pick] + noise
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    chosen = base[pick]
    roles = chosen["role"].to_list()
    frame = build(
        "turns",
        chosen.select("role", "text", "tokens").with_columns(
            pl.lit("long").alias("dialogue_id"),
            pl.int_range(pl.len(), dtype=pl.Int64).alias("position"),
            pl.Series("round", number_rounds(roles, [None] * turns), dtype=pl.Int64),
            pl.format("{} #{}", "text", pl.int_range(pl.len())).alias("text"),
            pl.format("long:{}", pl.int_range(pl.len())).alias("turn_id"),
        ),
    )
    return frame, vectors


def _import_time() -> list[tuple[object, ...]]:
    spent, loaded = [], set()
    for _ in range(5):
        seconds, *names = subprocess.run(
            [sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True
        ).stdout.split()
        spent.append(float(seconds))
        loaded |= set(names) & set(HEAVY)
    return [
        ("import hydralab", float(np.median(spent)), "s", 0.5, "median of 5 fresh processes"),
        ("heavy packages loaded by the import", float(len(loaded)), "packages", 0.0, ", ".join(HEAVY)),
    ]


def _first_context() -> list[tuple[object, ...]]:
    encoder = get_encoder("use")
    encoder.encode(["warm"])
    tokenizer().count("warm")
    started = perf_counter()
    turns = read_all(example("long_zh")).turns
    vectors = embed(turns["text"].to_list(), encoder, cache=False).vectors
    timeline = Timeline(turns, vectors, Hydration(), encoder=encoder, tokenizer=tokenizer())
    for position in turns["position"]:
        timeline.observe(position)
    timeline.strategy.context(timeline.view(turns.height), QUERY, 1_000)
    return [
        (
            "read to first context on long_zh",
            perf_counter() - started,
            "s",
            3.0,
            "model loaded, nothing cached",
        )
    ]


def _hydrate(turns: int, repeats: int) -> list[tuple[object, ...]]:
    frame, vectors = long_dialogue(turns)
    encoder = get_encoder("use")
    timeline = Timeline(frame, vectors, Hydration(), encoder=encoder, tokenizer=tokenizer())
    query = embed([QUERY], encoder).vectors[0]
    strategy = timeline.strategy

    def hydrate() -> None:
        strategy.context(timeline.view(turns), QUERY, 1_000)

    def bare() -> None:
        scores = vectors @ query
        np.argpartition(scores, -10)

    for warm in (hydrate, bare):
        warm()
    ours, theirs = _interleaved([hydrate, bare], repeats)
    return [
        (f"hydrate over {turns:,} turns", ours * 1e3, "ms", None, "encoded query, budget 1,000"),
        (f"matmul and argpartition over {turns:,} rows", theirs * 1e3, "ms", None, "NumPy, 512 dimensions"),
        (
            "hydrate as a multiple of bare NumPy",
            ours / theirs,
            "ratio",
            3.0,
            f"medians of {repeats} interleaved",
        ),
    ]


def _replay(turns: int) -> list[tuple[object, ...]]:
    frame, vectors = long_dialogue(turns)
    run = run_replay(
        frame,
        vectors,
        Hydration(),
        budget=1_000,
        encoder=get_encoder("use"),
        tokenizer=tokenizer(),
        questions=empty("questions"),
        gold=empty("gold"),
    )
    spent = run.steps["milliseconds"].struct.field("total")
    return [
        (
            f"prompt of a user turn in a replay of {turns:,} turns",
            spent.median(),
            "ms",
            5.0,
            "median, hydration",
        ),
        ("the same, slowest twentieth", spent.quantile(0.95), "ms", None, "95th percentile"),
    ]


def _signals(turns: int) -> list[tuple[object, ...]]:
    frame, vectors = long_dialogue(turns)
    trigger = resolve_trigger(PLACED.format(0.8))
    started = perf_counter()
    signals = compute_signals(frame, vectors)
    find_boundaries(trigger, frame, vectors, signals=signals)
    return [
        (
            f"signals and trigger over {turns:,} turns",
            perf_counter() - started,
            "s",
            1.0,
            "default signals, given vectors",
        )
    ]


def _threshold(repeats: int) -> list[tuple[object, ...]]:
    frame, vectors = long_dialogue(10_000)
    signals = compute_signals(frame, vectors)
    thresholds = np.linspace(0.6, 0.95, repeats)
    spent = []
    for threshold in thresholds:
        trigger = resolve_trigger(PLACED.format(round(float(threshold), 3)))
        started = perf_counter()
        find_boundaries(trigger, frame, vectors, signals=signals)
        spent.append((perf_counter() - started) * 1e3)
    return [("threshold change on 10,000 turns", float(np.median(spent)), "ms", 50.0, f"median of {repeats}")]


def _interleaved(functions: list[Callable[[], None]], repeats: int) -> list[float]:
    spent: list[list[float]] = [[] for _ in functions]
    for _ in range(repeats):
        for times, function in zip(spent, functions, strict=True):
            started = perf_counter()
            function()
            times.append(perf_counter() - started)
    return [float(np.median(times)) for times in spent]


BENCHES.add(
    "speed",
    Bench(
        measure_speed,
        lambda: {"trigger": default_trigger(), "recall": Recall(), "hydration": Hydration()},
        "speed beside bare NumPy, and the times one waits for",
    ),
)
