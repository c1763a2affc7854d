"""The six systems of the literature, a line each, driven through the launch dialogues, and what holds the old budget.

The budget is named in turn 3; by the time it is asked for, six rounds of talk on staff benefits lie between.
"""

import json

import polars as pl
import pytest

import hydralab as hl

BUDGETS = {"launch_zh": "48.6 万元", "launch_en": "€84,500"}
QUESTION = {name: f"{name}:q01" for name in BUDGETS}


def notes_figures(messages):
    """Answer as a model would that notes the budget whenever it is spoken of."""
    said = messages[-1]["content"].partition("<dialogue>")[2]
    held = [figure for figure in BUDGETS.values() if figure in said]
    facts = [
        {"kind": "decision", "text": f"The marketing budget, 市场推广预算, is {figure}."} for figure in held
    ]
    return json.dumps({"memories": facts}, ensure_ascii=False)


SYSTEMS = {
    "hydration agent with checkpoints": lambda: hl.Hydration.literature(),
    "sliding window": lambda: hl.SlidingWindow(rounds=3),
    "summary compression": lambda: hl.RunningSummary(),
    "explicit memory": lambda: hl.ExplicitMemory(notes_figures),
    "layered manager": lambda: hl.Layered(memory=hl.ExplicitMemory(notes_figures)),
    "three-tier manager": lambda: hl.ThreeTier(),
}
HOLDS = {
    "hydration agent with checkpoints": {"recalled", "checkpoint"},
    "sliding window": set(),
    "summary compression": {"checkpoint"},
    "explicit memory": {"memory"},
    "layered manager": {"memory", "checkpoint"},
    "three-tier manager": {"recalled", "checkpoint"},
}


def sections_with(context, words):
    held = context.kept.filter(pl.col("text").str.contains(words, literal=True))
    return set(held["section"]) - {"recent"}


@pytest.mark.parametrize("name", BUDGETS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_holds_the_old_budget_when_it_is_asked_for(system, name):
    run = hl.Lab(hl.read_all(hl.example(name))).replay(SYSTEMS[system](), budget=600)
    context = run.ask(QUESTION[name])
    held = sections_with(context, BUDGETS[name])
    assert held <= HOLDS[system]
    assert bool(held) == bool(HOLDS[system])
    assert context.tokens <= 600
    assert run.events.filter(pl.col("status") == "failed").is_empty()


@pytest.mark.parametrize("name", BUDGETS)
def test_hydration_holds_the_turn_itself_and_a_summary_its_figure_alone(name):
    lab = hl.Lab(hl.read_all(hl.example(name)))
    steps = {
        system: lab.replay(SYSTEMS[system](), budget=600)
        .steps.filter(query_id=QUESTION[name])
        .row(0, named=True)
        for system in SYSTEMS
    }
    assert steps["hydration agent with checkpoints"]["evidence_verbatim"] > 0
    assert steps["sliding window"]["evidence_verbatim"] == steps["sliding window"]["evidence_answer"] == 0
    for system in ("summary compression", "explicit memory"):
        assert (
            steps[system]["evidence_verbatim"]
            <= steps["hydration agent with checkpoints"]["evidence_verbatim"]
        )
        assert steps[system]["evidence_answer"] == 1
    assert steps["three-tier manager"]["evidence_answer"] == steps["layered manager"]["evidence_answer"] == 1


@pytest.mark.parametrize("name", BUDGETS)
def test_the_last_prompt_has_the_tiers_of_its_system(name):
    lab = hl.Lab(hl.read_all(hl.example(name)))
    last = lab.turns.filter(pl.col("role") == "user")["position"][-1]
    present = {
        system: set(lab.replay(SYSTEMS[system](), budget=600).step(last).kept["section"])
        - {"system", "query"}
        for system in SYSTEMS
    }
    assert {"recalled", "recent"} <= present["hydration agent with checkpoints"]
    assert present["sliding window"] == {"recent"}
    assert present["summary compression"] == {"checkpoint", "recent"}
    assert present["explicit memory"] == {"memory", "recent"}
    assert present["layered manager"] == {"memory", "checkpoint", "recent"}
    assert {"checkpoint", "recent"} <= present["three-tier manager"] <= {"checkpoint", "recalled", "recent"}
