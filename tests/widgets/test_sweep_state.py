import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.plots.evidence import evidence_recall
from hydralab.widgets.controls import Controls, Rule
from hydralab.widgets.triggerlab_state import TriggerLabState

BUDGET = 300


@pytest.fixture
def tuning(lab):
    return TriggerLabState(
        lab, trigger="(hl.col.shift > 0.5).place(min_turns=4, max_turns=40)", budget=BUDGET
    )


def asked_out(tuning, parameter, value):
    """Ask until every gold question was asked; returns the row and how often it took."""
    for times in range(1, 1_000):
        row = tuning.ask(parameter, value)["row"]
        if row["done"] >= 1:
            return row, times
    raise AssertionError("the evidence never comes to an end")


def test_a_sweep_says_what_other_values_of_a_parameter_would_give(tuning):
    rows = tuning.sweep("threshold 0", [0.2, 0.9])["rows"] + tuning.sweep("min_turns", [8])["rows"]
    tried = [
        Controls(rules=(Rule("shift", 0.2),)),
        Controls(rules=(Rule("shift", 0.9),)),
        Controls(rules=(Rule("shift", 0.5),), min_turns=8),
    ]
    for row, controls in zip(rows, tried, strict=True):
        tuning.set_controls(controls)
        spans = tuning.result()["spans"]
        assert row["checkpoints"] == len(spans)
        assert row["tokens"] == round(sum(span["tokens"] for span in spans) / len(spans), 1)
        assert row["score"] == round(tuning.result()["scores"][0]["scores"]["Score"], 3)
        assert row["evidence"] is None


def test_evidence_is_that_of_a_replay_with_the_trigger(tuning, lab):
    row, _ = asked_out(tuning, "threshold 0", 0.7)
    trigger = Controls(rules=(Rule("shift", 0.7),)).trigger()
    run = lab.replay(hl.Hydration(trigger), budget=BUDGET)
    assert row["evidence"] == round(evidence_recall(run), 3)
    asked = run.steps.filter(run.steps["query_id"].is_in(lab.questions["question_id"].implode()))
    assert row["prompt_tokens"] == round(asked["tokens"].mean(), 1)


def test_evidence_comes_in_steps_and_stays_known(tuning, monkeypatch):
    monkeypatch.setattr("hydralab.widgets.sweep_state.AT_A_TIME", 0.0)
    shares = [tuning.ask("threshold 0", 0.4)["row"]["done"]]
    monkeypatch.setattr("hydralab.widgets.sweep_state.AT_A_TIME", 1e-6)
    while shares[-1] < 1:
        shares.append(tuning.ask("threshold 0", 0.4)["row"]["done"])
    assert len(shares) > len(tuning.cutting.dialogue.questions)
    assert shares == sorted(shares)
    (row,) = tuning.sweep("threshold 0", [0.4])["rows"]
    assert 0 <= row["evidence"] <= 1
    assert tuning.swept.filter(tuning.swept["value"] == 0.4)["evidence"].to_list() == [row["evidence"]]


def test_what_cant_be_swept_says_so(tuning, lab):
    assert [each["name"] for each in tuning.result()["parameters"]] == [
        "threshold 0",
        "min_turns",
        "max_turns",
    ]
    tuning.write("~hl.cue('另外')")
    assert tuning.result()["parameters"] == []
    assert tuning.sweep("threshold 0", [0.2])["rows"] == []
    with pytest.raises(HydralabError, match="no parameter 'min_turns'"):
        tuning.ask("min_turns", 3)
    unasked = hl.Lab(lab.turns)
    with pytest.raises(HydralabError, match="no gold question with evidence"):
        TriggerLabState(unasked).ask("min_turns", 3)
    assert TriggerLabState(unasked).sweep("min_turns", [3])["rows"][0]["score"] is None
