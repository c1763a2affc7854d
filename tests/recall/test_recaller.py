import numpy as np
import polars as pl
import pytest

from hydralab.encoders import embed
from hydralab.errors import HydralabError
from hydralab.frames import empty, validate
from hydralab.recall import SCORE_COLUMNS, Recall, Recaller

MONEY = "How much money is there for publicity?"


def ids(found):
    return found["item_id"].to_list()


def test_what_bears_on_the_question_comes_first_and_every_score_is_a_column(recaller_of):
    found = recaller_of().candidates(MONEY, query_id="q1")
    assert validate("candidates", found) is not None
    assert found.columns[-len(SCORE_COLUMNS) :] == list(SCORE_COLUMNS)
    assert ids(found)[:2] in (["d:3", "d:2"], ["d:2", "d:3"])
    assert found["query_id"].unique().to_list() == ["q1"]
    assert found["rank"].to_list() == list(range(1, found.height + 1))
    assert found["score"].is_sorted(descending=True)
    scores = found.select(*SCORE_COLUMNS).drop("rerank")
    assert found["rerank"].is_null().all()
    assert scores.null_count().sum_horizontal().item() == 0
    assert scores.min_horizontal().min() >= 0
    assert scores.max_horizontal().max() <= 1


def test_nothing_at_or_after_the_moment_is_recalled(recaller_of):
    recaller = recaller_of()
    for at in (1, 4, 9):
        assert sorted(recaller.candidates(MONEY, at=at)["source_turn_ids"].explode()) == sorted(
            f"d:{place}" for place in range(at)
        )


def test_a_turn_equal_to_the_query_is_not_recalled_nor_does_it_lift_its_neighbours(recaller_of):
    recaller = recaller_of()
    found = recaller.candidates("what could we  spend on MARKETING?")
    assert "d:2" not in ids(found)
    assert found.filter(item_id="d:1")["lexical_around"].item() == 0


def test_items_can_be_left_out_and_counts_limited(recaller_of):
    found = recaller_of(Recall(turns=3, rounds=2)).candidates(MONEY, exclude=["d:3"])
    assert found["kind"].value_counts(sort=True).rows() == [("turn", 3), ("round", 2)]
    assert "d:3" not in ids(found)


def test_rounds_are_candidates_when_asked_for_and_hold_what_was_said_by_then(recaller_of):
    found = recaller_of(Recall(turns=0, rounds=9)).candidates(MONEY, at=3)
    assert dict(found.select("item_id", "source_turn_ids").rows()) == {"d@1": ["d:2"], "d@0": ["d:0", "d:1"]}


def test_turns_out_of_order_are_refused_and_nothing_of_them_is_taken(recaller_of, talk):
    recaller, turns, vectors = recaller_of(upto=4), talk.turns(), talk.vectors()
    for rows, message in (([5, 4], "row 1 of 'd' has position 4 after 5"), ([3, 4], "position 3 after 3")):
        with pytest.raises(HydralabError, match=message):
            recaller.extend(turns[rows], vectors[rows])
    recaller.extend(turns[4:6], vectors[4:6])
    assert recaller.candidates(MONEY).equals(recaller_of(upto=6).candidates(MONEY))
    with pytest.raises(HydralabError, match="expected them in order of position"):
        Recaller(turns[::-1], vectors[::-1])


@pytest.mark.parametrize("index", ["exact", "hnsw"])
@pytest.mark.parametrize("text", ["", "   ", "🎉", "\ud83d", "a" * 5000])
def test_any_query_gets_an_answer(recaller_of, index, text):
    assert recaller_of(Recall(index=index)).candidates(text).height == 12


def test_the_shortest_dialogues_are_no_errors(recaller_of):
    for upto in (0, 1, 2):
        found = recaller_of(upto=upto).candidates(MONEY)
        assert validate("candidates", found).height == upto
        assert found.columns[-1] == list(SCORE_COLUMNS)[-1]


def test_both_indexes_recall_the_same(recaller_of):
    exact, hnsw = (recaller_of(Recall(index=index)).candidates(MONEY) for index in ("exact", "hnsw"))
    assert ids(exact) == ids(hnsw)
    np.testing.assert_allclose(exact["score"], hnsw["score"], atol=1e-5)


def test_a_vector_that_is_known_need_not_be_made_again(recaller_of):
    recaller = recaller_of()
    known = recaller.candidates(MONEY, vector=embed([MONEY], kind="query").vectors[0])
    assert known.equals(recaller.candidates(MONEY))


def test_moments_outside_the_dialogue_and_wrong_vectors_are_refused(recaller_of, talk):
    recaller, turns, vectors = recaller_of(), talk.turns(), talk.vectors()
    for at in (-1, 13):
        with pytest.raises(HydralabError, match=f"at is {at}, expected 0 to 12"):
            recaller.candidates(MONEY, at=at)
    with pytest.raises(HydralabError, match="11 vectors for 12 turns"):
        Recaller(turns, vectors[1:])
    with pytest.raises(HydralabError, match="row 4 holds nan"):
        Recaller(turns, np.where(np.arange(12)[:, None] == 4, np.nan, vectors))
    with pytest.raises(HydralabError, match="2 dialogues, expected one"):
        recaller.extend(turns.with_columns(dialogue_id=pl.lit("e")), vectors)


def test_what_is_no_table_and_no_setting_is_refused():
    with pytest.raises(HydralabError, match="Recaller: turns is 5, expected a turns table"):
        Recaller(5, np.zeros((0, 512), np.float32))
    with pytest.raises(HydralabError, match=r"Recaller: config is 5, expected an hl\.Recall or None"):
        Recaller(empty("turns"), np.zeros((0, 512), np.float32), config=5)
