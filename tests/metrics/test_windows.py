"""Pk and WindowDiff in three conventions, against the programs they come from."""

import numpy as np
import pytest
import segeval
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics import segmentation as nltk_segmentation

from hydralab.errors import HydralabError, UnknownNameError
from hydralab.metrics import CONVENTIONS, pk, window_diff, window_size

# predicted, gold (0/1 a gap), then (k, Pk, WindowDiff) of superdialseg, segeval and nltk
GOLDEN = [
    ("0010000100", "0001000100", (2, 1 / 5, 1 / 5), (2, 2 / 9, 2 / 9), (3, 2 / 9, 2 / 9)),
    ("0000000000", "0001000100", (2, 2 / 5, 2 / 5), (2, 4 / 9, 4 / 9), (3, 2 / 3, 2 / 3)),
    ("1111111111", "0001000100", (2, 3 / 5, 1.0), (2, 5 / 9, 1.0), (3, 1 / 3, 1.0)),
    ("0100000", "0000000", (4, 2 / 5, 2 / 5), (4, 1 / 2, 1 / 2), (4, 2 / 5, 2 / 5)),
    ("000010000010000", "000010000000010", (3, 3 / 7, 3 / 7), (3, 5 / 13, 5 / 13), (4, 5 / 13, 5 / 13)),
    ("000100000", "000010000", (2, 2 / 9, 2 / 9), (2, 1 / 4, 1 / 4), (5, 1 / 6, 1 / 6)),
    ("0000000010000", "0000001000000", (4, 4 / 11, 4 / 11), (4, 2 / 5, 2 / 5), (7, 3 / 8, 3 / 8)),
    ("0000100000", "0101001010", (2, 4 / 5, 4 / 5), (2, 8 / 9, 8 / 9), (1, 5 / 11, 5 / 11)),
    ("0101001010", "0000100000", (3, 2 / 3, 2 / 3), (3, 5 / 8, 5 / 8), (6, 1 / 6, 1.0)),
    ("0", "1", (2, 1.0, 1.0), (1, 1.0, 1.0), (1, 1 / 2, 1 / 2)),
    ("", "", (1, 0.0, 0.0), (1, 0.0, 0.0), (1, 0.0, 0.0)),
]


def pairs(least):
    def one(gaps):
        return st.lists(st.booleans(), min_size=gaps, max_size=gaps).map(np.array)

    return st.integers(least, 40).flatmap(lambda gaps: st.tuples(one(gaps), one(gaps)))


segmentations = pairs(least=1)


def flags(text):
    return np.array([each == "1" for each in text], dtype=bool)


def masses(gaps):
    return tuple(int(mass) for mass in np.diff([0, *(np.flatnonzero(gaps) + 1), len(gaps) + 1]))


def turn_string(gaps):
    return "".join(str(int(gap)) for gap in gaps) + "0"


@pytest.mark.parametrize(("predicted", "gold", "superdialseg", "segeval", "nltk"), GOLDEN)
def test_golden_table(predicted, gold, superdialseg, segeval, nltk):
    predicted, gold = flags(predicted), flags(gold)
    for convention, expected in zip(CONVENTIONS, (superdialseg, segeval, nltk), strict=True):
        measured = (
            window_size(gold, convention=convention),
            pk(predicted, gold, convention=convention),
            window_diff(predicted, gold, convention=convention),
        )
        assert measured == pytest.approx(expected), convention


@given(pairs(least=2))  # segeval divides by zero for two turns
def test_agrees_with_segeval(pair):
    predicted, gold = pair
    ours = pk(predicted, gold, convention="segeval"), window_diff(predicted, gold, convention="segeval")
    theirs = (
        segeval.pk(masses(predicted), masses(gold)),
        segeval.window_diff(masses(predicted), masses(gold)),
    )
    assert ours == pytest.approx([float(each) for each in theirs])


@given(segmentations)
def test_agrees_with_nltk_as_superdialseg_calls_it(pair):
    predicted, gold = pair
    k = max(2, round((len(gold) + 1) / (gold.sum() + 1) / 2))
    strings = turn_string(gold), turn_string(predicted)
    ours = pk(predicted, gold), window_diff(predicted, gold)
    assert ours == pytest.approx(
        (nltk_segmentation.pk(*strings, k=k), nltk_segmentation.windowdiff(*strings, k))
    )


@given(segmentations)
def test_agrees_with_nltk_on_its_own(pair):
    predicted, gold = pair
    ours = pk(predicted, gold, convention="nltk")
    assert ours == pytest.approx(nltk_segmentation.pk(turn_string(gold), turn_string(predicted)))


@given(segmentations, st.sampled_from(CONVENTIONS))
def test_window_diff_is_the_stricter_and_a_perfect_prediction_is_perfect(pair, convention):
    predicted, gold = pair
    assert (
        0
        <= pk(predicted, gold, convention=convention)
        <= window_diff(predicted, gold, convention=convention)
        <= 1
    )
    assert window_diff(gold, gold, convention=convention) == 0


def test_exchanging_prediction_and_gold_gives_another_number():
    one, other = flags("0000100000"), flags("0101001010")
    assert pk(one, other, convention="segeval") != pk(other, one, convention="segeval")


def test_the_window_can_be_given():
    gold = flags("0001000100")
    assert pk(flags("0000000000"), gold, k=3) == pk(flags("0000000000"), gold, convention="nltk")


def test_bad_input_is_named():
    with pytest.raises(HydralabError, match="predicted has 2 gaps and gold 1, expected as many"):
        pk([True, False], [True])
    with pytest.raises(HydralabError, match="gold: expected True and False a gap"):
        pk([0, 1], [0, 2])
    with pytest.raises(HydralabError, match="predicted: expected one value a gap"):
        window_diff([[True]], [True])
    with pytest.raises(HydralabError, match="k is 9, expected 1 to 3"):
        pk([True, False], [True, False], k=9)
    with pytest.raises(UnknownNameError, match="unknown convention 'segevl'; known: 'segeval'"):
        pk([True], [True], convention="segevl")
