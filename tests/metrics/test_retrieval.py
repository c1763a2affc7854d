"""Recall, MRR and NDCG, each named, with empty gold excluded and counted."""

import math

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.errors import HydralabError
from hydralab.frames import build, empty
from hydralab.metrics import (
    ndcg,
    ndcg_longmemeval,
    recall_all,
    recall_any,
    recall_proportional,
    reciprocal_rank,
    score_ranked,
    score_retrieval,
)

ids = st.sampled_from("abcdefgh")
rankings = st.lists(ids, unique=True)
golds = st.sets(ids, min_size=1)


def test_three_recalls_differ_where_a_question_has_several_gold_ids():
    """FAULTS 29."""
    ranked, gold = ["a", "x", "b", "y", "c"], {"a", "b", "c", "d"}
    assert [
        recall_any(ranked, gold, 3),
        recall_all(ranked, gold, 3),
        recall_proportional(ranked, gold, 3),
    ] == [1, 0, 0.5]


@pytest.mark.parametrize("measure", [recall_any, recall_all, recall_proportional, ndcg, ndcg_longmemeval])
def test_without_gold_there_is_no_recall(measure):
    """FAULTS 29."""
    assert math.isnan(measure(["a"], set(), 5))
    assert math.isnan(reciprocal_rank(["a"], set()))


@given(rankings, golds, st.integers(1, 9))
def test_recalls_are_ordered_and_grow_with_k(ranked, gold, k):
    assert recall_all(ranked, gold, k) <= recall_proportional(ranked, gold, k) <= recall_any(ranked, gold, k)
    assert recall_proportional(ranked, gold, k) <= recall_proportional(ranked, gold, k + 1)
    assert recall_proportional(ranked, gold, k) == len(set(ranked[:k]) & gold) / len(gold)


@given(rankings, golds, st.integers(1, 9))
def test_ndcg_and_reciprocal_rank_by_their_sums(ranked, gold, k):
    gained = sum(1 / math.log2(2 + i) for i, each in enumerate(ranked[:k]) if each in gold)
    most = sum(1 / math.log2(2 + i) for i in range(min(k, len(gold))))
    assert ndcg(ranked, gold, k) == pytest.approx(gained / most)
    assert reciprocal_rank(ranked, gold) == max(
        (1 / (1 + i) for i, each in enumerate(ranked) if each in gold), default=0
    )


def test_an_id_that_comes_again_counts_at_its_first_place():
    assert recall_proportional(["a", "a", "b"], {"a", "b"}, 2) == 1.0


def test_a_depth_below_one_is_refused():
    with pytest.raises(HydralabError, match="k is 0, expected at least 1"):
        recall_any(["a"], {"a"}, 0)


@pytest.fixture
def asked():
    return build(
        "questions",
        [
            {"question_id": "q1", "dialogue_id": "a", "text": "?", "category": "single", "evidence": ["a:1"]},
            {
                "question_id": "q2",
                "dialogue_id": "a",
                "text": "?",
                "category": "multi",
                "evidence": ["a:1", "a:2"],
                "evidence_sessions": ["s1"],
            },
            {"question_id": "q3", "dialogue_id": "a", "text": "?", "category": "multi", "evidence": []},
            {"question_id": "q4", "dialogue_id": "a", "text": "?", "evidence": ["a:9"]},
        ],
    )


def ranking(query_id, *items):
    return [{"query_id": query_id, "item_id": item, "rank": i} for i, item in enumerate(items, start=1)]


def test_tables_are_scored_by_question_and_category(asked):
    """FAULTS 29."""
    rows = ranking("q2", "a:5", "a:2", "a:1") + ranking("q1", "a:1", "a:2")
    scores = score_retrieval(build("candidates", rows[::-1]), asked, ks=[2])
    assert scores.questions["question_id"].to_list() == ["q1", "q2", "q4"]
    assert scores.questions["recall_proportional@2"].to_list() == [1, 0.5, 0]
    assert scores.questions["mrr"].to_list() == [1, 0.5, 0]
    summary = scores.means.select("category", "questions", "excluded", "recall_any@2").rows()
    assert summary == [(None, 3, 1, 2 / 3), ("multi", 1, 1, 1.0), ("single", 1, 0, 1.0)]


def test_only_turns_take_ranks_unless_asked_for(asked):
    rows = ranking("q1", "a@0", "a#0-3", "a:1", "a:2")
    for row, kind in zip(rows, ["round", "checkpoint", "turn", None], strict=True):
        row["kind"] = kind
    found = build("candidates", rows)
    assert score_retrieval(found, asked, ks=[1]).questions["mrr"][0] == 1
    assert score_retrieval(found, asked, ks=[1], kind=None).questions["mrr"][0] == 1 / 3
    assert score_retrieval(found, asked, ks=[1], kind="round").questions["mrr"][0] == 0
    with pytest.raises(
        HydralabError, match="no candidate of kind 'turn', expected one of 'checkpoint', 'round'"
    ):
        score_retrieval(found.head(2), asked)


def test_sessions_are_scored_from_their_own_column(asked):
    found = build("candidates", ranking("q2", "s1"))
    assert score_retrieval(found, asked, gold="evidence_sessions").means.row(0)[:3] == (None, 1, 3)
    with pytest.raises(HydralabError, match="gold is 'text', expected 'evidence' or 'evidence_sessions'"):
        score_retrieval(found, asked, gold="text")


def test_empty_tables_are_scored():
    scores = score_retrieval(empty("candidates"), empty("questions"))
    assert scores.means.select("questions", "excluded", "mrr").rows() == [(0, 0, None)]


@given(st.lists(rankings, min_size=1, max_size=4), st.data())
def test_means_agree_with_ir_measures(rankings, data):
    """FAULTS 29: `ir_measures` (over trec_eval) as the oracle."""
    golds = [data.draw(st.sets(ids, min_size=1)) for _ in rankings]
    named = {f"q{place}": ranked for place, ranked in enumerate(rankings)}
    asked = build(
        "questions",
        [
            {"question_id": name, "dialogue_id": "a", "text": "?", "evidence": sorted(gold)}
            for name, gold in zip(named, golds, strict=True)
        ],
    )
    qrels = [
        ir_measures.Qrel(name, each, 1) for name, gold in zip(named, golds, strict=True) for each in gold
    ]
    run = [
        ir_measures.ScoredDoc(name, each, -place)
        for name, ranked in named.items()
        for place, each in enumerate(ranked)
    ]
    measures = [ir_measures.nDCG @ 3, ir_measures.R @ 3, ir_measures.RR, ir_measures.Success @ 3]
    theirs = ir_measures.calc_aggregate(measures, qrels, run)
    ours = score_ranked(named, asked, ks=[3]).means.row(0, named=True)
    for name, measure in zip(
        ["ndcg@3", "recall_proportional@3", "mrr", "recall_any@3"], measures, strict=True
    ):
        assert ours[name] == pytest.approx(theirs[measure])


def test_longmemevals_discount_spares_the_second_rank():
    assert ndcg_longmemeval(["x", "a"], {"a"}, 5) == 1.0
    assert ndcg_longmemeval(["x", "y", "a"], {"a"}, 5) == pytest.approx(1 / math.log2(3))
    assert math.isnan(ndcg_longmemeval(["a"], set(), 5))
