"""Boundaries against gold, table against table, with the floors beside."""

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from hydralab.errors import FrameError, HydralabError, UnknownNameError
from hydralab.frames import empty
from hydralab.metrics import (
    FLOORS,
    boundary_f1,
    boundary_gaps,
    every_n_gaps,
    pk,
    score_boundaries,
    segmentation_score,
    tolerance_f1,
    window_diff,
)


@pytest.fixture
def corpus(dialogue, marks):
    turns = pl.concat([dialogue("a"), dialogue("b", ("",) * 12), dialogue("c", ("",) * 5)])
    gold = marks("gold", {"a": [4], "b": [3, 6, 9]})
    guess = marks("boundaries", {"a": [4, 6], "b": [3, 7]})
    return turns, gold, guess


def test_a_row_a_dialogue_agrees_with_the_functions_on_arrays(corpus):
    turns, gold, guess = corpus
    rows = score_boundaries(guess, gold, turns, convention="segeval").dialogues
    predicted, truth = boundary_gaps(guess, turns), boundary_gaps(gold, turns)
    assert rows["dialogue_id"].to_list() == ["a", "b", "c"]
    for row in rows.iter_rows(named=True):
        pair = predicted[row["dialogue_id"]], truth[row["dialogue_id"]]
        assert row["pk"] == pytest.approx(pk(*pair, convention="segeval"))
        assert row["window_diff"] == pytest.approx(window_diff(*pair, convention="segeval"))
        assert row["f1"] == pytest.approx(boundary_f1(*pair))
        assert row["tolerance_f1"] == pytest.approx(tolerance_f1(*pair))
        assert row["score"] == pytest.approx(segmentation_score(*pair))
    assert rows["ratio"].to_list() == [2.0, 2 / 3, None]


def test_means_stand_beside_the_floors(corpus):
    """FAULTS 30."""
    turns, gold, guess = corpus
    scores = score_boundaries(guess, gold, turns)
    means = {row["method"]: row for row in scores.means.iter_rows(named=True)}
    assert list(means) == ["predicted", *FLOORS]
    assert means["predicted"]["score"] == pytest.approx(scores.dialogues["score"].mean())
    assert means["predicted"]["ratio"] == 1.0
    assert means["none"]["f1"] == means["none"]["ratio"] == 0
    assert means["every"]["predicted"] == 7 + 11 + 4
    assert all(row["dialogues"] == 3 and row["uncut"] == 1 for row in means.values())
    truth = boundary_gaps(gold, turns)
    every_n = [
        segmentation_score(every_n_gaps(*n), truth[name])
        for name, n in {"a": (8, 4), "b": (12, 3), "c": (5, 5)}.items()
    ]
    assert means["every_n"]["score"] == pytest.approx(np.mean(every_n))


def test_the_floors_of_a_dialogue_do_not_depend_on_its_company(corpus):
    turns, gold, guess = corpus
    alone = score_boundaries(guess, gold, turns.filter(pl.col("dialogue_id") == "b")).means
    again = score_boundaries(guess, gold, turns.filter(pl.col("dialogue_id") == "b")).means
    assert_frame_equal(alone, again)
    by_hand = score_boundaries(guess, gold, turns).dialogues.filter(pl.col("dialogue_id") == "b")
    assert alone["score"][0] == by_hand["score"][0]


@pytest.fixture
def two_annotators(dialogue, marks):
    gold = pl.concat(
        [marks("gold", {"a": [2, 4]}, annotator="ann"), marks("gold", {"a": [4, 6]}, annotator="bob")]
    )
    return dialogue("a"), gold.sort("position"), marks("boundaries", {"a": [4]})


def test_several_annotators_need_a_word(two_annotators):
    turns, gold, guess = two_annotators
    with pytest.raises(
        HydralabError, match=r"dialogue 'a' has 2 annotators \('ann', 'bob'\); expected annotator="
    ):
        score_boundaries(guess, gold, turns)
    with pytest.raises(UnknownNameError, match="unknown annotator 'anne'; known: 'ann'"):
        score_boundaries(guess, gold, turns, annotator="anne")


def test_one_annotator_each_or_the_majority(two_annotators):
    turns, gold, guess = two_annotators
    f1 = {
        name: score_boundaries(guess, gold, turns, annotator=name).means["f1"][0]
        for name in ("ann", "each", "majority")
    }
    assert f1 == pytest.approx({"ann": 2 / 3, "each": 2 / 3, "majority": 1.0})
    each = score_boundaries(guess, gold, turns, annotator="each")
    assert each.dialogues["annotator"].to_list() == ["ann", "bob"]
    assert each.means["dialogues"][0] == 1


def test_boundaries_of_two_triggers_are_refused(dialogue, marks):
    both = pl.concat([marks("boundaries", {"a": [2]}), marks("boundaries", {"a": [2]}, trigger="u")])
    with pytest.raises(
        HydralabError, match=r"boundaries: 2 triggers \('t', 'u'\), expected the boundaries of one"
    ):
        score_boundaries(both, empty("gold"), dialogue("a"))


def test_gold_at_a_missing_turn_is_refused(dialogue, marks):
    with pytest.raises(FrameError, match="gold: dialogue 'a': boundary at position 8"):
        score_boundaries(empty("boundaries"), marks("gold", {"a": [8]}), dialogue("a"))


def test_empty_tables_and_the_shortest_dialogues(dialogue, marks):
    nothing = score_boundaries(empty("boundaries"), empty("gold"), empty("turns"))
    assert nothing.dialogues.height == 0
    assert nothing.means["method"].to_list() == ["predicted", *FLOORS]
    turns = pl.concat([dialogue("a", ("",)), dialogue("b", ("", ""))])
    short = score_boundaries(
        marks("boundaries", {"b": [1]}), marks("gold", {"b": [1]}), turns, zero_division=1.0
    )
    assert short.dialogues["score"].to_list() == [1.0, 1.0]
