"""RealMem: a persona's sessions in the order lived, with queries asked at their own turns."""

import json
from pathlib import Path

import polars as pl
import pytest

from hydralab.readers import read_all

FILE = Path(__file__).parent / "fixtures" / "realmem" / "mina.json"


@pytest.fixture
def corpus():
    return read_all(FILE)


def test_a_persona_is_one_dialogue_of_sessions(corpus):
    assert corpus.dialogues.select("dialogue_id", "user_id", "title").row(0) == (
        "Mina_Park",
        "Mina_Park",
        "Mina Park",
    )
    assert corpus.turns["session"].unique(maintain_order=True).to_list() == ["aa11", "bb22", "cc33"]
    assert corpus.turns["role"].to_list() == ["user", "assistant"] * 5


def test_two_sessions_of_a_day_follow_each_other(corpus):
    assert corpus.turns["time"].is_sorted()
    assert corpus.turns["time"].n_unique() == 10
    assert corpus.turns["time"][4].isoformat() == "2026-01-05T00:00:04+00:00"


def test_a_query_is_asked_at_its_own_turn(corpus):
    at = dict(corpus.turns.select("position", "text").iter_rows())
    assert corpus.questions["asked_at"].to_list() == [6, 8]
    assert [at[position] for position in corpus.questions["asked_at"]] == corpus.questions["text"].to_list()
    assert corpus.questions["category"].to_list() == ["Dynamic Updating", "Temporal-reasoning"]
    assert corpus.questions["question_id"][0] == "Mina_Park:Q-0001"


def test_evidence_is_the_sessions_and_the_turns_that_the_file_names(corpus):
    first, second = corpus.questions.iter_rows(named=True)
    assert first["evidence_sessions"] == ["aa11"]
    assert second["evidence_sessions"] == ["bb22"]
    assert first["evidence"] == ["Mina_Park:2"], "counted from 1; turn 0 is none, nor is one of another role"
    assert second["evidence"] == []


def test_sessions_that_an_answer_used_stay_with_the_answer(corpus):
    used = corpus.turns.filter(pl.col("meta").str.contains("memory_session_uuids"))
    assert used["position"].to_list() == [5, 7, 9]
    assert used["role"].unique().to_list() == ["assistant"]


def test_a_bad_session_costs_only_itself(tmp_path):
    persona = json.loads(FILE.read_text())
    del persona["dialogues"][1]["dialogue_turns"][0]["content"]
    path = tmp_path / "mina.json"
    path.write_text(json.dumps(persona))
    corpus = read_all(path)
    (failed,) = corpus.events.filter(pl.col("status") == "failed")["detail"].to_list()
    assert failed.endswith("session 1: turn 0: no field 'content'")
    assert corpus.turns["session"].unique(maintain_order=True).to_list() == ["aa11", "cc33"]
    assert corpus.questions["asked_at"].to_list() == [4, 6]
