"""MemoryBank: a user's days, and the questions of the file beside them."""

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from hydralab.errors import ReadError
from hydralab.readers import read_all

FOLDER = Path(__file__).parent / "fixtures" / "memorybank"
BANK, PROBES = FOLDER / "memory_bank_mix.json", FOLDER / "probing_questions_mix.jsonl"


def test_a_user_is_a_dialogue_and_a_date_a_session():
    corpus = read_all(BANK)
    assert corpus.dialogues.select("title", "language").rows() == [("林晓", "zh"), ("Nora", "en")]
    assert corpus.turns["session"].to_list() == ["2023-04-27"] * 4 + ["2023-04-29"] * 2 + ["2023-04-27"] * 2
    assert corpus.turns["role"].to_list() == ["user", "assistant"] * 4
    assert corpus.turns.head(2).select("speaker", "text").rows() == [
        ("林晓", "你好，我今天学会了骑车。"),
        (None, "太好了！在哪里学的？"),
    ]
    assert corpus.turns["round"].to_list() == [0, 0, 1, 1, 2, 2, 0, 0]


def test_questions_come_without_gold_at_the_end():
    questions = read_all(BANK).questions
    assert questions["text"].to_list() == ["我在哪里学会了骑车？", "我想学做什么？", "What do I repair?"]
    assert questions["asked_at"].to_list() == [5, 5, 1]
    assert questions["answer"].null_count() == 3
    assert questions["evidence"].list.len().sum() == 0


def test_either_file_reads_both_and_the_folder_each_dialogue_once():
    bank, probes, folder = read_all(BANK), read_all(PROBES), read_all(FOLDER)
    assert probes.turns.equals(bank.turns)
    assert probes.questions.equals(bank.questions)
    assert folder.turns.equals(bank.turns)
    assert folder.questions.equals(bank.questions)


def test_an_empty_day_and_a_stranger_are_told():
    events = read_all(BANK).events
    assert "林晓, 2023-04-28: a day without rounds" in events.filter(pl.col("status") == "ok")["detail"][0]
    assert (
        "1 questions of 'Zed', who has no history" in events.filter(pl.col("status") == "failed")["detail"][0]
    )


def test_questions_alone_are_refused_with_the_file_they_need(tmp_path):
    shutil.copy(PROBES, tmp_path)
    with pytest.raises(ReadError, match=r"expected memory_bank_\*\.json beside probing_questions_mix"):
        read_all(tmp_path / PROBES.name)


def test_a_bad_round_and_a_bad_user_cost_only_themselves(tmp_path):
    users = json.loads(BANK.read_text())
    del users["林晓"]["history"]["2023-04-27"][0]["response"]
    path = tmp_path / "memory_bank_bad.json"
    path.write_text(json.dumps({"Oma": {"history": []}, **users}))
    corpus = read_all(path)
    failed = corpus.events.filter(pl.col("status") == "failed")["detail"].to_list()
    assert "record 1" in failed[0]
    assert "record 2: 2023-04-27, round 0: no field 'response'" in failed[1]
    assert corpus.turns.height == 6
