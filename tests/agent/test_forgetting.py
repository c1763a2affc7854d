"""What is taken out of a store while an agent is open is in none of its prompts from then on."""

import threading

import pytest

import hydralab as hl
from hydralab.stores import open_store

SECRET = "My door code is 4711-kappa."


def echo(messages):
    return "Noted."


def holds(agent, text):
    tables = (agent.turns, agent.checkpoints, agent.memories, agent.events, agent.steps)
    return text in agent.context.prompt or any(text in str(table.to_dicts()) for table in tables)


@pytest.fixture(params=["memory", "sqlite", "user"])
def store(request, tmp_path):
    """Return an open store, or one as a user sees it."""
    with open_store("memory" if request.param == "memory" else tmp_path / "chat.db") as opened:
        yield opened.for_user("ann") if request.param == "user" else opened


@pytest.mark.parametrize("strategy", [hl.Hydration(), hl.ExplicitMemory(recent_rounds=1), hl.ThreeTier()])
def test_a_forgotten_turn_is_in_no_later_prompt(store, strategy):
    with hl.Agent(echo, strategy, store=store, dialogue="plans", user="ann") as agent:
        for text in (SECRET, "We meet on Friday.", "/checkpoint Codes", "Thanks."):
            agent.chat(text)
        agent.drain()
        assert holds(agent, "4711-kappa")
        store.forget(turn=agent.turns.filter(text=SECRET)["turn_id"].item())
        agent.chat("What is my door code?")
        agent.drain()
        assert not holds(agent, "4711-kappa")
        assert agent.turns["text"].to_list()[2:5] == ["We meet on Friday.", "Noted.", "Thanks."]
        with hl.Agent(echo, strategy, store=store, dialogue="plans", user="ann") as again:
            for table in ("turns", "checkpoints", "memories", "boundaries"):
                assert getattr(agent, table).equals(getattr(again, table)), table


def test_a_forgotten_fact_of_another_dialogue_is_recalled_no_more(store):
    first = hl.Agent(echo, hl.ExplicitMemory(), store=store, dialogue="one", user="ann")
    first.chat("I am allergic to nuts.")
    first.drain()
    with hl.Agent(echo, hl.ExplicitMemory(), store=store, dialogue="two", user="ann") as second:
        second.chat("What am I allergic to?")
        assert "nuts" in second.context.prompt
        store.forget(memory=first.memories["memory_id"].item())
        second.chat("And now, what am I allergic to?")
        assert "nuts" not in second.context.prompt


def test_work_under_way_on_what_was_forgotten_comes_to_nothing():
    started, go_on = threading.Event(), threading.Event()

    def slow(messages):
        if (
            "4711" in messages[-1]["content"]
            and "door code" in str(messages)
            and messages[-1]["content"] != SECRET
        ):
            started.set()
            go_on.wait(20)
            return '[{"text": "The door code is 4711-kappa.", "kind": "fact"}]'
        return "Noted."

    store = hl.MemoryStore()
    with hl.Agent(echo, hl.ExplicitMemory(slow), store=store, dialogue="plans") as agent:
        agent.chat(SECRET)
        assert started.wait(20)
        store.forget(turn=agent.turns["turn_id"][0])
        agent.chat("What is my door code?")
        go_on.set()
        agent.drain()
        assert not holds(agent, "4711-kappa")
        assert store.audit("4711-kappa")["found"].sum() == 0


def test_what_others_forget_costs_nothing():
    store = hl.MemoryStore()
    with hl.Agent(echo, store=store, dialogue="plans") as agent, hl.Agent(echo, store=store) as other:
        agent.chat("Hello.")
        other.chat(SECRET)
        shown = agent.context
        store.forget(turn=other.turns["turn_id"][0])
        agent.chat("Hello again.")
        assert agent.context is not shown
        assert agent.turns.height == 4


def test_a_new_dialogue_of_a_forgotten_user_knows_nothing_of_them(store):
    first = hl.Agent(echo, hl.ExplicitMemory(), store=store, dialogue="one", user="ann")
    first.chat("I am allergic to nuts.")
    first.drain()
    with hl.Agent(echo, hl.ExplicitMemory(), store=store, dialogue="two", user="ann") as second:
        store.forget(user="ann")
        for _ in range(2):
            with pytest.raises(hl.HydralabError, match="user 'ann' was forgotten"):
                second.chat("What am I allergic to?")
        assert store.read("turns").height == 0


def test_a_user_whose_other_dialogue_was_forgotten_meanwhile_is_noticed_all_the_same():
    """A user's view has fewer tombstones once their dialogue is gone; what is forgotten next is no less forgotten."""
    behind = hl.MemoryStore()
    store = behind.for_user("ann")
    with hl.Agent(echo, store=store, dialogue="old", user="ann") as old:
        old.chat("Hello.")
        store.forget(turn=old.turns["turn_id"][0])
    with hl.Agent(echo, store=store, dialogue="plans", user="ann") as agent:
        agent.chat(SECRET)
        store.forget(dialogue="old")
        store.forget(turn=agent.turns["turn_id"][0])
        agent.chat("What is my door code?")
        assert not holds(agent, "4711-kappa")
