import numpy as np
import polars as pl
import polars.testing
import pytest

from hydralab.core.backend import use_backend
from hydralab.errors import HydralabError, UnknownNameError
from hydralab.frames import validate
from hydralab.signals import (
    DEFAULT_SIGNALS,
    SIGNALS,
    Question,
    Shift,
    compute_signals,
    default_signals,
    get_signal,
)


def test_the_default_set_is_fixed():
    assert list(DEFAULT_SIGNALS) == [
        "shift", "shift_raw", "shift_long", "depth", "gap_seconds", "tokens", "turn_length", "question", "cue",
        "refers_back",
    ]  # fmt: skip
    assert default_signals("minilm")["shift"] == Shift(prior="minilm")


def test_dialogues_do_not_see_each_other(dialogue, rows):
    first, second = dialogue(*"abcdef", name="a"), dialogue(*"ghij", name="b")
    both = compute_signals(pl.concat([first, second]), rows(10))
    alone = compute_signals(second, rows(10)[6:])
    assert validate("signals", both)[6:].equals(alone)


def test_unknown_is_null(dialogue, rows):
    signals = compute_signals(dialogue("a", "b"), rows(2))
    assert signals["shift"].null_count() == 1
    assert signals.select(pl.selectors.float().is_nan().any()).row(0) == (False,) * len(DEFAULT_SIGNALS)


def test_without_vectors_the_default_set_leaves_out_what_needs_them(dialogue):
    assert "shift" not in compute_signals(dialogue("a")).columns
    with pytest.raises(HydralabError, match="signal 'shift' is computed from vectors, and none were given"):
        compute_signals(dialogue("a"), signals={"shift": Shift()})


def test_no_turns_give_an_empty_table(dialogue, rows):
    found = compute_signals(dialogue(), rows(0))
    assert found.height == 0
    assert found.columns[2:] == list(DEFAULT_SIGNALS)


def test_vectors_must_fit_the_turns(dialogue, rows):
    with pytest.raises(HydralabError, match=r"shape \(2, 16\) for 3 turns, expected one row a turn"):
        compute_signals(dialogue(*"abc"), rows(2))


def test_a_dialogue_in_two_pieces_is_refused(dialogue, rows):
    turns = dialogue(*"abc")
    torn = turns.with_columns(dialogue_id=pl.Series(["a", "b", "a"]))
    with pytest.raises(HydralabError, match="expected each dialogue in one piece"):
        compute_signals(torn, rows(3))


def test_turns_out_of_order_are_refused(dialogue, rows):
    shuffled = [0, 2, 1, 3]
    message = "row 2 of 'd' has position 1 after 2, expected them in order of position"
    with pytest.raises(HydralabError, match=message):
        compute_signals(dialogue(*"abcd")[shuffled], rows(4)[shuffled])
    part = compute_signals(dialogue(*"abcd")[2:], signals={"question": Question()})
    assert part["position"].to_list() == [2, 3]


def test_something_else_than_a_signal_is_refused(dialogue):
    with pytest.raises(HydralabError, match="signal 'mine': got str, expected a signal"):
        compute_signals(dialogue("a"), signals={"mine": "shift"})


def test_a_signal_that_gives_too_few_values_is_refused(dialogue):
    class Short(Question):
        def values(self, turns, vectors, *, closed):
            return np.zeros(1)

    with pytest.raises(HydralabError, match=r"signal 'mine': \(1,\) values for 2 turns"):
        compute_signals(dialogue("a", "b"), signals={"mine": Short()})


def test_names_given_come_first_then_the_default_then_the_registered():
    assert get_signal("shift", {"shift": Shift(window=9)}) == Shift(window=9)
    assert get_signal("intent_decision").name == "decision"
    assert "intent_decision" in SIGNALS
    with pytest.raises(UnknownNameError, match="unknown signal 'shfit'; known: 'shift'"):
        get_signal("shfit")


def test_a_signal_that_is_not_whole_is_told_what_it_lacks(dialogue):
    class Exclaims:
        lookahead, range, unit, needs_vectors = 0, None, "marks", False

        def values(self, turns, vectors, *, closed):
            return turns["text"].str.count_matches("[!！]").to_numpy()

    with pytest.raises(HydralabError, match="got Exclaims without source, expected a signal such as"):
        compute_signals(dialogue("!"), signals={"exclaims": Exclaims()})


def test_another_backend_gives_the_same_signals(dialogue, rows):
    turns, vectors = dialogue(*["x"] * 30), rows(30)
    expected = compute_signals(turns, vectors)
    before = use_backend("torch")
    try:
        found = compute_signals(turns, vectors)
    finally:
        use_backend(before.name, device=before.device)
    pl.testing.assert_frame_equal(found, expected, abs_tol=2e-5)
