import json

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from hydralab.checkpoints import (
    edit_checkpoint,
    extract_checkpoints,
    mark_checkpoint,
    merge_checkpoints,
    split_checkpoint,
)
from hydralab.errors import HydralabError, UnknownNameError
from hydralab.texts import tokenizer

SAID = [
    "The kiln draws 8 kW.",
    "Ask the landlord.",
    "Pruett signed.",
    "Good.",
    "Now the tiles.",
    "Sage ones?",
]


@pytest.fixture(scope="module")
def turns(make_turns):
    return pl.concat([make_turns(*SAID), make_turns("other", "talk", dialogue_id="e")])


@pytest.fixture
def table(turns, make_cuts):
    return extract_checkpoints(turns, make_cuts(2, 4))


def test_merging_is_as_if_the_boundary_had_not_been(turns, table, make_cuts):
    merged = merge_checkpoints(table, turns, "d#0-1", "d#2-3")
    assert_frame_equal(merged, extract_checkpoints(turns, make_cuts(4)))


def test_merging_into_the_open_span_leaves_it_open(turns, table):
    merged = merge_checkpoints(table, turns, "d#4-5", "d#0-1")
    assert merged.select("checkpoint_id", "status").rows() == [("d#0-5", "open"), ("e#0-1", "open")]


def test_splitting_undoes_merging_but_for_the_trigger(turns, table):
    merged = merge_checkpoints(table, turns, "d#0-1", "d#2-3")
    again = split_checkpoint(merged, turns, "d#0-3", 2)
    made_by = ["kind", "trigger", "score", "decided_at", "ready_at"]
    assert_frame_equal(again.drop(made_by), table.drop(made_by))
    assert again["trigger"].to_list() == ["manual", "cue", None, None]


def test_the_first_part_of_an_open_span_is_decided_now(turns, table):
    row = split_checkpoint(table, turns, "d#4-5", 5).filter(pl.col("start") == 4).row(0, named=True)
    assert (row["decided_at"], row["status"], row["kind"]) == (5, "ready", "manual")


def test_a_split_between_call_and_result_moves_back_to_the_call(make_turns, make_cuts):
    """FAULTS 4: no cut by hand parts them either."""
    parts = {1: json.dumps([{"type": "tool_call", "id": "c", "name": "f", "arguments": {}}])}
    said = [("user", "a"), ("assistant", "b"), ("tool", "c"), ("assistant", "d")]
    turns = make_turns(*said, parts=parts)
    table = extract_checkpoints(turns, make_cuts())
    assert split_checkpoint(table, turns, "d#0-3", 2)["start"].to_list() == [0, 1]
    later = extract_checkpoints(turns, make_cuts(1))
    with pytest.raises(HydralabError, match="would part from it"):
        split_checkpoint(later, turns, "d#1-3", 2)


def test_a_mark_closes_a_span_of_its_kind(turns, table):
    marked = mark_checkpoint(table, turns, 1, kind="decision", dialogue_id="d")
    assert marked.select("checkpoint_id", "kind").row(0) == ("d#0-0", "decision")
    assert mark_checkpoint(table, turns, 2, kind="task", dialogue_id="d")["kind"][0] == "task"


def test_an_edit_counts_the_tokens_again(table):
    edited = edit_checkpoint(table, "d#0-1", title="窑", summary="功率八千瓦。", keywords=["窑"])
    row = edited.row(0, named=True)
    assert row["tokens"] == tokenizer().count("窑\n功率八千瓦。")
    assert row["keywords"] == ["窑"]
    assert_frame_equal(edited[1:], table[1:])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda table, turns: merge_checkpoints(table, turns, "d#0-1", "e#0-1"), "two dialogues"),
        (
            lambda table, turns: split_checkpoint(table, turns, "d#0-1", 0),
            "expected one after the first turn",
        ),
        (
            lambda table, turns: mark_checkpoint(table, turns, 9, dialogue_id="d"),
            "no checkpoint of the dialogue",
        ),
        (lambda table, turns: mark_checkpoint(table, turns, 0, dialogue_id="d"), "the dialogue starts there"),
        (lambda table, turns: edit_checkpoint(table, "d#0-1", start=3), "'start' can't be edited"),
    ],
)
def test_what_cannot_be_is_refused(table, turns, change, message):
    with pytest.raises(HydralabError, match=message):
        change(table, turns)


@pytest.mark.parametrize(
    "change",
    [
        lambda table, turns: edit_checkpoint(table, "d#0-9", title="x"),
        lambda table, turns: edit_checkpoint(table, "d#0-1", kind="topik"),
        lambda table, turns: mark_checkpoint(table, turns, 1, kind="decison", dialogue_id="d"),
        lambda table, turns: mark_checkpoint(table, turns, 1),
    ],
)
def test_unknown_names_list_the_known_ones(table, turns, change):
    with pytest.raises(UnknownNameError, match="known: '"):
        change(table, turns)
