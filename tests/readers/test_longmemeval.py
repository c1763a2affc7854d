"""LongMemEval: haystacks in the order of their dates, with ids that tell nothing."""

import json
from pathlib import Path

import polars as pl

from hydralab.readers import read_all

FILE = Path(__file__).parent / "fixtures" / "longmemeval" / "oracle.json"


def test_sessions_are_in_the_order_of_their_dates():
    turns = read_all(FILE).turns.head(4)
    assert turns["session"].to_list() == ["session_1", "session_1", "session_2", "session_2"]
    assert turns["time"].is_sorted()
    assert turns["time"][0].isoformat() == "2024-05-02T21:30:00+00:00"
    assert turns["role"].to_list() == ["user", "assistant"] * 2


def test_evidence_is_the_marked_turns_and_the_answer_sessions():
    corpus = read_all(FILE)
    asked = corpus.questions.row(0, named=True)
    texts = dict(corpus.turns.select("turn_id", "text").iter_rows())
    assert [texts[turn][:10] for turn in asked["evidence"]] == ["I take the", "The 17 was"]
    assert asked["evidence_sessions"] == ["session_1", "session_2"]
    assert (asked["answer"], asked["category"], asked["asked_at"]) == ("the 42", "knowledge-update", 3)


def test_neither_ids_nor_marks_of_the_answer_reach_the_turns():
    """FAULTS 29: ids leak the label."""
    corpus = read_all(FILE)
    seen = corpus.turns.write_json() + corpus.dialogues.write_json()
    for leak in ("answer_", "has_answer", "_abs", "sharegpt_"):
        assert leak not in seen


def test_a_question_without_an_answer_is_an_abstention_and_keeps_its_id():
    asked = read_all(FILE).questions.row(1, named=True)
    assert asked["category"] == "abstention"
    assert asked["evidence"] == []
    assert asked["question_id"].endswith(":q18_abs")


def test_a_bad_record_and_a_bad_turn_cost_only_themselves(tmp_path):
    first, second = json.loads(FILE.read_text())
    first["haystack_dates"].pop()
    second["haystack_sessions"][0][0]["content"] = None
    path = tmp_path / "some.json"
    path.write_text(json.dumps([first, second]))
    corpus = read_all(path)
    failed = corpus.events.filter(pl.col("status") == "failed")["detail"].to_list()
    assert "record 1" in failed[0]
    assert "record 2: session_1, turn 0: field 'content' is NoneType" in failed[1]
    assert corpus.turns["text"].to_list() == ["Petrarchan."]
