"""A live dialogue: stored as it goes on, and the same as a replay of its turns."""

from itertools import pairwise

import polars as pl
import pytest

import hydralab as hl
from hydralab import Agent
from hydralab.texts import tokenizer

LAUNCH = hl.read(hl.example("launch_en"))


def exchanges(turns=LAUNCH):
    """Return what was said as pairs of message and reply."""
    said = turns.filter(pl.col("role") != "system").select("role", "text").rows()
    return [
        (text, reply)
        for (role, text), (answer, reply) in pairwise(said)
        if role == "user" and answer == "assistant"
    ]


def chatted(store=None, strategy=None, turns=LAUNCH, **named):
    pairs = exchanges(turns)
    agent = Agent(hl.Scripted([reply for _, reply in pairs]), strategy, store=store, **named)
    contexts = []
    for text, _ in pairs:
        agent.chat(text)
        contexts.append(agent.context)
    agent.drain()
    return agent, contexts


@pytest.mark.parametrize("name", ["launch_en", "launch_zh"])
@pytest.mark.parametrize("strategy", [hl.Hydration(), hl.SlidingWindow(), hl.FullHistory()])
def test_a_live_dialogue_is_the_replay_of_its_turns(name, strategy):
    agent, contexts = chatted(
        strategy=strategy, turns=hl.read(hl.example(name)), budget=1_000, max_tokens=200
    )
    run = hl.Lab(agent.turns, encoder=agent.encoder).replay(strategy, budget=800)
    assert run.boundaries.equals(agent.boundaries)
    made = run.timeline.tables["checkpoints"]
    assert made.equals(agent.checkpoints)
    for context in contexts:
        again = run.step(context.at)
        assert (again.tokens, again.messages) == (context.tokens, context.messages)
        assert again.frame.drop("order").equals(context.frame.drop("order"))
    live = agent.steps.select("position", "query_id", "tokens", "items", "stable_prefix_tokens")
    assert live.equals(run.steps.select(live.columns))


def test_budget_holds_prompt_and_reply():
    _, contexts = chatted(budget=600, max_tokens=300)
    for context in contexts:
        assert tokenizer().count_messages(context.messages) == context.tokens <= 300
        assert (context.budget, context.reserve) == (600, 300)


def timeless(agent):
    """Return the checkpoints without the time of their last turn: two chats are had at two times."""
    return agent.checkpoints.drop("time")


def test_a_dialogue_goes_on_where_it_was_left(tmp_path):
    whole, contexts = chatted(hl.SqliteStore(tmp_path / "whole.db"), dialogue="launch")
    path = tmp_path / "chat.db"
    pairs = exchanges()
    for number, (text, reply) in enumerate(pairs):
        with Agent(hl.Scripted([reply]), store=path, dialogue="launch") as agent:
            assert agent.turns.height == 2 * number
            agent.chat(text)
            assert agent.context.messages == contexts[number].messages
    with Agent(hl.Scripted([]), store=path, dialogue="launch") as agent:
        assert agent.boundaries.equals(whole.boundaries)
        assert timeless(agent).equals(timeless(whole))
        assert agent.steps["tokens"].to_list() == whole.steps["tokens"].to_list()
    with hl.Lab(store=str(path)) as lab:
        assert lab.turns.height == 2 * len(pairs)
        assert lab.overview["title"].to_list() == ["launch"]
        ready = lab.checkpoints().filter(pl.col("status") == "ready")
        assert ready.drop("time").equals(timeless(whole))
        assert lab.steps.height == len(pairs)
    with Agent(
        hl.Scripted(["Yes."]), store=path, dialogue="launch"
    ) as agent:  # the lab's open span is no checkpoint
        assert timeless(agent).equals(timeless(whole))
        assert agent.chat("Go on?").text == "Yes."


def test_system_text_opens_the_dialogue_and_stands_in_every_prompt():
    agent, _ = chatted(system="You are brief.", budget=1_000)
    assert agent.turns["role"].to_list()[:2] == ["system", "user"]
    assert agent.context.messages[0]["content"].startswith("You are brief.")
    with pytest.raises(hl.HydralabError, match="began with the system text"):
        Agent(agent.llm, store=agent.store, dialogue=agent.dialogue_id, system="You are long.")
