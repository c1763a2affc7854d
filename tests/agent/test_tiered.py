"""A dialogue served from the tiers alone: the prompts of a live agent, by processes that keep nothing."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.llms import LLMError
from hydralab.stores import SqliteStore

DENSE = hl.Recall(turns=40, checkpoints=20, memories=0, blend="dense")


def noted(messages):
    return f"记下了: {messages[-1]['content'][:30]}"


def told(messages):
    """Return what a model says that also summarises and judges."""
    asked = messages[-1]["content"]
    return "1 3" if "<notes>" in asked else f"Summary of {len(asked)} characters. 小结。"


def said_by_user(name, most):
    return hl.read(hl.example(name)).filter(role="user")["text"].to_list()[:most]


def summaries(store):
    made = store.read("checkpoints").filter(trigger="three_tier").sort("start")
    return made.select("checkpoint_id", "start", "end", "summary", "status", "tokens", "source_hash")


def serve(store, messages, strategy=None, llm=noted, **named):
    """Serve each message by objects that know nothing of the others, and return the last answer."""
    for message in messages:
        served = hl.TieredDialogue(store, "d", strategy, **named).chat(llm, message, budget=1_500)
    return served


@pytest.mark.parametrize(
    ("name", "most", "llm"),
    [("launch_zh", 10, None), ("launch_en", 10, told), ("long_zh", 22, told), ("long_en", 22, None)],
)
def test_prompts_and_summaries_are_those_of_a_live_agent(name, most, llm):
    strategy = hl.ThreeTier(llm=llm, recall=DENSE)
    with hl.open_store("memory") as one, hl.open_store("memory") as other:
        agent = hl.Agent(noted, strategy, store=one, dialogue="d", budget=1_500, system="请简短回答。")
        tiers = set()
        for message in said_by_user(name, most):
            agent.chat(message)
            agent.drain()
            served = serve(other, [message], strategy, system="请简短回答。")
            assert served.context.messages == agent.context.messages
            assert served.context.tokens == agent.context.tokens
            tiers |= set(hl.tiers_of(served.context)["tier"])
        assert summaries(other).equals(summaries(one))
        assert other.read("turns").drop("time").equals(one.read("turns").drop("time"))
        assert {"system", "query", "window", "summaries"} <= tiers


def test_what_left_the_window_comes_back_from_the_vectors():
    facts = ["The marketing budget is 84,500 euros.", "负责人是周敏，场地订金是三万元。"]
    filler = [f"Point {number}: the music of evening {number} is jazz." for number in range(14)]
    with hl.open_store("memory") as store:
        serve(store, [*facts, *filler])
        for query, fact in (
            ("What was the marketing budget?", facts[0]),
            ("负责人是谁，订金多少？", facts[1]),
        ):
            context = hl.TieredDialogue(store, "d").context(query, budget=1_500)
            (found,) = hl.tiers_of(context).filter(pl.col("text") == fact).select("tier", "section").rows()
            assert found == ("long-term", "recalled")
            why = context.kept.filter(pl.col("text") == fact)["why"].item()
            assert why.startswith("near to the query" if query.isascii() else "含义与问题相近")


def test_nothing_of_a_table_is_read_that_the_prompt_does_not_need(tmp_path, monkeypatch):
    calls = []
    real = SqliteStore.read

    def read(self, table, **named):
        calls.append(table)
        return real(self, table, **named)

    with hl.open_store(tmp_path / "lab.db") as store:
        serve(store, said_by_user("long_en", 14))
        monkeypatch.setattr(SqliteStore, "read", read)
        serve(store, ["What was the budget?"])
    assert set(calls) <= {"dialogues", "settings"}


def test_each_message_by_a_process_of_its_own(tmp_path):
    """FAULTS 15: one is killed while its model answers; its message is there once, and the next goes on."""

    def run(*arguments):
        command = [sys.executable, Path(__file__).with_name("served.py"), tmp_path / "web.db", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    for number in range(2):
        run(f"The code of door {number} is 47{number}1. 门{number}。")
    assert run("KILL: which code has door 0?").returncode == -9
    with hl.open_store(tmp_path / "web.db") as store:
        assert store.recent("web", 1)["text"].item().startswith("KILL")
    served = run("KILL: which code has door 0?", "again")
    assert served.returncode == 0
    assert "4701" in served.stdout
    with hl.open_store(tmp_path / "web.db") as store:
        turns = store.read("turns")
        assert turns["role"].to_list() == ["user", "assistant"] * 3
        assert turns["position"].to_list() == list(range(6))
        assert summaries(store)["start"].to_list() == [0]


def test_a_summary_that_was_due_when_the_process_ended_is_made_later():
    with hl.open_store("memory") as store:
        for number in range(6):
            dialogue = hl.TieredDialogue(store, "d")
            dialogue.add("user", f"Point {number}?")
            dialogue.add("assistant", f"Noted, 第{number}点。")
        assert dialogue.settle()["end"].to_list() == [4, 9]
        assert dialogue.settle().height == 0
        kinds = store.read("vectors", model=dialogue.encoder.cache_key)["item_kind"]
        assert sorted(kinds.to_list()) == ["checkpoint"] * 2 + ["turn"] * 12


def test_processes_at_once_take_turns(tmp_path):
    def one(number):
        with hl.open_store(tmp_path / "lab.db") as store:
            dialogue = hl.TieredDialogue(store, "d")
            for part in range(3):
                dialogue.add("user", f"{number}:{part}")
                dialogue.settle()

    with hl.open_store(tmp_path / "lab.db") as store:
        hl.TieredDialogue(store, "d").add("user", "first")
        with ThreadPoolExecutor(3) as threads:
            list(threads.map(one, range(3)))
        turns = store.read("turns")
        assert turns["position"].to_list() == turns["round"].to_list() == list(range(10))
        made = summaries(store)
        assert made.select("start", "end").rows() == [(0, 4)]


def test_a_dialogue_that_an_agent_had_goes_on():
    """Its summaries have no vectors in the store; they get them, the old ones too."""
    with hl.open_store("memory") as store:
        agent = hl.Agent(noted, hl.ThreeTier(), store=store, dialogue="d", budget=1_500)
        for message in said_by_user("long_zh", 40):
            agent.chat(message)
            agent.drain()
        agent.close()
        made = summaries(store).height
        assert made > 12
        served = serve(store, ["之前提到的市场推广预算是多少？"])
        held = store.read("vectors", model=agent.encoder.cache_key).filter(item_kind="checkpoint")
        assert held.height == summaries(store).height >= made
        assert served.context.tokens <= 1_500


def test_what_was_forgotten_is_in_no_prompt_and_no_summary():
    said = [f"Point {number}: 门{number}的密码是 47{number}1." for number in range(9)]
    with hl.open_store("memory") as store:
        serve(store, said, llm=lambda messages: "好的。")
        for turn in ("d:0", "d:8", "d:16"):
            store.forget(turn=turn)
        context = serve(store, ["门0、门4和门8的密码是什么？"], llm=lambda messages: "好的。").context
        assert not any(code in context.prompt for code in ("4701", "4741", "4781"))
        assert store.audit("4741")["found"].sum() == 0
        assert context.at == 18


def test_a_tool_result_is_recalled_with_its_call():
    call = [{"type": "tool_call", "id": "c", "name": "weather", "arguments": {"city": "杭州"}}]
    result = [{"type": "tool_result", "id": "c", "text": "杭州明天有雨，十八度。"}]
    with hl.open_store("memory") as store:
        dialogue = hl.TieredDialogue(store, "d", hl.ThreeTier(llm=lambda messages: "1 2 3"))
        dialogue.add("user", "How will it be?")
        dialogue.add("assistant", "", parts=call)
        dialogue.add("tool", "杭州明天有雨，十八度。", parts=result)
        for number in range(16):
            dialogue.add("user", f"Point {number}: the music is jazz.")
            dialogue.add("assistant", "Noted.")
            dialogue.settle()
        kept = hl.tiers_of(dialogue.context("杭州明天天气怎么样？", budget=1_500))
    assert {"d:1", "d:2"} <= set(kept.filter(tier="long-term")["item_id"])


def test_a_users_view_redacts_and_keeps_others_out(tmp_path):
    with hl.open_store(tmp_path / "lab.db", key="a key", redact=True) as store:
        lena = store.for_user("lena")
        served = serve(lena, ["My mail is ann@example.org.", "我的邮箱是什么？"])
        assert "ann@example.org" not in json.dumps(served.context.messages)
        assert "[email]" in served.context.prompt
        assert store.read("dialogues").select("dialogue_id", "user_id").row(0) == ("d", "lena")
        assert store.audit("ann@example.org")["found"].sum() == 0
        with pytest.raises(HydralabError, match="'d' is another user's, expected user="):
            hl.TieredDialogue(store, "d")
        with pytest.raises(HydralabError):
            serve(store.for_user("ben"), ["What is her mail?"])


def test_a_model_that_fails_leaves_the_message():
    with hl.open_store("memory") as store:

        def fails(messages):
            raise LLMError("away", "unavailable")

        dialogue = hl.TieredDialogue(store, "d")
        with pytest.raises(LLMError):
            dialogue.chat(fails, "在吗？")
        assert store.read("turns")["text"].to_list() == ["在吗？"]
        assert dialogue.chat(noted, "在吗？").context.at == 0
        assert store.read("turns").height == 2


def test_what_cannot_be_meant():
    with hl.open_store("memory") as store:
        with pytest.raises(HydralabError, match=r"the newest turn of 'd' is no user's, expected query="):
            hl.TieredDialogue(store, "d").context()
        with pytest.raises(HydralabError, match="has no key that tells its vectors"):
            hl.TieredDialogue(store, "d", encoder=lambda texts: [[1.0]] * len(texts))
        with pytest.raises(HydralabError, match=r"TieredDialogue: strategy .* an hl.ThreeTier"):
            hl.TieredDialogue(store, "d", hl.Hydration())
        with pytest.raises(HydralabError, match="TieredDialogue: store"):
            hl.TieredDialogue("memory", "d")
