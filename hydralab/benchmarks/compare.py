"""Every strategy on the same dialogues and budgets: evidence, tokens, calls of a chat model, cost and time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter

import polars as pl

from hydralab.benchmarks.budget import BUNDLED, timelines
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.errors import unknown_name
from hydralab.frames import Corpus
from hydralab.llms import LLM, Call, Message, Scripted, Usage, cost_of, record_calls
from hydralab.metrics import evidence_met
from hydralab.packing import Context
from hydralab.readers import example, read_all
from hydralab.replay import Timeline
from hydralab.replay.stepping import stable_prefix
from hydralab.strategies import (
    Auto,
    ExplicitMemory,
    FullHistory,
    Hydration,
    LangGraphStore,
    Layered,
    Modelled,
    RunningSummary,
    SlidingWindow,
    Strategy,
    ThreeTier,
)
from hydralab.texts import sentences
from hydralab.triggers import default_trigger

__all__ = ["STRATEGIES_COMPARED", "measure_comparison"]

BUDGETS = (500, 1_000, 2_000, 4_000)
PRICED_AS = "gpt-4o-mini"
"""The model at whose prices tokens are charged."""

TURNS = 60
"""Prefixes are measured on the prompts of the user's turns among so many last ones."""

TAGGED = re.compile(r"<dialogue>\n(.*)\n</dialogue>", re.DOTALL)


def _scripted(make: Callable[[LLM], Strategy]) -> Strategy:
    return make(Scripted(_answered))


WITHOUT: Mapping[str, Callable[[], Strategy]] = {
    "full_history": FullHistory,
    "sliding_window": SlidingWindow,
    "hydration": Hydration,
    "hydration, literature preset": Hydration.literature,
    "running_summary": RunningSummary,
    "explicit_memory": ExplicitMemory,
    "layered": Layered,
    "layered, stable first": partial(Layered, stable_first=True),
    "three_tier": ThreeTier,
    "auto": Auto,
    "langgraph": LangGraphStore,
}

WITH: Mapping[str, Callable[[LLM], Strategy]] = {
    "hydration+llm": Modelled,
    "running_summary": RunningSummary,
    "explicit_memory": ExplicitMemory,
    "layered": Layered,
    "three_tier": ThreeTier,
}

STRATEGIES_COMPARED: Mapping[str, Callable[[], Strategy]] = {
    **WITHOUT,
    **{f"{name}, scripted": partial(_scripted, make) for name, make in WITH.items()},
}
"""Name → strategy; those that end in ", scripted" ask a chat model that follows a script, the others none."""


def measure_comparison(
    sets: Mapping[str, Path] | None = None,
    *,
    budgets: Sequence[int] = BUDGETS,
    methods: Sequence[str] | None = None,
    progress: bool = False,
) -> pl.DataFrame:
    """Measure what every strategy brings and costs.

    Parameters
    ----------
    sets
        Name → file or folder with dialogues and questions; the two long bundled dialogues when None.
    budgets
        Tokens a prompt.
    methods
        Of `STRATEGIES_COMPARED`; all when None.

    Returns
    -------
    DataFrame
        set, strategy, budget; of the prompts of all gold questions verbatim (share of evidence turns word for word),
        answer (share of questions whose answer is there), tokens (mean), milliseconds (median a prompt); llm_calls
        and llm_cost (of going through the dialogue and of these prompts); stable (share of a prompt's tokens that
        stand as they stood in the prompt of the turn before), cost and cost_cached (dollars for a thousand such
        prompts, read without a prefix cache and with it). Dollars are those of gpt-4o-mini.
    """
    from tqdm.auto import tqdm

    paths = {name: example(name) for name in BUNDLED} if sets is None else sets
    corpora = {name: read_all(path) for name, path in paths.items()}
    chosen = {name: _method(name) for name in methods or STRATEGIES_COMPARED}
    jobs = [(name, method) for name in corpora for method in chosen]
    rows = [
        {"set": name, "strategy": method, **row}
        for name, method in tqdm(jobs, disable=not progress, unit="run")
        for row in _measured(corpora[name], chosen[method](), budgets)
    ]
    return pl.DataFrame(rows)


def _method(name: str) -> Callable[[], Strategy]:
    if name not in STRATEGIES_COMPARED:
        raise unknown_name("method", name, STRATEGIES_COMPARED)
    return STRATEGIES_COMPARED[name]


def _measured(
    corpus: Corpus, strategy: Strategy, budgets: Sequence[int]
) -> Iterator[dict[str, float | int | None]]:
    with record_calls() as observing:
        ready = list(timelines(corpus, strategy, "use"))
    for budget in budgets:
        with record_calls() as asking:
            asked, times = _asked(ready, budget)
        unscored = pl.lit(None, dtype=pl.Struct({"score": pl.Float64})).alias("scores")
        frame = pl.concat([context.frame.with_columns(unscored) for context in asked])
        questions = pl.concat([questions for questions, _ in ready])
        met = {row["measure"]: row for row in evidence_met(frame, questions, corpus.turns).summary.to_dicts()}
        calls = [*observing, *asking]
        yield {
            "budget": budget,
            "verbatim": met["verbatim"]["pooled"],
            "answer": met["answer"]["all_met"],
            "tokens": round(sum(context.tokens for context in asked) / len(asked), 1),
            "llm_calls": len(calls),
            "llm_cost": round(sum(map(_cost, calls), 0.0), 6),
            **_prefixes([timeline for _, timeline in ready], budget),
            "milliseconds": round(median(times), 2),
        }


def _asked(ready: Sequence[tuple[pl.DataFrame, Timeline]], budget: int) -> tuple[list[Context], list[float]]:
    """Return the prompts of all gold questions, and how long each took."""
    contexts, times = [], []
    for questions, timeline in ready:
        for query_id, asked_at, text in questions.select("question_id", "asked_at", "text").iter_rows():
            started = perf_counter()
            view = timeline.view_after(asked_at, query_id=query_id, explain=False)
            contexts.append(timeline.context(view, text, budget))
            times.append((perf_counter() - started) * 1e3)
    return contexts, times


def _prefixes(ready: Sequence[Timeline], budget: int) -> dict[str, float]:
    """Return how much of the prompts of the last turns stands as before, and what a thousand of them cost."""
    tokens = cached = prompts = 0
    for timeline in ready:
        asked = timeline.turns.tail(TURNS).filter(
            pl.col("role") == "user", pl.col("text").str.strip_chars() != ""
        )
        contexts = [
            timeline.context(timeline.view(position, explain=False), text, budget)
            for position, text in asked.select("position", "text").iter_rows()
        ]
        for before, now in pairwise(contexts):
            prompts += 1
            tokens += now.tokens
            cached += stable_prefix(now, before, timeline.tokenizer)
    thousand = 1_000 / max(prompts, 1)
    return {
        "stable": round(cached / max(tokens, 1), 4),
        "cost": round((cost_of(PRICED_AS, Usage(tokens)) or 0.0) * thousand, 5),
        "cost_cached": round((cost_of(PRICED_AS, Usage(tokens, cached=cached)) or 0.0) * thousand, 5),
    }


def _cost(call: Call) -> float:
    return cost_of(PRICED_AS, call.usage) or 0.0


def _answered(messages: Sequence[Message]) -> str:
    """Answer in the form that is asked for, with the last thing said: nothing here is understood."""
    asked = str(messages[-1]["content"])
    said = TAGGED.search(asked)
    last = "".join(sentences(said.group(1))[-2:]) if said else ""
    if "<notes>" in asked and "<message>" in asked:
        return "1, 2"
    if "<known>" in asked:
        return json.dumps({"memories": [{"kind": "fact", "text": last}]}, ensure_ascii=False)
    if "<summary>" in asked:
        return last or "…"
    return json.dumps({"title": last[:20], "summary": last}, ensure_ascii=False)


BENCHES.add(
    "compare",
    Bench(
        measure_comparison,
        lambda: {"trigger": default_trigger(), **{name: make() for name, make in WITHOUT.items()}},
        "every strategy at the same budgets: evidence, tokens, calls, cost and time",
    ),
)
