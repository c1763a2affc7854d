"""QMSum: spans become evidence and boundaries; topics and summaries stay with the first turn."""

import json
from pathlib import Path

import polars as pl
import pytest

from hydralab.readers import read_all

FILE = Path(__file__).parent / "fixtures" / "qmsum" / "Lab004.json"


@pytest.fixture
def corpus():
    return read_all(FILE)


def test_a_meeting_has_its_files_name_and_its_speakers(corpus):
    assert corpus.dialogues.select("dialogue_id", "title").row(0) == ("Lab004", "Lab004")
    assert corpus.turns["speaker"].to_list()[:3] == ["Chair", "Chair", "Grad A"]
    assert corpus.turns["role"].unique().to_list() == ["user"]


def test_a_boundary_is_the_first_turn_of_each_span(corpus):
    """FAULTS 39: spans are inclusive; the turn after one belongs to it until the next starts."""
    assert corpus.gold["position"].to_list() == [1, 3, 6]
    assert corpus.turns["text"][3] == "Now the budget ."


def test_spans_of_a_query_are_its_evidence(corpus):
    asked = corpus.questions.row(0, named=True)
    assert asked["evidence"] == ["Lab004:3", "Lab004:6"]
    assert (asked["answer"], asked["category"], asked["asked_at"]) == ("It is small.", "specific", 6)


def test_topics_and_summaries_are_in_the_meta_of_the_first_turn(corpus):
    meta = json.loads(corpus.turns["meta"][0])
    assert meta["topics"][1] == {"topic": "Budget", "spans": [[3, 4], [6, 6]]}
    assert meta["summaries"][0]["summary"] == "They opened and talked of money."
    assert corpus.turns["meta"][1:].null_count() == 6


def test_a_span_outside_the_meeting_costs_only_its_question(corpus):
    (failed,) = corpus.events.filter(pl.col("status") == "failed")["detail"].to_list()
    assert failed.endswith("question 1: span 6 to 9, expected turns from 0 to 6")
    assert corpus.questions.height == 1


def test_meetings_also_come_one_a_line(tmp_path):
    meeting = json.loads(FILE.read_text())
    other = {**meeting, "meeting_transcripts": meeting["meeting_transcripts"][1:]}
    path = tmp_path / "train.jsonl"
    path.write_text(json.dumps(meeting) + "\n" + json.dumps({**meeting, "meeting_transcripts": [{}]}) + "\n")
    path.write_text(path.read_text() + json.dumps(other) + "\n")
    corpus = read_all(path)
    assert corpus.dialogues.height == 2
    assert corpus.dialogues["dialogue_id"].str.starts_with("qmsum-").all()
    assert any("line 2" in one and "turn 0: no field 'content'" in one for one in corpus.events["detail"])
