import numpy as np
import polars as pl
import pytest

from hydralab.errors import HydralabError
from hydralab.triggers import (
    TRIGGERS,
    check_trigger,
    col,
    cue,
    expr,
    get_trigger,
    segmenter,
    step_trigger,
    trigger,
)
from hydralab.triggers.forms import Form
from hydralab.triggers.tree import Trigger

CAUSAL = [
    "change_points(lookahead=1)",
    "change_points(penalty=1.0, scale='unit', lookahead=3)",
    "drift(threshold=0.6, scale='raw')",
]
TREES = [
    ((col.shift > 0.8) | cue("换个话题|另外")).place(min_turns=4, max_turns=40),
    ((col.depth > 0.2) & ~(col.tokens > 400)).place(min_turns=2, max_turns=6, align="turn"),
    (cue("sum", cut="after") | (col.intent_decision > 0.5)).place(max_turns=7),
    expr(pl.col("shift_raw") > pl.col("shift_raw").shift(1), lookahead=0),
    get_trigger("every", n=3) & (col.shift_long > 0.5),
]


WITH_A_MODEL = {"asked", "learned"}
"""What they need has no default; they are checked with one in tests of their own."""


@pytest.mark.parametrize("name", [*sorted({*TRIGGERS} - WITH_A_MODEL), *CAUSAL])
def test_every_registered_trigger_keeps_the_contract(name):
    """FAULTS 40."""
    check_trigger(name)


@pytest.mark.parametrize("chosen", TREES, ids=repr)
def test_trees_keep_the_contract(chosen):
    check_trigger(chosen)


def refuted(chosen, message):
    with pytest.raises(HydralabError, match=message):
        check_trigger(chosen)


def test_a_look_into_the_future_is_refuted_by_the_dialogue_it_fails_on():
    ahead = expr(pl.col("tokens").shift(-2) > 10, lookahead=0)
    refuted(
        ahead,
        r"every prefix: dialogue 1: the boundary at \d+ with \d+ turns known is not so; with all 60, decided",
    )


def test_a_threshold_fitted_on_the_whole_dialogue_is_refuted(registered):
    @trigger(lookahead=0, reads=("tokens",))
    def above_the_mean(signals):
        return signals["tokens"] > signals["tokens"].mean()

    refuted(above_the_mean, "every prefix: dialogue 1: the boundary at")


def test_a_segmenter_that_says_it_is_causal_and_is_not_is_refuted(registered):
    @segmenter(lookahead=1)
    def halves(turns, vectors):
        return [turns.height // 2] if turns.height > 4 else []

    refuted(halves, "every prefix")


def test_a_trigger_that_changes_what_it_is_given_is_refuted(registered):
    @segmenter(lookahead=0)
    def careless(turns, vectors):
        vectors -= vectors.mean(0)
        return []

    refuted(careless, "nothing changed: the vectors passed in were changed")


def test_a_trigger_that_rolls_dice_is_refuted(registered):
    @step_trigger
    def dice(state, row):
        return state, bool(np.random.random() < 0.5), 0.5  # noqa: NPY002

    refuted(dice, "same twice: first")


def test_a_trigger_that_fails_on_short_dialogues_is_refuted(registered):
    @segmenter(lookahead="all")
    def brittle(turns, vectors):
        return [1] if vectors[1].sum() > 0 else []

    refuted(brittle, r"short dialogues: 1 turns: .*IndexError")


def test_everything_registered_is_a_tree_or_a_form():
    assert all(isinstance(TRIGGERS[name], Trigger | Form) for name in TRIGGERS)
    assert {"every", "texttiling", "change_points", "drift", "default"} <= set(TRIGGERS)
