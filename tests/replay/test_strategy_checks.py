"""The contract of a strategy catches one that leaks, whichever way it does."""

from dataclasses import dataclass

import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.frames import build
from hydralab.replay import check_strategy
from hydralab.strategies import Observation

WITH_FACTS = hl.Recall(turns=5, checkpoints=5, memories=5)


@dataclass(frozen=True)
class Noting(hl.Hydration):
    """Keeps a fact without sources, and one checkpoint that it tells anew at every fourth turn."""

    recall: hl.Recall = WITH_FACTS

    def observe(self, view):
        now = view.at - 1
        if now % 4 != 3:
            return Observation()
        fact = {
            "memory_id": f"m{now}", "dialogue_id": view.dialogue_id, "kind": "fact", "tokens": 9,
            "text": f"之前提到的预算 budget {now}", "source_turn_ids": [],
        }  # fmt: skip
        row = {
            "checkpoint_id": "so far", "dialogue_id": view.dialogue_id, "start": 0, "end": now - 1,
            "title": f"预算 {now}", "summary": f"预算 {now}", "tokens": 9, "decided_at": now, "ready_at": now,
            "status": "ready",
        }  # fmt: skip
        return Observation(
            {"memories": build("memories", [fact]), "checkpoints": build("checkpoints", [row])}
        )


def test_facts_without_sources_and_rolling_checkpoints_hold_the_contract():
    check_strategy(Noting())


HEARD = []


@dataclass(frozen=True)
class Hoarding(hl.FullHistory):
    """Keeps what it observed beside its tables, and shows it in every prompt: also in earlier ones."""

    def observe(self, view):
        if view.at == 1:
            HEARD.clear()
        HEARD.append(view.turns["text"][-1])
        return super().observe(view)

    def context(self, view, query, budget):
        told = hl.FullHistory(system=f"{len(HEARD)} turns, {sum(map(len, HEARD))} characters")
        return told.context(view, query, budget)


def test_a_strategy_that_remembers_beside_its_tables_is_refuted():
    with pytest.raises(HydralabError, match="turn 1 differs from what it is when the dialogue ends there"):
        check_strategy(Hoarding())


@dataclass(frozen=True)
class Late(hl.FullHistory):
    """Has another prompt in the replay than whenever one looks at it later."""

    def observe(self, view):
        HEARD[:] = [view.at]
        return super().observe(view)

    def context(self, view, query, budget):
        running = HEARD[0] == view.at + 1
        return hl.FullHistory(system="while it ran" if running else "").context(view, query, budget)


def test_a_prompt_that_differs_only_from_its_step_is_refuted():
    with pytest.raises(HydralabError, match=r"turn 1 has \d+ tokens when asked again, \d+ in the replay"):
        check_strategy(Late())


@dataclass(frozen=True)
class Greedy(hl.FullHistory):
    """Takes a little more than it is given."""

    share: float = 1.1

    def context(self, view, query, budget):
        return hl.FullHistory().context(view, query, int(budget * self.share))


@pytest.mark.parametrize("share", [1.1, 2.0])
def test_a_prompt_over_the_budget_is_refuted_and_costs_the_prompt_in_a_replay(share):
    with pytest.raises(HydralabError, match=r"a prompt of [\d,]+ tokens, expected at most \d"):
        check_strategy(Greedy(share=share))
    lab = hl.Lab(hl.read_all(hl.example("launch_en")))
    run = lab.replay(Greedy(share=share), budget=400)
    assert run.steps["tokens"].max() <= 400
    failed = run.events.filter(status="failed")["detail"]
    assert failed.str.contains("expected at most 400").all()
    assert failed.len() > 0
