"""DialSeg711: lengths of talks become positions of first turns."""

import json
from pathlib import Path

import polars as pl

from hydralab.readers import read_all

FILE = Path(__file__).parent / "fixtures" / "dialseg711" / "talks.json"


def test_a_boundary_is_the_first_turn_of_the_next_talk():
    """FAULTS 39: a boundary is off by one because two conventions meet."""
    corpus = read_all(FILE)
    starts = corpus.gold.join(corpus.turns, on=["dialogue_id", "position"], maintain_order="left")
    assert starts["text"].to_list() == ["Wake me at six.", "Book a table for two.", "Is it windy?"]
    assert 0 not in corpus.gold["position"].to_list()


def test_roles_take_turns_whatever_the_gold_says():
    """FAULTS 29: roles that start anew with each talk would leak where it starts."""
    corpus = read_all(FILE)
    assert corpus.turns["role"].to_list() == ["user", "assistant"] * 3 + ["user", "assistant"] * 2 + ["user"]


def test_roles_that_may_be_swapped_are_told():
    events = read_all(FILE).events
    assert events["status"].to_list() == ["salvaged"]
    assert "the roles from turn 1 on may be swapped" in events["detail"][0]


def test_lengths_that_do_not_add_up_cost_only_their_dialogue(tmp_path):
    first, second = json.loads(FILE.read_text())
    first["segments"] = [2, 3]
    path = tmp_path / "talks.json"
    path.write_text(json.dumps([first, second]))
    corpus = read_all(path)
    (failed,) = corpus.events.filter(pl.col("status") == "failed")["detail"].to_list()
    assert "record 1" in failed
    assert "segments [2, 3] for 6 utterances" in failed
    assert corpus.dialogues.height == 1
