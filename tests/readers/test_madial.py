"""MADial-Bench: memories as turns, test dialogues as questions."""

import shutil
from pathlib import Path

import polars as pl
import pytest

from hydralab.errors import ReadError
from hydralab.readers import read_all

FOLDER = Path(__file__).parent / "fixtures" / "madial"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_users_memories_are_turns_in_the_order_of_their_dates(language):
    corpus = read_all(FOLDER / f"MADial-{language}-memory.json")
    assert corpus.dialogues["title"].to_list() == ["Mia", "Noah"]
    mia = corpus.turns.filter(pl.col("speaker") == "Mia")
    assert [turn.split(":")[1] for turn in mia["turn_id"]] == ["2", "7"]
    assert mia["time"].is_sorted()
    assert mia["role"].unique().to_list() == ["user"]
    assert "scene" in mia["meta"][0]


def test_the_talk_before_the_test_turn_is_the_question():
    asked = read_all(FOLDER / "MADial-zh-memory.json").questions.row(0, named=True)
    assert asked["text"] == "Mia: 今天风好大！\nAssistant: 适合出去玩呢。\nMia: 我想放风筝。"
    assert asked["answer"] == "就像你和爷爷那次一样？"
    assert [turn.split(":")[1] for turn in asked["evidence"]] == ["2"]
    assert asked["asked_at"] == 1


def test_a_line_without_a_tag_is_said_by_nobody():
    asked = read_all(FOLDER / "MADial-en-memory.json").questions.row(0, named=True)
    assert asked["text"].splitlines()[1] == "Good for going out."


def test_either_file_reads_both_and_the_folder_each_dialogue_once():
    both = [read_all(FOLDER / f"MADial-en-{name}.json") for name in ("memory", "dialogue")]
    assert both[0].turns.equals(both[1].turns)
    assert both[0].questions.equals(both[1].questions)
    assert read_all(FOLDER).dialogues.height == 4


def test_a_memory_of_nobody_is_told():
    events = read_all(FOLDER / "MADial-en-memory.json").events
    assert "a memory that names 0 of Mia, Noah, expected one" in events["detail"][0]


def test_a_bad_record_costs_only_itself_and_is_placed_in_its_file(tmp_path):
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    memories = tmp_path / "MADial-zh-memory.json"
    memories.write_text(memories.read_text() + '{"8": {"time": "2023-01-01", "scene": "活动类"}}\n')
    corpus = read_all(tmp_path / "MADial-zh-dialogue.json")
    (detail,) = corpus.events["detail"].to_list()
    assert "MADial-zh-memory.json, line 4" in detail
    assert detail.endswith("no field 'event'")
    assert corpus.turns.height == 3
    assert corpus.questions.height == 2


def test_test_dialogues_alone_are_refused_with_the_file_they_need(tmp_path):
    shutil.copy(FOLDER / "MADial-zh-dialogue.json", tmp_path)
    with pytest.raises(ReadError, match=r"expected MADial-zh-memory\.json beside"):
        read_all(tmp_path)
