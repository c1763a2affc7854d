"""KdConv: a change of entity stands in for a boundary, and says so."""

import json
from pathlib import Path

import polars as pl

from hydralab.readers import read_all

FILE = Path(__file__).parent / "fixtures" / "kdconv" / "travel.json"


def test_two_people_take_turns_about_the_title():
    corpus = read_all(FILE)
    assert corpus.dialogues.select("title", "language").row(0) == ("石桥公园", "zh")
    assert corpus.turns["speaker"].to_list() == ["A", "B"] * 3
    assert corpus.turns["role"].unique().to_list() == ["user"]
    assert corpus.turns["text"][0] == "你去过石桥公园吗？"


def test_the_stand_in_is_where_the_knowledge_changes_and_its_annotator_says_so():
    corpus = read_all(FILE)
    assert corpus.gold.select("position", "annotator").rows() == [(3, "entity-change proxy")]
    assert corpus.turns["text"][3] == "云塔寺我知道，建于唐代。"


def test_a_bad_message_costs_only_its_dialogue(tmp_path):
    (good,) = json.loads(FILE.read_text())
    path = tmp_path / "travel.json"
    path.write_text(json.dumps([good, {"name": "x", "messages": [{"message": "嗯"}, {"attrs": []}]}]))
    corpus = read_all(path)
    (failed,) = corpus.events.filter(pl.col("status") == "failed")["detail"].to_list()
    assert "record 2" in failed
    assert "turn 1: no field 'message'" in failed
    assert corpus.dialogues.height == 1
