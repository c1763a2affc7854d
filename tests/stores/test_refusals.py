"""What either store refuses, and what it keeps apart from the caller."""

import polars as pl
import pytest

from hydralab.errors import FrameError, UnknownNameError
from hydralab.frames import build


def test_a_table_that_does_not_exist(store, dialogue):
    for call in (
        store.read,
        lambda name: store.append(name, dialogue()),
        lambda name: store.replace(name, dialogue()),
    ):
        with pytest.raises(UnknownNameError, match="unknown table 'turn'; known: 'turns'"):
            call("turn")


def test_a_naive_time(store, dialogue):
    """FAULTS 24."""
    naive = dialogue().with_columns(time=pl.datetime(2025, 5, 7))
    with pytest.raises(FrameError, match=r"turns: column 'time' is Datetime.*expected Datetime.*UTC"):
        store.append("turns", naive)


def test_a_further_column_of_a_type_that_cannot_be_kept(store):
    nested = build("signals", [{"dialogue_id": "a", "position": 0}]).with_columns(shift=pl.lit([1.0]))
    with pytest.raises(
        FrameError, match=r"signals: column 'shift' is List.*expected Float64, Int64, Boolean, String"
    ):
        store.append("signals", nested)


def test_what_is_done_to_a_table_that_was_read_or_appended_stays_outside(store):
    marks = build("gold", [{"dialogue_id": "a", "position": each} for each in (1, 2)])
    store.append("gold", marks)
    for frame in (marks, store.read("gold")):
        frame[0, "position"] = 99
    assert store.read("gold")["position"].to_list() == [1, 2]


def test_many_small_appends_are_one_table(store, dialogue):
    for i in range(150):
        store.append("turns", dialogue([i]))
    assert store.read("turns").equals(dialogue(range(150)))
