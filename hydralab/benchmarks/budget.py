"""How much of the evidence is in the prompt at a token budget: strategies and blends side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.encoders import embed, get_encoder
from hydralab.errors import unknown_name
from hydralab.frames import Corpus
from hydralab.metrics import evidence_met
from hydralab.packing import Split
from hydralab.readers import example, read_all
from hydralab.recall import Recall
from hydralab.recall.blending import blend_expression
from hydralab.replay import Timeline
from hydralab.strategies import Adaptive, FullHistory, Hydration, SlidingWindow, Strategy
from hydralab.texts import tokenizer
from hydralab.triggers import default_trigger

__all__ = ["BUNDLED", "LEVERS", "METHODS", "measure_budget", "measure_prompts", "timelines"]

BUNDLED = ("long_zh", "long_en")


def _all_bm25() -> Hydration:
    return Hydration(
        recall=Recall(blend="lexical"),
        recent_rounds=0,
        checkpoints=0,
        split=Split(system=0, recalled=100, recent=0),
    )


METHODS: Mapping[str, Callable[[], Strategy]] = {
    "hydration": Hydration,
    "hydration, adaptive": lambda: Hydration(adaptive=Adaptive()),
    "hydration, blend lexical": lambda: Hydration(recall=replace(Recall(), blend="lexical")),
    "hydration, blend dense": lambda: Hydration(recall=replace(Recall(), blend="dense")),
    "hydration, blend graph": lambda: Hydration(recall=replace(Recall(), blend="graph")),
    "hydration, no checkpoints": lambda: Hydration(recall=Recall(checkpoints=0)),
    "hydration, literature preset": Hydration.literature,
    "bm25 fills the budget": _all_bm25,
    "sliding_window": SlidingWindow,
    "full_history": FullHistory,
}
"""Method → the strategy with its defaults."""

LEVERS: Mapping[str, Callable[[], Strategy]] = {
    "hydration, reranked by e5": lambda: Hydration(recall=Recall(rerank="e5")),
    "hydration, reranked by minilm": lambda: Hydration(recall=Recall(rerank="minilm")),
    "hydration, query decomposed": lambda: Hydration(recall=Recall(decompose="rules")),
    "hydration, reranked by e5, query decomposed": lambda: Hydration(
        recall=Recall(rerank="e5", decompose="rules")
    ),
}
"""The same of what the default leaves off: measured when named."""


def measure_budget(
    sets: Mapping[str, Path] | None = None,
    *,
    budgets: Sequence[int] = (1_000,),
    methods: Sequence[str] | None = None,
    encoders: Sequence[str] = ("use",),
    progress: bool = False,
) -> pl.DataFrame:
    """Measure evidence met in the prompt.

    Parameters
    ----------
    sets
        Name → file or folder with dialogues and questions; the two long bundled dialogues when None.
    budgets
        Tokens a prompt.
    methods
        Of `METHODS` and `LEVERS`; all `METHODS` when None.
    encoders
        Each encoder is measured with each method that recalls.

    Returns
    -------
    DataFrame
        set, method, encoder, budget, tokens (the mean of the prompts), evidence_turns, verbatim (share of evidence
        turns word for word in the prompt), questions, all_met (share of questions with all of them), answer (share
        of questions whose answer is in the prompt), excluded (questions without evidence).
    """
    from tqdm.auto import tqdm

    paths = {name: example(name) for name in BUNDLED} if sets is None else sets
    corpora = {name: read_all(path) for name, path in paths.items()}
    chosen = METHODS if methods is None else {name: _method(name) for name in methods}
    jobs = [
        (name, method, encoder)
        for name in corpora
        for encoder in encoders
        for method in chosen
        if encoder == encoders[0] or chosen[method]().recall_config is not None
    ]
    rows = [
        {"set": name, "method": method, "encoder": encoder, **row}
        for name, method, encoder in tqdm(jobs, disable=not progress, unit="run")
        for row in measure_strategy(corpora[name], chosen[method](), encoder, budgets)
    ]
    return pl.DataFrame(rows)


def _method(name: str) -> Callable[[], Strategy]:
    known = {**METHODS, **LEVERS}
    if name not in known:
        raise unknown_name("method", name, known)
    return known[name]


def measure_strategy(
    corpus: Corpus, strategy: Strategy, encoder: str, budgets: Sequence[int]
) -> Iterator[dict[str, float | int | None]]:
    """Yield for each budget what `measure_budget` tells of a strategy on a corpus."""
    ready = list(timelines(corpus, strategy, encoder))
    for budget in budgets:
        yield {"budget": budget, **measure_prompts(corpus, ready, budget)}


def measure_prompts(
    corpus: Corpus, ready: Sequence[tuple[pl.DataFrame, Timeline]], budget: int
) -> dict[str, float | int | None]:
    """Return tokens and evidence of the prompts of all gold questions at a budget.

    Parameters
    ----------
    ready
        What `timelines` yields.
    """
    asked = pl.concat([questions for questions, _ in ready])
    contexts = [
        timeline.context(
            timeline.view_after(question["asked_at"], query_id=question["question_id"], explain=False),
            question["text"],
            budget,
        )
        for questions, timeline in ready
        for question in questions.to_dicts()
    ]
    unscored = pl.lit(None, dtype=pl.Struct({"score": pl.Float64})).alias("scores")
    frames = [context.frame.with_columns(unscored) for context in contexts]
    scores = evidence_met(pl.concat(frames), asked, corpus.turns)
    summary = {row["measure"]: row for row in scores.summary.to_dicts()}
    return {
        "tokens": round(sum(context.tokens for context in contexts) / len(contexts), 1),
        "evidence_turns": summary["verbatim"]["evidence_turns"],
        "verbatim": summary["verbatim"]["pooled"],
        "questions": summary["verbatim"]["questions"],
        "all_met": summary["verbatim"]["all_met"],
        "answer": summary["answer"]["all_met"],
        "excluded": summary["verbatim"]["excluded"],
    }


def timelines(corpus: Corpus, strategy: Strategy, encoder: str) -> Iterator[tuple[pl.DataFrame, Timeline]]:
    """Yield the gold questions of each dialogue that has any, and its tables at its end under a strategy."""
    chosen = get_encoder(encoder)
    for dialogue_id in corpus.dialogues["dialogue_id"]:
        turns = corpus.turns.filter(pl.col("dialogue_id") == dialogue_id)
        questions = corpus.questions.filter(pl.col("dialogue_id") == dialogue_id)
        if not questions.height:
            continue
        vectors = embed(turns["text"].to_list(), chosen).vectors
        timeline = Timeline(turns, vectors, strategy, encoder=chosen, tokenizer=tokenizer())
        for position in turns["position"]:
            timeline.observe(position)
        yield questions, timeline


BENCHES.add(
    "budget",
    Bench(
        measure_budget,
        lambda: {
            "trigger": default_trigger(),
            "recall": Recall(),
            "blend": str(blend_expression(Recall().blend)),
            "hydration": Hydration(),
            "adaptive": Adaptive(),
            "window": SlidingWindow(),
        },
        "evidence in the prompt at a token budget, strategy by strategy",
    ),
)
