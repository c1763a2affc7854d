"""TIAGE: marks on utterances become positions."""

import json
from pathlib import Path

import polars as pl

from hydralab.readers import read_all

FILE = Path(__file__).parent / "fixtures" / "tiage" / "anno.json"


def test_a_mark_is_on_the_first_turn_of_its_topic():
    """FAULTS 39: the mark 1 stands where a topic starts; on a first turn it bounds nothing."""
    corpus = read_all(FILE)
    assert corpus.gold["position"].to_list() == [2]
    assert corpus.turns["text"][2] == "i bake bread at night ."


def test_two_people_take_turns():
    turns = read_all(FILE).turns
    assert turns["role"].unique().to_list() == ["user"]
    assert turns["speaker"].to_list() == ["A", "B", "A", "B", "A", "B"]
    assert turns["round"].to_list() == [0, 0, 1, 1, 0, 0]


def test_another_mark_costs_only_its_dialogue(tmp_path):
    path = tmp_path / "anno.json"
    path.write_text(json.dumps({"0": [["hm", "-1"], ["ah", "2"]], **json.loads(FILE.read_text())}))
    corpus = read_all(path)
    (failed,) = corpus.events.filter(pl.col("status") == "failed")["detail"].to_list()
    assert "record 1" in failed
    assert "turn 1 is ['ah', '2'], expected an utterance with one of -1, 0, 1" in failed
    assert corpus.dialogues.height == 2
