"""What adapting prompts to their queries gains over a fixed budget that spends as many tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from hydralab.benchmarks.budget import BUNDLED, measure_prompts, timelines
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.frames import Corpus
from hydralab.readers import example, read_all
from hydralab.replay import Timeline
from hydralab.strategies import Adaptive, Hydration

__all__ = ["measure_adaptive"]

STEPS = 12
"""Halvings of the interval in which the fixed budget is looked for."""

Ready = Sequence[tuple[pl.DataFrame, Timeline]]


def measure_adaptive(
    sets: Mapping[str, Path] | None = None,
    *,
    budgets: Sequence[int] = (500, 1_000, 2_000, 4_000),
    encoder: str = "use",
    progress: bool = False,
) -> pl.DataFrame:
    """Measure hydration that adapts beside hydration with the fixed budget that spends as many tokens a prompt.

    Parameters
    ----------
    sets
        Name → file or folder with dialogues and questions; the two long bundled dialogues when None.
    budgets
        What each adaptive prompt may use at most.

    Returns
    -------
    DataFrame
        set, budget, tokens (mean of the adaptive prompts), verbatim, answer, fixed_budget, fixed_tokens,
        fixed_verbatim, fixed_answer (at a budget whose prompts have the nearest mean), questions.
    """
    from tqdm.auto import tqdm

    paths = {name: example(name) for name in BUNDLED} if sets is None else sets
    corpora = {name: read_all(path) for name, path in paths.items()}
    rows: list[dict[str, Any]] = []
    jobs = tqdm([*corpora.items()], disable=not progress, unit="set")
    for name, corpus in jobs:
        fixed = list(timelines(corpus, Hydration(), encoder))
        adaptive = [(asked, each.recalling(Hydration(adaptive=Adaptive()))) for asked, each in fixed]
        rows += [{"set": name, **_compared(corpus, adaptive, fixed, budget)} for budget in budgets]
    return pl.DataFrame(rows)


def _compared(corpus: Corpus, adaptive: Ready, fixed: Ready, budget: int) -> dict[str, Any]:
    ours = measure_prompts(corpus, adaptive, budget)
    same, theirs = _spending(partial(measure_prompts, corpus, fixed), float(ours["tokens"] or 0), budget)
    return {
        "budget": budget,
        "tokens": ours["tokens"],
        "verbatim": ours["verbatim"],
        "answer": ours["answer"],
        "fixed_budget": same,
        "fixed_tokens": theirs["tokens"],
        "fixed_verbatim": theirs["verbatim"],
        "fixed_answer": theirs["answer"],
        "questions": ours["questions"],
    }


def _spending(measure: Any, tokens: float, most: int) -> tuple[int, dict[str, Any]]:
    """Return the budget, and its figures, whose prompts have at least so many tokens in the mean."""
    low, high = 0, most
    found = measure(most)
    for _ in range(STEPS):
        if high - low <= max(most // 200, 1):
            break
        middle = (low + high) // 2
        if middle < tokens / 2:  # too little even for some queries alone
            low = middle
            continue
        tried = measure(middle)
        if tried["tokens"] < tokens:
            low = middle
        else:
            high, found = middle, tried
    return high, found


BENCHES.add(
    "adaptive",
    Bench(
        measure_adaptive,
        lambda: {"hydration": Hydration(), "adaptive": Adaptive()},
        "prompts that adapt to their query, beside a fixed budget of as many tokens",
    ),
)
