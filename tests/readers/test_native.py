"""hydralab's own JSON Lines."""

from datetime import UTC, datetime
from pathlib import Path

import hydralab.readers as readers

FILE = Path(__file__).parent / "fixtures" / "native.jsonl"


def test_a_file_holds_dialogues_with_gold_and_questions():
    corpus = readers.read_all(FILE)
    assert corpus.dialogues.rows() == [
        ("tea", "kim", "Tea", "en", "hydralab: native.jsonl"),
        ("茶", None, "茶", "zh", "hydralab: native.jsonl"),
    ]
    assert corpus.turns["turn_id"].to_list() == ["tea:t0", "tea:t1", "tea:t2", "tea:t3", "茶:a"]
    assert corpus.turns["time"][0] == datetime(2026, 1, 1, tzinfo=UTC)
    assert corpus.gold.rows() == [("tea", 2, "gold")]
    assert corpus.questions.rows() == [
        ("tea:q1", "tea", 2, "How hot should the tea be?", "85 degrees", ["tea:t1"], [], "lexical")
    ]


def test_bad_lines_are_told_and_the_rest_is_read(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"turn": "t0", "role": "user", "text": "too early"}\n{"hydralab": 1, "dialogue_id": "a"}\n'
        '{"turn": "t0", "text": "x"}\n'
        '{"turn": "t1", "role": "user", "text": "kept"}\n{"nothing": 1}\n{"hydralab": 9, "dialogue_id": "b"}\n[1]\n'
    )
    corpus = readers.read_all(path)
    assert corpus.turns["text"].to_list() == ["kept"]
    assert [detail.split(": ", 1)[1] for detail in corpus.events["detail"]] == [
        "a turn or question before the first header",
        "no field 'role'",
        "neither a header, nor a turn, nor a question",
        "format version 9, expected 1",
        "no object",
    ]
