"""A row is known from the moment it came on; told anew, it leaves what was known before."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hydralab as hl
from hydralab.frames import build
from hydralab.replay.growing_table import GrowingTable
from hydralab.strategies import FullHistory, Observation

FACTS = hl.Recall(turns=5, checkpoints=5, memories=5)


def facts(text, memory_id="m", **more):
    row = {"memory_id": memory_id, "dialogue_id": "launch_en", "kind": "fact", "text": text, "tokens": 5}
    return {"memories": build("memories", [{**row, **more}])}


@dataclass(frozen=True)
class Noting(FullHistory):
    """Remembers something at some turns."""

    def observe(self, view):
        return Observation(self.noted(view, view.at - 1))

    @property
    def recall_config(self):
        return FACTS


@dataclass(frozen=True)
class WithoutSources(Noting):
    """A fact at turn 15 that names no turns."""

    def noted(self, view, now):
        return facts("The budget is 84,500 euros.", source_turn_ids=[]) if now == 15 else {}


@dataclass(frozen=True)
class Rolling(Noting):
    """One checkpoint that is told anew as the dialogue goes on."""

    def noted(self, view, now):
        if now not in (6, 12):
            return {}
        row = {
            "checkpoint_id": "so far", "dialogue_id": view.dialogue_id, "start": 0, "end": now - 1,
            "title": f"budget at {now}", "summary": f"budget at {now}", "tokens": 5, "decided_at": now,
            "ready_at": now, "status": "ready",
        }  # fmt: skip
        return {"checkpoints": build("checkpoints", [row])}


@pytest.fixture(scope="module")
def lab():
    return hl.Lab(hl.read_all(hl.example("launch_en")))


def recalled(run, at, kind):
    return (
        run.timeline.view(at).recall("What is the budget?").candidates.filter(kind=kind)["item_id"].to_list()
    )


def test_a_fact_without_sources_is_known_from_where_it_came(lab):
    run = lab.replay(WithoutSources())
    for at, known in ((2, []), (14, []), (15, ["m"]), (20, ["m"])):
        assert run.timeline.view(at).memories["memory_id"].to_list() == known
        assert recalled(run, at, "memory") == known


def test_a_row_told_anew_leaves_what_was_known_before(lab):
    run = lab.replay(Rolling())
    for at, ends in ((5, []), (6, [5]), (11, [5]), (12, [11]), (20, [11])):
        assert run.timeline.view(at).checkpoints["end"].to_list() == ends
        assert recalled(run, at, "checkpoint") == ["so far"] * len(ends)
    assert run.timeline.tables["checkpoints"]["end"].to_list() == [11]


MOMENTS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9)), max_size=12)


@given(told=MOMENTS, moment=st.integers(0, 9))
def test_of_each_row_the_version_told_last_among_those_known_is_shown(told, moment):
    table = GrowingTable("memories")
    for number, (name, known) in enumerate(told):
        table.append(facts(str(number), name)["memories"], np.array([known]))
    shown = {name: str(number) for number, (name, known) in enumerate(told) if known <= moment}
    latest = {name: str(number) for number, (name, _) in enumerate(told)}
    assert dict(table.known_by(moment).select("memory_id", "text").rows()) == shown
    assert dict(table.latest.select("memory_id", "text").rows()) == latest
    assert table.known_by(moment).height == len(shown)
