"""Tuning a blend: from gold questions, and from verdicts on answers."""

import json

import numpy as np
import polars as pl
import pytest

import hydralab as hl
from hydralab.frames import build

GOOD = {"dense": 0.4, "lexical": 0.8, "recency": 0.1, "score": 0.3}
BAD = {"dense": 0.6, "lexical": 0.2, "recency": 0.9, "score": 0.6}


def drawn(weights, queries=40, items=12, seed=0):
    """Return items of queries of which the best by some weights, and some chance, are evidence."""
    random = np.random.default_rng(seed)
    rows = []
    for query in range(queries):
        columns = random.random((items, len(weights)))
        score = columns @ np.asarray(list(weights.values())) + 0.05 * random.standard_normal(items)
        for row in range(items):
            scores = dict(zip(weights, columns[row].tolist(), strict=True))
            rows.append(
                {"query_id": str(query), "evidence": bool(score[row] >= np.sort(score)[-2]), **scores}
            )
    return pl.DataFrame(rows)


def test_the_weights_that_made_the_labels_are_found():
    tuned = hl.tune_blend(drawn({"dense": 0.2, "lexical": 0.7, "entity": 0.1, "recency": 0.0}))
    assert tuned.weights["lexical"] == pytest.approx(0.7, abs=0.08)
    assert tuned.weights["dense"] == pytest.approx(0.2, abs=0.08)
    assert tuned.weights.get("recency", 0) < 0.05
    assert sum(tuned.weights.values()) == pytest.approx(1, abs=1e-3)
    assert tuned.ordered > 0.9


def test_a_column_that_speaks_against_evidence_gets_no_weight():
    tuned = hl.tune_blend(drawn({"dense": 1.0, "recency": -1.0}))
    assert set(tuned.weights) == {"dense"}


def test_a_long_query_counts_no_more_than_a_short_one():
    short, long = (
        pl.DataFrame(
            [{"query_id": name, "evidence": True, "dense": a, "lexical": b}]
            + [{"query_id": name, "evidence": False, "dense": b, "lexical": a}] * count
        )
        for name, a, b, count in (("short", 1.0, 0.0, 1), ("long", 0.0, 1.0, 20))
    )
    weights = hl.tune_blend(pl.concat([short, short.with_columns(query_id=pl.lit("other")), long])).weights
    assert set(weights) == {"dense"}


@pytest.mark.parametrize("name", ["launch_en", "launch_zh"])
def test_gold_questions_give_a_blend_that_recall_takes(name):
    lab = hl.Lab(hl.read_all(hl.example(name)))
    tuned = hl.tune_blend(hl.gold_items(lab.replay(budget=500)))
    assert tuned.queries == lab.questions.height
    assert tuned.ordered > 0.8
    run = lab.replay(hl.Hydration(recall=hl.Recall(blend=tuned.blend)), budget=500)
    assert run.steps.height


def verdict(number, *, sufficient, used):
    return {
        "verdict_id": f"d:v{number}",
        "query_id": "query",
        "dialogue_id": "d",
        "query": "How much?",
        "status": "failed" if sufficient is None else "ok",
        "sufficient": sufficient,
        "item_ids": ["a", "b", "c"],
        "used_ids": used,
        "item_scores": json.dumps([GOOD, BAD, {}]),
    }


def test_verdicts_tell_what_was_evidence():
    rows = [
        verdict(1, sufficient=True, used=["a"]),
        verdict(2, sufficient=False, used=["b"]),
        verdict(3, sufficient=None, used=["b"]),
    ]
    items = hl.judged_items(build("verdicts", rows))
    assert items.select("query_id", "item_id", "evidence").rows() == [
        ("d:v1", "a", True),
        ("d:v1", "b", False),
        ("d:v2", "a", False),
        ("d:v2", "b", False),
    ]
    tuned = hl.tune_blend(build("verdicts", rows))
    assert tuned.weights == {"lexical": 1.0}
    assert (tuned.queries, tuned.pairs, tuned.ordered, tuned.ordered_before) == (1, 1, 1.0, 0.0)


def test_a_verdict_of_a_real_context_can_be_tuned_on():
    lab = hl.Lab(hl.read_all(hl.example("launch_en")))
    context = lab.hydrate("What was the marketing budget?", budget=800)
    llm = hl.Scripted(['{"sufficient": true, "missing": ""}'])
    told = hl.reflect(llm, context, context.query, "It was 84,500 euros.")
    assert hl.tune_blend(told.table).queries == 1


def test_what_tells_nothing_is_refused():
    alike = drawn({"dense": 1.0}).with_columns(evidence=pl.lit(False))
    with pytest.raises(hl.HydralabError, match="of 40 queries none has both"):
        hl.tune_blend(alike)
    with pytest.raises(hl.HydralabError, match="none has both"):
        hl.tune_blend(build("verdicts", []))
    with pytest.raises(hl.HydralabError, match="expected query_id, evidence and score columns"):
        hl.tune_blend(pl.DataFrame({"text": ["a"]}))
    with pytest.raises(hl.HydralabError, match="no score column puts evidence before the rest"):
        hl.tune_blend(drawn({"dense": -1.0}))
