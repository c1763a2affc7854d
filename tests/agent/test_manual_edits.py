"""What a person does with a memory: pin, edit, forget, watch; and a model that says what was missing."""

from dataclasses import dataclass

import pytest

import hydralab as hl
from hydralab.agent.pending_work import Task
from hydralab.frames import build
from hydralab.strategies.reflecting import reflect


def echo(messages):
    return f"You said: {messages[-1]['content'].splitlines()[-1]}"


def remembering(store=None, strategy=None, **named):
    agent = hl.Agent(echo, strategy or hl.ExplicitMemory(), store=store, dialogue="me", **named)
    for text in ("I like green tea.", "I am allergic to nuts.", "I work in Bern."):
        agent.chat(text)
        agent.drain()
    return agent


def id_of(agent, text):
    return agent.memories.filter(text=text)["memory_id"].item()


@pytest.mark.parametrize("strategy", [hl.ExplicitMemory(recent_rounds=1), hl.SlidingWindow(rounds=1)])
def test_a_pinned_item_is_in_every_prompt(strategy):
    """Whether or not the strategy recalls anything of itself."""
    store = hl.MemoryStore()
    nuts = id_of(remembering(store), "I am allergic to nuts.")
    agent = hl.Agent(echo, strategy, store=store, dialogue="me")
    agent.pin(nuts)
    for text in ("What is the capital of Peru?", "And of Chile?"):
        agent.chat(text)
        assert nuts in agent.context.kept["item_id"].to_list()
        assert "pinned by hand" in agent.context.explain()
    again = hl.Agent(echo, strategy, store=store, dialogue="me")
    assert again.pinned == [nuts]
    again.pin(nuts, pinned=False)
    again.chat("Who wrote Faust?")
    assert again.pinned == []
    assert "pinned by hand" not in again.context.explain()


def test_a_pinned_checkpoint_stays_though_its_turns_are_there():
    agent = hl.Agent(echo, budget=4_000)
    agent.chat("The budget is 84,500 euros.")
    agent.chat("/checkpoint Money")
    (name,) = agent.checkpoints["checkpoint_id"]
    agent.pin(name)
    agent.chat("Hello.")
    assert name in agent.context.kept["item_id"].to_list()
    tight = hl.Agent(echo, store=agent.store, dialogue=agent.dialogue_id, budget=70, max_tokens=50)
    tight.chat("Hi")
    assert tight.context.tokens <= 20
    assert name not in tight.context.kept["item_id"].to_list()


def test_what_is_edited_by_hand_stays_so_whatever_a_model_tells_later():
    agent = remembering()
    tea = id_of(agent, "I like green tea.")
    agent.edit(tea, "Drinks black tea only.")
    late = {"memory_id": tea, "dialogue_id": "me", "kind": "fact", "text": "Likes tea.", "tokens": 3}
    agent._dialogue.take(Task(99, 0, dict), {"memories": build("memories", [late])})
    assert id_of(agent, "Drinks black tea only.") == tea
    again = hl.Agent(echo, hl.ExplicitMemory(), store=agent.store, dialogue="me")
    assert id_of(again, "Drinks black tea only.") == tea
    again.chat("Which tea?")
    assert "Drinks black tea only." in again.context.prompt
    assert not again.context.frame.filter(item_id=tea, text="I like green tea.").height


def test_a_checkpoint_that_is_edited_reads_so_in_prompts_and_in_a_lab():
    agent = hl.Agent(echo)
    agent.chat("The budget is 84,500 euros.")
    agent.chat("/checkpoint Money")
    (name,) = agent.checkpoints["checkpoint_id"]
    agent.edit(name, "It was raised to 90,000 euros.")
    agent.pin(name)
    agent.chat("How much?")
    assert "raised to 90,000" in agent.context.prompt
    lab = hl.Lab(store=agent.store)
    assert lab.checkpoints().filter(checkpoint_id=name)["summary"].item() == "It was raised to 90,000 euros."


def test_what_is_forgotten_never_comes_back():
    """FAULTS 17: not by recall, not by a late job, not when the dialogue is opened again."""
    agent = remembering()
    nuts = agent.memories.filter(text="I am allergic to nuts.")
    agent.pin(nuts["memory_id"].item())
    agent.forget(nuts["memory_id"].item())
    agent._dialogue.take(Task(99, 2, dict), {"memories": nuts})
    renamed = nuts.with_columns(memory_id=nuts["memory_id"] + "x")
    agent._dialogue.take(Task(100, 2, dict), {"memories": renamed})
    assert agent.memories["text"].to_list() == ["I like green tea.", "I work in Bern."]
    for _ in range(2):
        each = hl.Agent(echo, hl.ExplicitMemory(), store=agent.store, dialogue="me")
        assert each.memories["text"].to_list() == ["I like green tea.", "I work in Bern."]
        each.chat("Am I allergic to nuts?")
        assert not each.context.frame.filter(section="memory", text="I am allergic to nuts.").height
        assert each.pinned == []
    assert "nuts" not in "".join(agent.store.read("memories")["text"])
    assert agent.turns["text"][2] == "I am allergic to nuts."
    with pytest.raises(hl.HydralabError, match="is no checkpoint and no memory"):
        agent.forget(nuts["memory_id"].item())


def test_what_is_said_again_after_it_was_forgotten_is_a_new_fact():
    agent = remembering()
    agent.forget(id_of(agent, "I like green tea."))
    agent.chat("I like green tea.")
    agent.drain()
    assert agent.memories["text"].to_list().count("I like green tea.") == 1


def test_a_forgotten_checkpoint_is_recalled_no_more():
    turns = hl.read(hl.example("launch_en"))
    said = turns.filter(role="user")["text"].to_list()
    agent = hl.Agent(echo, budget=900, max_tokens=100)
    for text in said:
        agent.chat(text)
    name = agent.checkpoints["checkpoint_id"][0]
    agent.forget(name)
    agent.chat("What was the marketing budget we mentioned?")
    assert name not in agent.context.frame["item_id"].to_list()
    again = hl.Agent(echo, store=agent.store, dialogue=agent.dialogue_id)
    assert name not in again.checkpoints["checkpoint_id"].to_list()


def test_observers_are_told_what_is_stored_and_never_break_a_chat():
    agent, told = hl.Agent(echo, hl.ExplicitMemory()), []
    stop = agent.on_change(lambda table, rows: told.append((table, rows.height)))
    agent.on_change(lambda table, rows: 1 / 0)
    agent.chat("I like green tea.")
    agent.drain()
    assert [table for table, _ in told if table == "turns"] == ["turns", "turns"]
    assert ("memories", 1) in told
    assert ("steps", 1) in told
    assert "an observer raised ZeroDivisionError" in agent.events["detail"].to_list()[-1]
    stored = agent.store.read("events").filter(stage="on_change")
    assert stored["detail"].unique().to_list() == ["an observer raised ZeroDivisionError: division by zero"]
    assert stored.equals(agent.events.filter(stage="on_change"))
    stop()
    before = len(told)
    assert agent.chat("Hello.").text == "You said: Hello."
    assert len(told) == before


def test_facts_are_known_in_the_next_dialogue_of_the_same_user():
    store = hl.MemoryStore()
    remembering(store, user="ann")
    for user, known in (("ann", True), ("bob", False)):
        agent = hl.Agent(echo, hl.ExplicitMemory(), store=store, user=user)
        agent.chat("What tea do I like?")
        assert ("I like green tea." in agent.context.prompt) is known


def test_a_fact_of_another_dialogue_is_forgotten_for_good():
    store = hl.MemoryStore()
    remembering(store, user="ann")
    agent = hl.Agent(echo, hl.ExplicitMemory(), store=store, user="ann")
    agent.chat("What tea do I like?")
    agent.forget(agent.memories["memory_id"][0])
    again = hl.Agent(echo, hl.ExplicitMemory(), store=store, user="ann")
    again.chat("What tea do I like?")
    assert "I like green tea." not in again.context.prompt


def test_a_name_is_each_users_own_and_tells_nothing_of_anothers():
    store = hl.MemoryStore()
    hers = hl.Agent(echo, store=store, dialogue="plans", user="ann")
    hers.chat("We move to Lisbon.")
    his = hl.Agent(echo, store=store, dialogue="plans", user="bob")
    his.chat("Where do we go?")
    assert his.dialogue_id != hers.dialogue_id
    assert "Lisbon" not in his.context.prompt
    assert hl.Agent(echo, store=store, dialogue="plans", user="bob").turns.height == 2
    with pytest.raises(hl.HydralabError, match="expected user= to say whose"):
        hl.Agent(echo, store=store, dialogue="plans")


def test_what_a_fact_said_stands_nowhere_once_it_is_forgotten():
    store = hl.MemoryStore()
    agent = hl.Agent(echo, hl.ExplicitMemory(), store=store, dialogue="me")
    agent.chat("I prefer zanzibar cloves in my tea.")
    agent.drain()
    agent.forget(agent.memories["memory_id"][0])
    assert not store.read("settings")["value"].str.contains("zanzibar").any()
    assert agent.memories.height == 0


@dataclass
class Judge:
    """A model that answers, and says of its first answer that something was missing."""

    asked: int = 0

    def __call__(self, messages):
        self.asked += 1
        if "sufficient" in messages[0]["content"]:
            return '{"sufficient": false, "missing": "marketing budget euros"}'
        told = "84,500" in "\n".join(message["content"] for message in messages)
        return "84,500 euros." if told else "I don't know."


def test_an_answer_without_what_it_needs_is_given_once_more():
    turns = hl.read(hl.example("launch_en"))
    said = turns.filter(role="user")["text"].to_list()
    strategy = hl.Hydration(recent_rounds=1, least=0.0)
    store = hl.MemoryStore()
    agent = hl.Agent(echo, strategy, store=store, dialogue="launch", budget=340, max_tokens=60)
    for text in said:
        agent.chat(text)
    agent.drain()
    judge = Judge()
    agent = hl.Agent(judge, strategy, store=store, dialogue="launch", budget=340, max_tokens=60, reflect=True)
    pieces = list(agent.stream("Hm, and how much was it again?"))
    assert judge.asked == 3
    assert pieces[-1].reply.text == agent.turns["text"][-1]
    assert agent.verdicts["sufficient"].to_list() == [False]
    assert agent.store.read("verdicts").height == 1
    assert agent.context.query == "Hm, and how much was it again?"
    assert agent.steps["llm_calls"][-1] == 3


def test_reflection_can_be_another_function_and_leaves_good_answers_alone():
    seen = []

    def verdict(llm, context, query, answer):
        seen.append((query, answer))
        return reflect(lambda _: '{"sufficient": true}', context, query, answer)

    agent = hl.Agent(hl.Scripted(["Hello."]), reflect=verdict)
    assert agent.chat("Hi.").text == "Hello."
    assert seen == [("Hi.", "Hello.")]
