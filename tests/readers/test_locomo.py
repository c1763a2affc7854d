"""LoCoMo: sessions in order, captions in the text, evidence that names turns."""

import json
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from hydralab.readers import read_all

FILE = Path(__file__).parent / "fixtures" / "locomo" / "two_friends.json"


@pytest.fixture
def corpus():
    return read_all(FILE)


def question(corpus, text):
    return corpus.questions.row(by_predicate=pl.col("text").str.contains(text), named=True)


def test_sessions_follow_their_numbers_not_the_order_of_the_file(corpus):
    assert corpus.turns["session"].unique(maintain_order=True).to_list() == [
        "session_1",
        "session_2",
        "session_10",
    ]
    assert corpus.turns["turn_id"].to_list()[:2] == ["conv-7:D1:1", "conv-7:D1:2"]
    assert corpus.dialogues.select("dialogue_id", "title").row(0) == ("conv-7", "Ada and Bo")


def test_both_people_are_users_and_keep_their_names(corpus):
    assert corpus.turns["role"].unique().to_list() == ["user"]
    assert corpus.turns["speaker"].to_list()[:3] == ["Bo", "Ada", "Bo"]


def test_turns_rise_by_a_second_from_the_time_of_their_session(corpus):
    assert corpus.turns["time"][0] == datetime(2024, 1, 30, 0, 48, tzinfo=UTC)
    assert corpus.turns["time"][2] == datetime(2024, 1, 30, 0, 48, 2, tzinfo=UTC)
    assert corpus.turns["time"].is_sorted()
    assert corpus.turns["time"].n_unique() == corpus.turns.height


def test_a_caption_ends_the_text_and_the_address_is_a_part(corpus):
    assert corpus.turns["text"][2] == "Comet. Here she is.\n[image: a grey dog asleep on a red sofa]"
    assert json.loads(corpus.turns["parts"][2]) == [
        {"type": "image", "url": "https://example.org/comet.jpg", "inline": True}
    ]
    assert corpus.turns["text"][4] == "[image: a thumbs-up drawn in chalk]"


def test_questions_are_asked_at_the_end_with_category_names(corpus):
    assert corpus.questions["asked_at"].unique().to_list() == [6]
    assert corpus.questions["category"].to_list() == [
        "temporal",
        "multi-hop",
        "single-hop",
        "open-domain",
        "adversarial",
    ]
    assert question(corpus, "pets")["answer"] == "1"


def test_joined_and_misspelt_evidence_is_repaired_and_told(corpus):
    assert question(corpus, "pets")["evidence"] == ["conv-7:D1:1", "conv-7:D1:3"]
    assert question(corpus, "Ada buy")["evidence"] == ["conv-7:D10:1", "conv-7:D2:1"]
    assert question(corpus, "Ada buy")["evidence_sessions"] == ["session_10", "session_2"]
    told = [detail for detail in corpus.events["detail"] if "read as" in detail]
    assert len(told) == 3
    assert "'D1:1; D1:3' read as D1:1, D1:3" in told[0]


def test_an_adversarial_question_has_no_answer_and_lost_evidence_is_an_event(corpus):
    asked = question(corpus, "Ada's dog")
    assert (asked["answer"], asked["evidence"]) == (None, ["conv-7:D1:3"])
    lost = corpus.events.filter(pl.col("item_id") == asked["question_id"])
    assert lost["status"].to_list() == ["salvaged"]
    assert "D, D9:9" in lost["detail"][0]


def test_a_bad_turn_and_a_bad_sample_cost_only_themselves(tmp_path):
    sample = json.loads(FILE.read_text())[0]
    sample["conversation"]["session_2"][0] = {"speaker": "Ada", "dia_id": "D2:1"}
    sample["conversation"]["session_2_date_time"] = "some evening"
    path = tmp_path / "two.json"
    path.write_text(json.dumps([{"conversation": {"session_1": 3}}, sample]))
    corpus = read_all(path)
    failed = corpus.events.filter(pl.col("status") == "failed")["detail"].to_list()
    assert "record 1" in failed[0]
    assert "record 2: session_2, turn 0: no field 'text'" in failed[1]
    assert corpus.turns.height == 6
    assert corpus.turns["time"].null_count() == 1
