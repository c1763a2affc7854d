import json

import polars as pl
import pytest

import hydralab as hl
from hydralab.frames import build, number_rounds
from hydralab.strategies.exchanges import newest_exchange
from hydralab.texts import tokenizer


def talk(*texts, roles=("user", "assistant")):
    listed = [roles[at % len(roles)] for at in range(len(texts))]
    rounds = number_rounds(listed, [None] * len(texts))
    return build(
        "turns",
        [
            {
                "dialogue_id": "a",
                "turn_id": f"a:{at}",
                "position": at,
                "round": rounds[at],
                "role": listed[at],
                "text": text,
                "tokens": tokenizer().count(text),
            }
            for at, text in enumerate(texts)
        ],
    )


def replay(turns, strategy, budget=1_000):
    return hl.Lab(turns).replay(strategy, budget=budget)


def memories(run):
    return run.timeline.tables["memories"]


ENGLISH = (
    "I prefer short answers.",
    "Fine.",
    "The marketing budget is 84,500 euros.",
    "Noted.",
    "Thanks!",
    "You are welcome.",
    "I prefer short answers!",
    "I know.",
    "The marketing budget is 90,000 euros now.",
    "Changed.",
    "What is our marketing budget?",
)
CHINESE = (
    "我喜欢简短的回答。",
    "好的。",
    "市场推广预算是八万四千五百元。",
    "记下了。",
    "谢谢！",
    "不客气。",
    "我喜欢简短的回答！",
    "知道。",
    "市场推广预算是九万元。",
    "已修改。",
    "我们的市场推广预算是多少？",
)


@pytest.mark.parametrize("said", [ENGLISH, CHINESE], ids=["english", "chinese"])
def test_a_new_figure_takes_the_place_of_the_old_one(said):
    """FAULTS 16: the old fact is superseded, and still in the table."""
    run = replay(talk(*said), hl.ExplicitMemory(recent_rounds=1))
    facts = {row["text"]: row for row in memories(run).to_dicts()}
    assert set(facts) == {said[0], said[2], said[8]}
    assert facts[said[2]]["superseded_by"] == facts[said[8]]["memory_id"]
    assert facts[said[0]]["kind"] == "preference"
    sent = run.step(10).kept.filter(pl.col("section") == "memory")["text"].to_list()
    assert said[8] in sent
    assert said[2] not in sent


@pytest.mark.parametrize("said", [ENGLISH, CHINESE], ids=["english", "chinese"])
def test_a_prompt_shows_what_was_current_then(said):
    """FAULTS 16."""
    turns = talk(*said[:6], said[10], "…", *said[6:])
    run = replay(turns, hl.ExplicitMemory(recent_rounds=1))
    early = run.step(6).kept.filter(pl.col("section") == "memory")["text"].to_list()
    late = run.step(12).kept.filter(pl.col("section") == "memory")["text"].to_list()
    assert said[2] in early
    assert said[8] in late
    assert said[2] not in late


def test_a_model_decides_what_is_kept_and_what_it_replaces():
    def model(messages):
        said = messages[-1]["content"]
        if "90,000" in said:
            return '```json\n{"memories": [{"kind": "fact", "text": "Budget: 90,000 euros", "replaces": 1}]}\n```'
        if "84,500" in said:
            return json.dumps(
                {"memories": [{"kind": "Fact", "text": "Budget: 84,500 euros", "replaces": None}]}
            )
        return "none"

    run = replay(talk(*ENGLISH), hl.ExplicitMemory(llm=model))
    facts = memories(run).sort("memory_id")
    assert facts["text"].to_list() == ["Budget: 84,500 euros", "Budget: 90,000 euros"]
    assert facts["superseded_by"].to_list() == [facts["memory_id"][1], None]
    assert run.events.is_empty()
    assert run.steps["llm_calls"].sum() == 5


def test_an_answer_that_is_no_list_is_told_and_the_sentences_are_searched():
    """FAULTS 12: a typed row with what the model said."""
    run = replay(talk(*ENGLISH), hl.ExplicitMemory(llm=lambda messages: "I can't do that."))
    assert ENGLISH[2] in memories(run)["text"].to_list()
    assert run.events["status"].unique().to_list() == ["failed"]
    assert run.events["detail"].str.contains("I can't do that").all()


def test_small_talk_is_not_remembered():
    run = replay(talk("Hi!", "Hello.", "How are you?", "Fine.", "好的", "ok"), hl.ExplicitMemory())
    assert memories(run).is_empty()


def test_an_exchange_ends_where_the_assistant_finishes():
    calling = json.dumps([{"type": "tool_call", "id": "c", "name": "f", "arguments": {}}])
    turns = talk("a", "calls", "c", "d", "e").with_columns(
        pl.Series("role", ["user", "assistant", "tool", "assistant", "user"]),
        pl.Series("parts", [None, calling, None, None, None]),
    )
    assert newest_exchange(turns.head(2)) is None
    assert newest_exchange(turns.head(4)).height == 4
    assert newest_exchange(turns) is None


def test_people_without_an_assistant_have_exchanges_of_eight_turns():
    turns = talk(*[f"line {at}" for at in range(16)], roles=("user",))
    assert newest_exchange(turns)["position"].to_list() == list(range(8, 16))
    assert newest_exchange(turns.head(15)) is None
