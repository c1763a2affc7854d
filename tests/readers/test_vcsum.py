"""VCSum: lengths of segments become positions; gold titles and summaries stay with the first turn."""

import json
from pathlib import Path

import polars as pl

from hydralab.readers import read_all

FILE = Path(__file__).parent / "fixtures" / "vcsum" / "meetings.jsonl"


def test_sentences_are_joined_into_turns_of_numbered_speakers():
    corpus = read_all(FILE)
    assert corpus.turns["text"][0] == "欢迎大家。先谈人才。"
    assert corpus.turns["speaker"].to_list() == ["1", "2", "1", "3"]
    assert corpus.dialogues.select("dialogue_id", "language").row(0) == ("vcsum-5", "zh")


def test_a_boundary_is_the_first_turn_of_the_next_segment():
    """FAULTS 39: lengths count turns."""
    corpus = read_all(FILE)
    assert corpus.gold["position"].to_list() == [2]
    assert corpus.turns["text"][2] == "下一个问题，谈谈资金。"


def test_titles_and_summaries_are_in_the_meta_of_the_first_turn_alone():
    turns = read_all(FILE).turns
    meta = json.loads(turns["meta"][0])
    assert meta["summary"] == "讨论了人才与资金。"
    assert meta["segments"][1] == {"start": 2, "end": 3, "headline": "资金来源", "summary": "资金靠众筹。"}
    assert turns["meta"][1:].null_count() == 3


def test_a_bad_meeting_costs_only_itself(tmp_path):
    good = json.loads(FILE.read_text())
    path = tmp_path / "some.jsonl"
    bad = [{**good, "segment_lengths": [2, 3]}, {**good, "turns": [{"speaker": 1, "sentences": "嗯"}]}]
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in [*bad, good]))
    corpus = read_all(path)
    failed = corpus.events.filter(pl.col("status") == "failed")["detail"].to_list()
    assert "line 1" in failed[0]
    assert "segments [2, 3] for 4 turns" in failed[0]
    assert "line 2" in failed[1]
    assert "turn 0: sentences are '嗯'" in failed[1]
    assert corpus.turns.height == 4
