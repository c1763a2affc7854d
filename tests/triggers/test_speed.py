"""Bounds far above what the machine of the benchmarks takes; `hydralab bench speed` measures."""

from time import perf_counter

import numpy as np
import polars as pl
import pytest

from hydralab.frames import empty
from hydralab.signals import compute_signals
from hydralab.triggers import find_boundaries

README = '((hl.col.shift > {}) | hl.cue("换个话题|另外")).place(min_turns=4, max_turns=40)'


def long_dialogue(turns):
    rows = np.random.default_rng(0).standard_normal((turns, 64), dtype=np.float32)
    position = pl.int_range(turns, eager=True)
    frame = pl.DataFrame(
        {
            "dialogue_id": ["long"] * turns,
            "turn_id": position.cast(pl.String),
            "position": position,
            "round": position // 2,
            "role": ["user", "assistant"] * (turns // 2),
            "text": ["我们再看一下预算的安排。", "The budget is 84,500 euros, fees included."] * (turns // 2),
            "tokens": [10] * turns,
        }
    )
    missing = [
        pl.lit(None, kind).alias(name) for name, kind in empty("turns").schema.items() if name not in frame
    ]
    return frame.with_columns(missing).select(empty("turns").columns), rows


@pytest.mark.parametrize(("turns", "seconds"), [(100_000, 4.0)])
def test_signals_and_trigger_of_a_very_long_dialogue(turns, seconds):
    frame, rows = long_dialogue(turns)
    started = perf_counter()
    find_boundaries(README.format(0.8), frame, rows, signals=compute_signals(frame, rows))
    assert perf_counter() - started < seconds


def test_another_threshold_is_tried_at_once():
    frame, rows = long_dialogue(10_000)
    signals = compute_signals(frame, rows)
    times = []
    for threshold in (0.6, 0.7, 0.8, 0.9):
        started = perf_counter()
        find_boundaries(README.format(threshold), frame, signals=signals)
        times.append(perf_counter() - started)
    assert min(times) < 0.05
