"""Facts are valid across a user's dialogues, and never seen by another user or before they were said."""

from datetime import UTC, datetime, timedelta

import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.frames import Corpus, build
from hydralab.replay import Timeline
from hydralab.texts import tokenizer

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
OLD, NEW = "The marketing budget is 84,500 euros.", "The marketing budget is 90,000 euros now."
ASKED = "What is our marketing budget?"


def corpus(*dialogues, timed=True):
    """Make dialogues of (id, user, day it begins, what the user says)."""
    turns = [
        {
            "dialogue_id": name,
            "turn_id": f"{name}:{at}",
            "position": at,
            "round": at // 2,
            "role": ("user", "assistant")[at % 2],
            "text": text,
            "time": START + timedelta(days=day, minutes=at) if timed else None,
            "tokens": tokenizer().count(text),
        }
        for name, _, day, said in dialogues
        for at, text in enumerate(each for one in said for each in (one, "Noted."))
    ]
    listed = [{"dialogue_id": name, "user_id": user} for name, user, _, _ in dialogues]
    return Corpus(dialogues=build("dialogues", listed), turns=build("turns", turns))


def facts(context):
    return context.kept.filter(pl.col("section") == "memory")


@pytest.mark.parametrize(
    "strategy",
    [hl.ExplicitMemory(), hl.Layered(), hl.Auto(remember=hl.ExplicitMemory())],
    ids=lambda s: s.name,
)
def test_what_was_said_in_an_earlier_dialogue_is_known_and_says_where_it_is_from(strategy):
    lab = hl.Lab(corpus(("first", "ann", 0, [OLD]), ("second", "ann", 1, [ASKED, "Thanks!"])))
    sent = facts(lab.replay(strategy, dialogue="second").step(0))
    assert sent["text"].to_list() == [OLD]
    assert sent["source_turn_ids"].to_list() == [["first:0", "first:1"]]
    assert sent["why"][0].endswith("said in another dialogue, 'first'")
    assert OLD in lab.hydrate(ASKED, dialogue="second", strategy=strategy).prompt


def test_a_chinese_question_is_told_in_chinese_where_a_fact_is_from():
    lab = hl.Lab(
        corpus(
            ("甲", "ann", 0, ["市场推广预算是八万四千五百元。"]), ("乙", "ann", 1, ["市场推广预算是多少？"])
        )
    )
    sent = facts(lab.replay(hl.ExplicitMemory(), dialogue="乙").step(0))
    assert sent["why"][0].endswith("出自另一段对话「甲」")


@pytest.mark.parametrize("timed", [True, False])
def test_nothing_leaks_from_another_user_or_from_later(timed):
    """Each dialogue has a secret; a dialogue knows those of its own user from before, and no other."""
    dialogues = [
        ("bob1", "bob", 0, ["The locker costs 1111 euros."]),
        ("ann1", "ann", 1, ["The locker costs 2222 euros."]),
        ("nobody", None, 2, ["The locker costs 3333 euros."]),
        ("ann2", "ann", 3, [ASKED]),
        ("ann3", "ann", 4, ["My bicycle cost 4444 euros."]),
        ("bob2", "bob", 5, [ASKED]),
        ("nobody2", None, 6, [ASKED]),
    ]
    lab = hl.Lab(corpus(*dialogues, timed=timed))
    known = {
        name: set(lab.replay(hl.ExplicitMemory(), dialogue=name).timeline.noted.known_by(-1)["dialogue_id"])
        for name, *_ in dialogues
    }
    assert known == {
        "bob1": set(), "ann1": set(), "nobody": set(), "ann2": {"ann1"}, "ann3": {"ann1"}, "bob2": {"bob1"},
        "nobody2": set(),
    }  # fmt: skip


def test_of_a_dialogue_that_still_runs_only_what_was_said_before_is_known():
    """The first goes on two days after the second began; also the order of the list says nothing then."""
    made = corpus(("second", "ann", 1, [ASKED]), ("first", "ann", 0, [OLD, NEW]))
    later = pl.col("turn_id").is_in(["first:2", "first:3"])
    turns = made.turns.with_columns(pl.when(later).then(pl.col("time") + timedelta(days=3)).otherwise("time"))
    lab = hl.Lab(Corpus(dialogues=made.dialogues, turns=turns))
    assert facts(lab.replay(hl.ExplicitMemory(), dialogue="second").step(0))["text"].to_list() == [OLD]


def test_a_fact_of_another_dialogue_is_superseded_and_both_are_kept():
    """FAULTS 16, across dialogues."""
    lab = hl.Lab(
        corpus(("first", "ann", 0, [OLD]), ("second", "ann", 1, [NEW, ASKED]), ("third", "ann", 2, [ASKED]))
    )
    second = lab.replay(hl.ExplicitMemory(recent_rounds=1), dialogue="second")
    rows = {row["text"]: row for row in second.timeline.tables["memories"].to_dicts()}
    assert rows[OLD]["superseded_by"] == rows[NEW]["memory_id"]
    assert (rows[OLD]["dialogue_id"], rows[NEW]["dialogue_id"]) == ("first", "second")
    assert facts(second.step(0))["text"].to_list() == [OLD]
    third = lab.replay(hl.ExplicitMemory(), dialogue="third")
    assert facts(third.step(0))["text"].to_list() == [NEW]
    assert set(third.timeline.tables["memories"]["text"]) == {OLD, NEW}
    first = lab.replay(hl.ExplicitMemory(), dialogue="first")
    assert first.timeline.tables["memories"]["superseded_by"].to_list() == [None]


def test_a_fact_that_is_known_from_another_dialogue_is_not_written_twice():
    lab = hl.Lab(corpus(("first", "ann", 0, [OLD]), ("second", "ann", 1, [OLD, ASKED])))
    assert lab.replay(hl.ExplicitMemory(), dialogue="second").timeline.tables["memories"].height == 1


def test_runs_that_know_other_facts_have_other_ids():
    said = ("second", "ann", 1, [ASKED])
    alone = hl.Lab(corpus(said)).replay(hl.ExplicitMemory())
    knowing = hl.Lab(corpus(("first", "ann", 0, [OLD]), said)).replay(hl.ExplicitMemory(), dialogue="second")
    apart = hl.ExplicitMemory(across_dialogues=False)
    kept_apart = hl.Lab(corpus(("first", "ann", 0, [OLD]), said)).replay(apart, dialogue="second")
    assert alone.run_id != knowing.run_id
    assert kept_apart.timeline.tables["memories"].is_empty()


def test_facts_of_another_user_are_refused():
    made = corpus(("first", "ann", 0, [OLD]))
    fact = {
        "memory_id": "m",
        "user_id": "bob",
        "dialogue_id": "x",
        "kind": "fact",
        "text": "Secret.",
        "tokens": 1,
    }
    lab = hl.Lab(made)
    with pytest.raises(HydralabError, match="facts of user 'bob' for a dialogue of user 'ann'"):
        Timeline(
            made.turns, lab.vectors(), hl.ExplicitMemory(), encoder=lab.encoder, tokenizer=lab.tokenizer,
            memories=build("memories", [fact]), user_id="ann",
        )  # fmt: skip
