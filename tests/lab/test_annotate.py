import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import FrameError
from hydralab.frames import build

OWN = build("gold", [{"dialogue_id": "launch_zh", "position": at, "annotator": "me"} for at in (8, 14)])
ASKED = build(
    "questions",
    [
        {
            "question_id": "launch_zh:me-1",
            "dialogue_id": "launch_zh",
            "text": "谁来？",
            "evidence": ["launch_zh:t004"],
        }
    ],
)


@pytest.fixture
def corpus():
    return hl.read_all(hl.example("launch_zh"))


def test_marks_join_what_is_known_and_a_second_time_take_the_place_of_the_first(corpus):
    lab = hl.Lab(corpus)
    lab.annotate(OWN, ASKED)
    lab.annotate(OWN.head(1), ASKED)
    mine = lab.gold.filter(annotator="me")
    assert mine["position"].to_list() == [8]
    assert lab.gold.filter(annotator="gold").height == corpus.gold.height
    assert lab.questions["question_id"].to_list()[-1] == "launch_zh:me-1"
    assert lab.questions.height == corpus.questions.height + 1
    assert "launch_zh:me-1" in lab.replay(budget=500).misses()["question_id"].to_list()


def test_evidence_that_was_added_to_a_question_is_evidence_from_then_on(corpus):
    lab = hl.Lab(corpus)
    more = corpus.questions.head(1).with_columns(evidence=pl.Series([["launch_zh:t003", "launch_zh:t004"]]))
    lab.annotate(questions=more)
    assert lab.questions["evidence"][0].to_list() == ["launch_zh:t003", "launch_zh:t004"]
    assert lab.questions.height == corpus.questions.height


def test_a_store_keeps_the_marks(corpus, tmp_path):
    path = str(tmp_path / "lab.db")
    with hl.Lab(corpus, store=path) as lab:
        lab.annotate(OWN)
        lab.annotate(OWN.head(1), ASKED)
        left = lab.gold, lab.questions
    with hl.Lab(store=path) as again:
        assert again.gold.equals(left[0])
        assert again.questions.equals(left[1])


def test_marks_of_a_dialogue_that_is_not_there_are_refused_and_change_nothing(corpus):
    lab = hl.Lab(corpus)
    with pytest.raises(FrameError, match="dialogue 'other' is not in the table dialogues"):
        lab.annotate(OWN.with_columns(dialogue_id=pl.lit("other")))
    assert lab.gold.equals(corpus.gold)
