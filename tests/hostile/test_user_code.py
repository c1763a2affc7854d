"""Code that users bring in may raise, or give back anything: it is told by name and place."""

from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.strategies import Observation
from hydralab.triggers import TRIGGERS


@pytest.fixture
def registered():
    """Forget what a test registered."""
    before = set(TRIGGERS)
    yield
    for name in set(TRIGGERS) - before:
        del TRIGGERS._entries[name]


def fails_for(word):
    def encode(texts):
        if any(word in text for text in texts):
            raise RuntimeError("out of order")
        return np.stack([np.random.default_rng(len(text)).standard_normal(4) for text in texts])

    return encode


def test_a_text_that_cannot_be_encoded_is_an_event_and_costs_itself_only(talk):
    lab = hl.Lab(talk, encoder=fails_for("turn 5 "))
    rows = lab.vectors()
    assert np.flatnonzero(~rows.any(axis=1)).tolist() == [5]
    told = lab.events.filter(pl.col("status") == "failed")
    assert told["stage"].to_list() == ["embed"]
    assert "turn 5 is about" in told["detail"].item()
    assert told["dialogue_id"].item() == lab.dialogue_id()


@dataclass(frozen=True)
class Gives:
    """A signal that gives what it is told to, or raises it."""

    what: object
    lookahead = 0
    range = None
    unit = "nothing"
    source = "text"
    needs_vectors = False

    def values(self, turns, vectors, *, closed):
        if isinstance(self.what, Exception):
            raise self.what
        return self.what


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (KeyError("inside"), "signal 'mine': .*raised KeyError in dialogue .*inside"),
        (["a"] * 12, "signal 'mine': .*raised ValueError"),
        (None, "signal 'mine': .*values for 12 turns, expected one a turn"),
        ([1.0], "signal 'mine': .*values for 12 turns, expected one a turn"),
    ],
)
def test_a_signal_that_fails_is_named(talk, what, said):
    lab = hl.Lab(talk)
    with pytest.raises(HydralabError, match=said):
        lab.signals(mine=Gives(what))
    assert lab.signals().height == 12


def raising(*_):
    raise ValueError("inside")


@pytest.mark.parametrize("make", [hl.trigger, hl.step_trigger(init=0), hl.segmenter])
def test_a_trigger_that_raises_is_named(talk, registered, make):
    with pytest.raises(HydralabError, match=r"trigger 'raising' raised ValueError in dialogue .*: inside"):
        hl.Lab(talk).checkpoints(make(raising))


@pytest.mark.parametrize("answer", [None, "a", 5, pl.DataFrame({"x": [1]}), pl.Series(["a"] * 12)])
@pytest.mark.parametrize("make", [hl.trigger, hl.step_trigger(init=0), hl.segmenter])
def test_a_trigger_that_gives_anything_is_named(talk, registered, make, answer):
    def giving(*_):
        return answer

    with pytest.raises(HydralabError, match="trigger 'giving'"):
        hl.Lab(talk).checkpoints(make(giving))


@dataclass(frozen=True)
class Broken:
    """A strategy that fails in one place."""

    place: str
    name = "broken"
    recall_config = None

    def observe(self, view):
        def job():
            raise RuntimeError("no answer")

        if self.place == "observe" and view.at == 3:
            raise KeyError("inside")
        if self.place == "job" and view.at == 3:
            return Observation(jobs=(job,))
        rows = {"nowhere": pl.DataFrame({"a": [1]})} if self.place == "table" else {}
        return None if self.place == "nothing" else Observation(rows)

    def context(self, view, query, budget):
        if self.place == "context" and view.at == 4:
            raise KeyError("inside")
        return None if self.place == "no context" else hl.FullHistory().context(view, query, budget)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("observe", "strategy 'broken', observe of turn 2, dialogue .*KeyError: 'inside'"),
        ("nothing", "strategy 'broken', observe of turn 0, .*got NoneType, expected an Observation"),
        ("table", "unknown table that 'broken' observes into 'nowhere'; known: "),
        ("no context", "strategy 'broken', context at 0, .*got NoneType, expected a Context"),
    ],
)
def test_a_strategy_that_fails_is_named_with_the_turn(talk, place, said):
    with pytest.raises(HydralabError, match=said):
        hl.Lab(talk).replay(Broken(place), budget=300)


def test_a_prompt_that_fails_costs_itself_only_and_leaves_an_event(talk):
    run = hl.Lab(talk).replay(Broken("context"), budget=300)
    assert run.steps["position"].to_list() == [0, 2, 6, 8, 10]
    assert run.events.select("item_id", "status").rows() == [(run.turns["turn_id"][4], "failed")]
    assert "strategy 'broken', context at 4" in run.events["detail"].item()


def test_a_query_that_cannot_be_encoded_costs_its_prompt_only(talk):
    run = hl.Lab(talk, encoder=fails_for("turn 4 ")).replay(budget=300)
    assert run.steps["position"].to_list() == [0, 2, 6, 8, 10]
    assert "RuntimeError: out of order" in run.events["detail"].item()


def test_a_job_that_fails_costs_itself_only_and_leaves_an_event(talk):
    """FAULTS 13."""
    run = hl.Lab(talk).replay(Broken("job"), budget=300)
    assert run.steps.height == 6
    assert run.events.select("stage", "item_id", "status").rows() == [
        ("observe", run.turns["turn_id"][2], "failed")
    ]
    assert "raised RuntimeError: no answer" in run.events["detail"].item()
