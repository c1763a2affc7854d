"""From tables to arrays: which gap a position lies on, and whose gold counts."""

import polars as pl
import pytest

from hydralab.errors import FrameError
from hydralab.metrics import boundary_gaps


def test_a_position_lies_on_the_gap_before_its_turn(dialogue, marks):
    gaps = boundary_gaps(marks("gold", {"a": [3, 7]}), dialogue("a"))
    assert gaps["a"].tolist() == [False, False, True, False, False, False, True]


def test_every_dialogue_of_the_turns_has_an_entry(dialogue, marks):
    turns = pl.concat([dialogue("b"), dialogue("a", ("one",))])
    gaps = boundary_gaps(marks("gold", {"b": [1], "elsewhere": [5]}), turns)
    assert {name: len(flags) for name, flags in gaps.items()} == {"b": 7, "a": 0}


def test_positions_need_not_start_at_zero(dialogue, marks):
    later = dialogue("a").filter(pl.col("position") >= 4)
    assert boundary_gaps(marks("gold", {"a": [6]}), later)["a"].tolist() == [False, True, False]


@pytest.mark.parametrize("position", [0, 8])
def test_a_boundary_at_the_first_turn_or_after_the_last_is_named(position, dialogue, marks):
    with pytest.raises(
        FrameError, match=f"boundaries: dialogue 'a': boundary at position {position}, expected"
    ):
        boundary_gaps(marks("boundaries", {"a": [position]}), dialogue("a"))
