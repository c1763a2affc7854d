"""The second stage: a stronger model reads the best candidates, and moves nothing else."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydralab.encoders import FunctionEncoder
from hydralab.errors import HydralabError
from hydralab.recall import SCORE_COLUMNS, Recall, Recaller
from hydralab.recall.history import told_texts

QUERIES = ["How much for marketing?", "猫晚上无聊怎么办？", "Why does my cat scratch the sofa?", "ok", ""]
ALIKE = ["score", *(name for name in SCORE_COLUMNS if name != "rerank")]


def longest(pairs):
    """Score texts by their length, whatever the query."""
    return [float(len(text)) for _, text in pairs]


def counted(read):
    """Make an encoder that notes what it is given to read."""

    def encode(texts):
        read.extend(texts)
        return np.asarray([[1.0, len(text)] for text in texts])

    return FunctionEncoder(encode, "counted", 2)


def test_without_a_second_model_all_is_as_before_and_the_column_is_null(recaller_of):
    for query in QUERIES:
        found = recaller_of(Recall(rerank=None, rerank_top=3, rerank_weight=9.0)).candidates(query)
        assert found.equals(recaller_of().candidates(query))
        assert found["rerank"].is_null().all()


def test_a_model_that_counts_nothing_leaves_order_and_scores(recaller_of):
    for query in QUERIES:
        plain = recaller_of().candidates(query)
        found = recaller_of(Recall(rerank=longest, rerank_weight=0.0)).candidates(query)
        assert found["item_id"].equals(plain["item_id"])
        assert np.allclose(found.select(ALIKE), plain.select(ALIKE))


def test_the_second_model_decides_among_the_best(recaller_of):
    query = "What did we say about the launch?"
    plain = recaller_of().candidates(query)
    found = recaller_of(Recall(rerank=longest, rerank_top=4, rerank_weight=50.0)).candidates(query)
    assert set(found["item_id"][:4]) == set(plain["item_id"][:4])
    assert found["item_id"][4:].to_list() == plain["item_id"][4:].to_list()
    assert found["rerank"].to_list()[:4] == sorted(found["rerank"].to_list()[:4], reverse=True)
    assert found["rerank"][0] == 1
    assert found["rerank"][3] == 0
    assert found["rerank"][4:].is_null().all()


@settings(deadline=None, max_examples=30)
@given(
    top=st.integers(0, 14),
    weight=st.floats(0, 5),
    blend=st.sampled_from(["default", "lexical", -pl.col("rerank"), pl.col("dense") - 2 * pl.col("rerank")]),
    query=st.sampled_from(QUERIES),
)
def test_what_was_not_read_stays_below_in_its_order(talk, top, weight, blend, query):
    turns, vectors = talk.turns(), talk.vectors()
    config = Recall(rerank=longest, rerank_top=top, rerank_weight=weight, blend=blend)
    plain = Recaller(turns, vectors, config=Recall(blend=blend)).candidates(query)
    found = Recaller(turns, vectors, config=config).candidates(query)
    assert set(found["item_id"]) == set(plain["item_id"])
    assert found["score"].is_sorted(descending=True)
    read, order = set(plain["item_id"][:top]), plain["item_id"].to_list()
    assert set(found["item_id"][:top]) == read
    assert found["item_id"].to_list()[top:] == order[top:]
    assert found["rerank"].drop_nulls().is_between(0, 1).all()


def test_a_text_is_read_once_and_only_the_best_are_read(recaller_of):
    read = []
    recaller = recaller_of(Recall(rerank=counted(read), rerank_top=3))
    recaller.candidates("How much for marketing?")
    assert len(read) == 4  # three turns and the query
    recaller.candidates("How much for marketing?")
    assert len(read) == 4
    recaller.candidates("Why does my cat scratch the sofa?")
    assert len(read) == len(set(read)) <= 8


@pytest.mark.parametrize("at", [2, 5, 9])
def test_another_future_changes_nothing(talk, at):
    config = Recall(rerank="e5", rerank_top=4, rerank_weight=0.5)
    lines = [*talk.lines[:at], ("user", "Marketing: 84,500 euros!"), ("user", "猫")]
    one = Recaller(talk.turns(), talk.vectors(), config=config)
    other = Recaller(talk.turns(lines), talk.vectors(lines), config=config)
    for query in QUERIES:
        assert one.candidates(query, at=at).equals(other.candidates(query, at=at))


def test_a_turn_is_read_after_the_one_before_it_and_with_who_speaks(talk):
    read = []
    lines = [("user", "Where?"), ("user", "北京。"), ("user", "And you?")]
    turns = talk.turns(lines, speakers=["Ann", "Bob", None]).with_columns(session=pl.Series(["1", "1", "2"]))
    hour = pl.col("time").first() + pl.duration(hours=pl.col("position"))
    recaller = Recaller(
        turns.with_columns(time=hour), talk.vectors(lines), config=Recall(rerank=counted(read))
    )
    recaller.candidates("who is where")
    assert set(read) == {"who is where", "Ann: Where?", "Ann: Where?\nBob: 北京。", "And you?"}
    assert set(read) - {"who is where"} <= told_texts(turns)


def test_checkpoints_and_rounds_are_read_too(recaller_of, talk):
    recaller = recaller_of(Recall(rerank=longest, rounds=3))
    recaller.add_checkpoints(talk.checkpoints((0, 5, "Launch of the kettle"), (6, 9, "The cat")))
    found = recaller.candidates("Tell me of the kettle's launch")
    assert set(found["kind"]) == {"turn", "round", "checkpoint"}
    assert found["rerank"].is_not_null().all()


@pytest.mark.parametrize(
    ("query", "wanted"), [("我家宠物为什么抓沙发？", "d:6"), ("能花多少钱做推广？", "d:3")]
)
def test_a_multilingual_model_finds_across_languages(talk, query, wanted):
    first = Recall(blend="lexical")
    turns, vectors = talk.turns(), talk.vectors()
    plain = Recaller(turns, vectors, config=first).candidates(query)["item_id"].to_list()
    found = Recaller(turns, vectors, config=Recall(blend="lexical", rerank="e5")).candidates(query)
    assert found["item_id"].to_list().index(wanted) < plain.index(wanted)


def test_a_blend_that_reads_the_column_is_taken_as_it_is(recaller_of):
    blend = pl.col("dense") + 2 * pl.col("rerank")
    found = recaller_of(Recall(blend=blend, rerank=longest, rerank_weight=7.0)).candidates("kettle")
    read = found.drop_nulls("rerank")
    assert read.height
    assert np.allclose(read["score"], read["dense"] + 2 * read["rerank"], atol=1e-6)


def test_what_is_no_model_and_a_model_that_fails_are_told(recaller_of):
    with pytest.raises(HydralabError, match="rerank is int"):
        recaller_of(Recall(rerank=3))
    failing = recaller_of(Recall(rerank=lambda pairs: 1 / 0))
    with pytest.raises(HydralabError, match="'<lambda>' raised ZeroDivisionError"):
        failing.candidates("kettle")
    unknowing = recaller_of(Recall(rerank=lambda pairs: [float("nan")] * len(pairs)))
    with pytest.raises(HydralabError, match="expected one finite number each"):
        unknowing.candidates("kettle")
