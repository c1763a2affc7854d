"""Which turns and sessions recall finds for questions with gold: hydralab's default beside BM25 and vectors alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any

import polars as pl

from hydralab.benchmarks.jobs import done_once
from hydralab.benchmarks.results import BENCHES, Bench, foundations
from hydralab.encoders import embed, get_encoder
from hydralab.errors import unknown_name
from hydralab.frames import Corpus
from hydralab.metrics import Interval, mean_interval, paired_interval, score_ranked
from hydralab.readers import example, read_all
from hydralab.recall import Recall, Recaller
from hydralab.recall.blending import Blend, blend_expression, weighted
from hydralab.replay.naming import name_run
from hydralab.texts import key_texts

__all__ = ["LEVERS", "METHODS", "measure_retrieval"]

BUNDLED = ("long_zh", "long_en")
ALL = 1_000_000
"""More turns than any dialogue has: the whole order is wanted, so that every session has a place in it."""

METHODS: Mapping[str, Recall] = MappingProxyType(
    {
        "hydralab": Recall(),
        "bm25": Recall(blend="lexical"),
        "dense": Recall(blend="dense"),
        "newest first": Recall(blend="recency"),
    }
)
"""Method → how it recalls; the first is the library's default, the last a floor."""

LEVERS: Mapping[str, Recall] = MappingProxyType(
    {
        "hydralab, reranked by e5": Recall(rerank="e5"),
        "hydralab, reranked by minilm": Recall(rerank="minilm"),
        "hydralab, query decomposed": Recall(decompose="rules"),
        "hydralab, reranked by e5, query decomposed": Recall(rerank="e5", decompose="rules"),
    }
)
"""The same of what the default leaves off: measured when named, and with `ablate`."""

LEVELS = {"turn": "evidence", "session": "evidence_sessions"}
"""What is looked for → the column of questions that names the gold."""

KS = (1, 5, 10, 25)
SHORT = ("recall_proportional@5", "recall_proportional@10")
"""Told of each category, and, question by question, as the first method's lead over each other one."""


@dataclass(frozen=True)
class Part:
    """One dialogue with its questions, for one encoder."""

    turns: pl.DataFrame
    questions: pl.DataFrame
    encoder: str
    methods: Mapping[str, Recall]


def measure_retrieval(
    sets: Mapping[str, Path] | None = None,
    *,
    methods: Sequence[str] | None = None,
    encoders: Sequence[str] = ("use",),
    ablate: bool = False,
    metrics: Sequence[str] | None = None,
    jobs: int | None = None,
    progress: bool = False,
) -> pl.DataFrame:
    """Rank turns and sessions for every question, and score the order.

    A question sees the turns up to the one after which it is asked, not itself. A session stands where its best
    turn stands; the session in which the question is asked is none of those looked for. Ids that reach recall are
    numbers, so that nothing is told by them.

    Parameters
    ----------
    sets
        Name → file or folder with dialogues and questions; the two long bundled dialogues when None.
    methods
        Of `METHODS` and `LEVERS`; all `METHODS` when None.
    encoders
        Each encoder is measured with each method.
    ablate
        Also the default without each of its score columns, named "hydralab, no …", and `LEVERS`.
    metrics
        Only these, with their leads, over all categories together; everything when None.
    jobs
        Processes; see `hydralab.benchmarks.jobs.done_once`.

    Returns
    -------
    DataFrame
        A row a set, encoder, level ("turn" or "session"), method, category ("all" first) and metric: set, encoder,
        level, method, default (whether it is the library's), excluded (questions without gold), seconds (of
        ranking the questions with gold), category, metric, k (null for MRR), value, lo, hi (95 %, bootstrap over
        questions), n. "…, lead of hydralab" is by how much the first method is better, question by question.
    """
    paths = {name: example(name) for name in BUNDLED} if sets is None else sets
    chosen = dict(METHODS) if methods is None else {name: _method(name) for name in methods}
    if ablate:
        chosen |= {**_ablations(), **LEVERS}
    parts = {
        (name, encoder, place): Part(*each, encoder, chosen)
        for name, path in paths.items()
        for place, each in enumerate(_dialogues(read_all(path)))
        for encoder in encoders
    }
    named = {f"{key}, {name_run('part', part.turns, part)}": part for key, part in parts.items()}
    done = done_once(_ranked, named, rests_on=foundations("retrieval"), jobs=jobs, progress=progress)
    ranked: dict[tuple[str, str], list[pl.DataFrame]] = {}
    asked: dict[tuple[str, str], int] = {}
    for ((name, encoder, _), part), each in zip(parts.items(), done, strict=True):
        ranked.setdefault((name, encoder), []).append(each)
        asked[name, encoder] = asked.get((name, encoder), 0) + part.questions.height
    rows = [
        {"set": key[0], "encoder": key[1], **row}
        for key, dialogues in ranked.items()
        for row in _rows(pl.concat(dialogues), asked[key], list(chosen))
    ]
    measured = pl.DataFrame(rows, infer_schema_length=None)
    if metrics is None:
        return measured
    known = measured["metric"].str.split(", ").list.first()
    for name in metrics:
        if name not in known:
            raise unknown_name("metric", name, known.unique().sort())
    return measured.filter(known.is_in(list(metrics)) & (pl.col("category") == "all"))


def _method(name: str) -> Recall:
    known = {**METHODS, **LEVERS}
    if name not in known:
        raise unknown_name("method", name, known)
    return known[name]


def _ablations() -> dict[str, Recall]:
    weights = Blend("default").weights or {}
    return {
        f"hydralab, no {left_out}": replace(
            Recall(), blend=weighted({name: float(w) for name, w in weights.items() if name != left_out})
        )
        for left_out in weights
    }


def _dialogues(corpus: Corpus) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
    """Yield turns and questions of each dialogue that has questions, under ids that tell nothing."""
    turn = {name: f"t{place}" for place, name in enumerate(corpus.turns["turn_id"])}
    sessions = corpus.turns.select("dialogue_id", "session").unique(maintain_order=True).drop_nulls()
    session = {
        name: f"s{place}" for place, name in enumerate(sessions["session"].unique(maintain_order=True))
    }
    for dialogue_id in corpus.dialogues["dialogue_id"]:
        questions = corpus.questions.filter(pl.col("dialogue_id") == dialogue_id)
        if not questions.height:
            continue
        turns = corpus.turns.filter(pl.col("dialogue_id") == dialogue_id)
        yield (
            turns.with_columns(pl.col("turn_id").replace_strict(turn), pl.col("session").replace(session)),
            questions.with_columns(
                pl.col("evidence").list.eval(pl.element().replace(turn)),
                pl.col("evidence_sessions").list.eval(pl.element().replace(session)),
            ),
        )


def _ranked(part: Part) -> pl.DataFrame:
    """Return a row a question with gold, level and method: its scores, and the seconds of ranking a question."""
    encoder = get_encoder(part.encoder)
    vectors = embed(key_texts(part.turns), encoder).vectors
    asked = part.questions.to_dicts()
    embed([each["text"] for each in asked], encoder, kind="query")  # so that no method waits for it
    last = part.turns.height - 1
    moments = [last if each["asked_at"] is None else min(each["asked_at"], last) for each in asked]
    session_of = dict(part.turns.select("turn_id", "session").rows())
    sessions = part.turns["session"].to_list()
    own = [sessions[moment] if moment < last else None for moment in moments]
    first = Recaller(part.turns, vectors, encoder=encoder)
    frames = []
    for method, config in part.methods.items():
        recaller = first.reconfigured(replace(config, turns=ALL))
        started = perf_counter()
        found = [
            recaller.find(each["text"], at=moment + 1, now=moment).item_ids
            for each, moment in zip(asked, moments, strict=True)
        ]
        seconds = (perf_counter() - started) / max(len(asked), 1)
        in_sessions = [
            [name for name in dict.fromkeys(map(session_of.get, ids)) if name not in (None, here)]
            for ids, here in zip(found, own, strict=True)
        ]
        for level, ranked in (("turn", found), ("session", in_sessions)):
            by_question = dict(zip(part.questions["question_id"], ranked, strict=True))
            scores = score_ranked(by_question, part.questions, ks=KS, gold=LEVELS[level]).questions
            told = {"level": pl.lit(level), "method": pl.lit(method), "seconds": pl.lit(seconds)}
            frames.append(scores.with_columns(**told))
    return pl.concat(frames)


def _rows(scores: pl.DataFrame, asked: int, methods: Sequence[str]) -> Iterator[dict[str, Any]]:
    measures = [column for column in scores.columns if column == "mrr" or "@" in column]
    for (level,), own in scores.partition_by("level", as_dict=True, maintain_order=True).items():
        by_method = {name: own.filter(pl.col("method") == name).sort("question_id") for name in methods}
        for method, rows in by_method.items():
            head = {
                "level": level,
                "method": method,
                "default": method == "hydralab",
                "excluded": asked - rows.height,
                "seconds": round(float(rows["seconds"].sum()), 2),
            }
            for measure in measures:
                yield head | _measured("all", measure, mean_interval(rows[measure]), rows.height)
            by_category = rows.drop_nulls("category").partition_by("category", as_dict=True)
            for (category,), part in sorted(by_category.items()):
                for measure in SHORT:
                    yield head | _measured(category, measure, mean_interval(part[measure]), part.height)
            for measure in SHORT if method != methods[0] else ():
                lead = paired_interval(by_method[methods[0]][measure], rows[measure])
                told = _measured("all", measure, lead, rows.height)
                yield head | told | {"metric": f"{told['metric']}, lead of {methods[0]}"}


def _measured(category: Any, measure: str, interval: Interval, n: int) -> dict[str, Any]:
    metric, _, k = measure.partition("@")
    mean, lo, hi = (round(each, 4) for each in interval)
    return {
        "category": category,
        "metric": metric,
        "k": int(k) if k else None,
        "value": mean,
        "lo": lo,
        "hi": hi,
        "n": n,
    }


BENCHES.add(
    "retrieval",
    Bench(
        measure_retrieval,
        lambda: {"recall": Recall(), "blend": str(blend_expression(Recall().blend))},
        "which turns and sessions recall finds, beside BM25 and vectors alone",
    ),
)
