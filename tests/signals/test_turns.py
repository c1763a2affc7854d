"""Signals of time, length and words."""

import numpy as np
import polars as pl
import pytest

from hydralab.signals import CueWord, GapSeconds, Question, RefersBack, Tokens, TurnLength


def test_seconds_since_the_turn_before(dialogue):
    turns = dialogue("a", "b", "c")
    assert GapSeconds().values(turns, None, closed=True)[1:].tolist() == [60.0, 60.0]
    without = turns.with_columns(time=pl.when(pl.col("position") == 1).then(None).otherwise("time"))
    assert np.isnan(GapSeconds().values(without, None, closed=True)).all()


def test_lengths_in_tokens_and_characters(dialogue):
    turns = dialogue("预算四十万", "ok").with_columns(tokens=pl.Series([7, 1]))
    assert Tokens().values(turns, None, closed=True).tolist() == [7.0, 1.0]
    assert TurnLength().values(turns, None, closed=True).tolist() == [5.0, 2.0]


QUESTIONS = [
    "预算够吗",
    "预算够不够？",
    "你觉得呢",
    "为什么会这样",
    "How much is it?",
    "what's the plan",
    "真的?",
    "can you check",
]
STATEMENTS = ["预算够了", "好的。", "see https://x.org/a?b=c", "It works.", "", "我知道什么叫预算了。"]


@pytest.mark.parametrize("text", QUESTIONS)
def test_questions(dialogue, text):
    assert Question().values(dialogue(text), None, closed=True).tolist() == [1.0]


@pytest.mark.parametrize("text", STATEMENTS)
def test_statements(dialogue, text):
    assert Question().values(dialogue(text), None, closed=True).tolist() == [0.0]


@pytest.mark.parametrize(
    "text", ["另外，想问下保险", "By the way, lunch?", "Anyway, the bill", "对了，明天几点"]
)
def test_cue_words_open_a_clause(dialogue, text):
    assert CueWord().values(dialogue(text), None, closed=True).tolist() == [1.0]


@pytest.mark.parametrize(
    "text", ["两个都对了", "I walk by the wayside", "好的", "next to the door it stands"]
)
def test_words_that_only_look_like_a_cue(dialogue, text):
    assert CueWord().values(dialogue(text), None, closed=True).tolist() == [0.0]


@pytest.mark.parametrize(
    "text", ["之前提到的市场推广预算是多少？", "刚才说的那个", "Remind me of the date", "as I said"]
)
def test_references_to_the_past(dialogue, text):
    assert RefersBack().values(dialogue(text), None, closed=True).tolist() == [1.0]


def test_one_value_a_turn_for_no_turns(dialogue):
    for signal in (GapSeconds(), Tokens(), TurnLength(), Question(), CueWord(), RefersBack()):
        assert signal.values(dialogue(), None, closed=True).shape == (0,)
