"""What goes on behind a chat: work for a model, failures, a process that is killed, a dialogue that is gone."""

import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from time import perf_counter

import polars as pl
import pytest

import hydralab as hl
from hydralab.agent.pending_work import Task
from hydralab.agent.worker import Background, Work
from hydralab.frames import build
from hydralab.llms import LLMError


def echo(messages):
    return f"You said: {messages[-1]['content'].splitlines()[-1]}"


@dataclass(frozen=True)
class Working:
    """Remembers each message of the user's by work of some kind."""

    work: object = field(default=None, hash=False)
    name = "working"
    recall_config = None

    def observe(self, view):
        turn = view.turns.row(-1, named=True)
        return hl.Observation(jobs=[lambda: self.work(turn)] if turn["role"] == "user" else [])

    def context(self, view, query, budget):
        return view.pack(query, budget, strategy=self.name)


def fact(turn, text=None):
    row = {
        "memory_id": f"m{turn['position']}",
        "dialogue_id": turn["dialogue_id"],
        "text": text or turn["text"],
    }
    return {"memories": build("memories", [{**row, "source_turn_ids": [turn["turn_id"]], "tokens": 3}])}


def test_no_reply_waits_for_work_in_the_background():
    go_on = Event()

    def slow(turn):
        assert go_on.wait(30)
        return fact(turn)

    agent = hl.Agent(echo, Working(slow))
    for text in ("one", "two", "three"):
        assert agent.chat(text).text == f"You said: {text}"
    assert agent.turns.height == 6
    assert not agent.memories.height
    assert not agent.drain(timeout=0.01)
    go_on.set()
    assert agent.drain()
    assert agent.memories["text"].to_list() == ["one", "two", "three"]
    assert agent.store.read("memories").equals(agent.memories)


def test_work_of_two_seconds_does_not_delay_a_reply():
    def slow(turn):
        Event().wait(2)
        return fact(turn)

    agent = hl.Agent(echo, Working(slow))
    agent.chat("warm")
    started = perf_counter()
    agent.chat("one")
    assert perf_counter() - started < 1.5
    agent.drain()
    assert agent.memories.height == 2


def test_work_that_fails_costs_itself_alone_and_is_taken_up_again():
    """FAULTS 13: four of five are there, one is told of and can be done again."""
    broken = {"three"}

    def work(turn):
        if turn["text"] in broken:
            raise LLMError("chat model 'm': overloaded", "rate_limited")
        return fact(turn)

    agent = hl.Agent(echo, Working(work))
    for text in ("one", "two", "three", "four", "five"):
        agent.chat(text)
    agent.drain()
    assert agent.memories["text"].to_list() == ["one", "two", "four", "five"]
    (failed,) = agent.events.filter(stage="observe").to_dicts()
    assert failed["status"] == "failed"
    assert "overloaded" in failed["detail"]
    assert failed["item_id"] == agent.turns["turn_id"][4]
    broken.clear()
    assert agent.retry() == 1
    agent.drain()
    assert sorted(agent.memories["text"]) == ["five", "four", "one", "three", "two"]
    assert agent.retry() == 0


def test_a_checkpoint_that_a_model_failed_to_write_is_written_at_the_second_try():
    """FAULTS 14: the checkpoint keeps its span, and the chat goes on."""
    down = [True]

    def llm(messages):
        if "title" not in messages[0]["content"]:
            return "Noted."
        if down:
            raise LLMError("chat model 'm': down", "unreachable")
        return '{"title": "Tea", "summary": "The user likes green tea.", "keywords": ["tea"]}'

    trigger = hl.get_trigger("every", n=4).place(min_turns=4)
    agent = hl.Agent(llm, hl.Modelled(llm, hl.Hydration(trigger)))
    for text in ("I like green tea.", "And biscuits.", "Now to work.", "What first?"):
        agent.chat(text)
    agent.drain()
    (row,) = agent.checkpoints.to_dicts()
    assert (row["status"], row["start"], row["end"]) == ("failed", 0, 3)
    assert row["summary"]
    down.clear()
    assert agent.retry() == 1
    agent.drain()
    (row,) = agent.checkpoints.to_dicts()
    assert (row["status"], row["title"], row["start"], row["end"]) == ("ready", "Tea", 0, 3)
    assert agent.store.read("checkpoints").equals(agent.checkpoints)


def test_a_checkpoint_whose_model_was_lost_with_the_process_is_written_by_the_next():
    store, pending = hl.MemoryStore(), Event()

    def llm(messages):
        if "title" not in messages[0]["content"]:
            return "Noted."
        pending.wait(0.2)
        raise LLMError("chat model 'm': stopped", "unreachable")

    trigger = hl.get_trigger("every", n=4).place(min_turns=4)
    agent = hl.Agent(llm, hl.Modelled(llm, hl.Hydration(trigger)), store=store, dialogue="tea")
    for text in ("I like green tea.", "And biscuits.", "Now to work."):
        agent.chat(text)
    agent.drain()
    tells = '{"title": "Tea", "summary": "The user likes green tea."}'
    again = hl.Agent(llm, hl.Modelled(lambda _: tells, hl.Hydration(trigger)), store=store, dialogue="tea")
    again.drain()
    assert again.checkpoints.select("title", "status").rows() == [("Tea", "ready")]


def test_the_newest_result_for_an_item_wins():
    agent = hl.Agent(echo, Working(fact))
    agent.chat("one")
    agent.drain()
    turn = agent.turns.row(0, named=True)
    newer, older = Task(99, 0, dict), Task(98, 0, dict)
    agent._dialogue.take(newer, fact(turn, "newer"))
    agent._dialogue.take(older, fact(turn, "older"))
    assert agent.memories["text"].to_list() == ["newer"]
    assert agent.store.read("memories")["text"].to_list() == ["newer"]


def test_a_result_for_a_dialogue_that_is_gone_is_dropped():
    """FAULTS 18."""
    go_on = Event()
    agent = hl.Agent(echo, Working(lambda turn: fact(turn) if go_on.wait(30) else {}))
    agent.chat("one")
    for table in ("dialogues", "steps", "events", "settings", "memories"):
        agent.store.replace(table, agent.store.read(table).clear(), dialogue_id=agent.dialogue_id)
    go_on.set()
    agent.drain()
    for table in ("dialogues", "memories", "events"):
        assert not agent.store.read(table).height
    with pytest.raises(hl.HydralabError, match="is no more in MemoryStore"):
        agent.chat("two")


def test_a_message_survives_the_death_of_the_process(tmp_path):
    """FAULTS 21: killed while the model answers, the user's message is there, and nothing is there by half."""
    path = tmp_path / "chat.db"
    killed = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("killed.py")), str(path)], check=False
    )
    assert killed.returncode == -signal.SIGKILL
    with hl.SqliteStore(path) as store:
        said = store.read("turns")
        assert said["text"].to_list() == ["I like green tea.", "Noted.", "My PIN is 4711."]
        assert store.read("dialogues")["title"].to_list() == ["pins"]
        assert store.read("steps").height == 1
        agent = hl.Agent(echo, hl.ExplicitMemory(), store=store, dialogue="pins")
        agent.drain()
        assert agent.memories["text"].to_list() == ["I like green tea."]
        assert agent.chat("Are you there?").text == "You said: Are you there?"
        assert "My PIN is 4711." in agent.context.prompt
        assert agent.turns["role"].to_list() == ["user", "assistant", "user", "user", "assistant"]
        agent.drain()


def test_too_much_work_is_put_aside_the_oldest_first():
    background, go_on, done, aside = Background("test", most=2), Event(), [], []
    background.submit(Work(lambda: go_on.wait(30) and None, lambda: None))
    while background._waiting:
        Event().wait(0.001)
    for number in range(4):
        background.submit(Work(lambda n=number: done.append(n), lambda n=number: aside.append(n)))
    go_on.set()
    assert background.drain()
    assert (aside, done) == ([0, 1], [2, 3])


def test_work_may_be_a_coroutine_and_asyncio_can_wait_for_it(run_async):
    background, done = Background("test"), []

    async def work():
        done.append(1)

    async def waiting():
        background.submit(Work(work, lambda: None))
        await background.adrain()
        return list(done)

    assert run_async(waiting()) == [1]


def test_a_dialogue_read_elsewhere_goes_on_with_an_agent():
    turns = hl.read(hl.example("launch_en"))
    store = hl.MemoryStore()
    placed = hl.Lab(hl.read_all(hl.example("launch_en")), store=store).checkpoints()
    agent = hl.Agent(echo, store=store, dialogue="launch_en")
    assert agent.turns.height == turns.height
    ready = placed.filter(pl.col("status") == "ready")
    assert agent.checkpoints["checkpoint_id"].to_list()[: ready.height] == ready["checkpoint_id"].to_list()
    agent.chat("What was the marketing budget?")
    assert "84,500" in agent.context.prompt
    assert not agent.checkpoints.filter(pl.col("status") == "open").height


def test_what_comes_first_is_never_put_aside():
    done, aside, held = [], [], Event()
    background = Background("crowded", most=2)

    def work(name):
        return Work(lambda: done.append(name), lambda: aside.append(name))

    background.submit(Work(lambda: held.wait(5) and None, lambda: None))
    for name in ("old", "middle"):
        background.submit(work(name))
    background.submit(work("settle"), first=True)
    background.submit(work("new"))
    held.set()
    assert background.drain(5)
    assert (done, aside) == (["settle", "middle", "new"], ["old"])
