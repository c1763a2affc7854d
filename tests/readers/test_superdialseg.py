"""SuperDialseg: marks between lines become positions of first turns."""

from pathlib import Path

import polars as pl

from hydralab.readers import read_all

FILE = Path(__file__).parent / "fixtures" / "superdialseg" / "validation.jsonl"


def test_lines_become_turns_with_roles():
    turns = read_all(FILE).turns.filter(pl.col("dialogue_id") == "seg_0")
    assert turns["role"].to_list() == ["user", "assistant", "assistant", "user", "assistant"]
    assert turns["text"].to_list()[1:3] == ["Bring the old one.", "Is it expired?"]
    assert turns["text"][-1] == "Nothing: it is free."


def test_a_boundary_is_the_turn_after_the_mark_and_never_an_end():
    """FAULTS 39: a mark ends a segment, a position starts one; marks at either end bound nothing."""
    corpus = read_all(FILE)
    assert corpus.gold.rows() == [("seg_0", 3, "gold")]
    assert corpus.turns["text"][3] == "What does it cost?"


def test_a_line_of_nobody_costs_only_its_dialogue(tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text(FILE.read_text() + '{"id": "seg_2", "dialogue": "user: a[NEWLINE]b"}\nnot JSON\n')
    corpus = read_all(path)
    failed = corpus.events.filter(pl.col("status") == "failed")["detail"].to_list()
    assert "line 3" in failed[1] or "line 3" in failed[0]
    assert any("turn 1 starts with 'b', expected 'user:' or 'agent:'" in one for one in failed)
    assert any("line 4" in one for one in failed)
    assert corpus.dialogues["dialogue_id"].to_list() == ["seg_0", "seg_1"]
