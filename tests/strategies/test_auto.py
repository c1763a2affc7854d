import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError


@pytest.mark.parametrize("name", ["long_zh", "long_en"])
def test_a_window_then_the_whole_then_hydration_as_the_dialogue_grows(name):
    run = hl.Lab(hl.read_all(hl.example(name))).replay(hl.Auto(), budget=4_000)
    asked = run.steps.filter(~pl.col("query_id").is_in(run.questions["question_id"].implode()))
    picked = asked["decision"].str.extract(r"^(\w+):").to_list()
    assert sorted(set(picked), key=picked.index) == ["sliding_window", "full_history", "hydration"]
    rounds = dict(run.turns.select("turn_id", "round").iter_rows())
    for row, name in zip(asked.to_dicts(), picked, strict=True):
        assert (name == "sliding_window") == (rounds[row["query_id"]] < 10)


@pytest.mark.parametrize("name", ["launch_zh", "launch_en"])
def test_a_window_or_the_whole_history_loses_no_turn(name):
    run = hl.Lab(hl.read_all(hl.example(name))).replay(hl.Auto(), budget=800)
    for row in run.steps.to_dicts():
        if row["decision"].startswith("hydration"):
            continue
        context = run.step(row["position"])
        said = run.turns.head(context.at).filter(pl.col("role") != "system")["turn_id"].to_list()
        assert set(context.kept["item_id"]).issuperset(said)


def test_the_reason_is_shown_wherever_a_context_is():
    context = hl.Lab(hl.read_all(hl.example("launch_en"))).hydrate("And the date?", strategy=hl.Auto())
    why = context.decision["why"]
    assert why == "full_history: rounds: 11; all of them fit in 4,000 tokens, so nothing need be chosen"
    assert context.explain().startswith(f"adapted     {why}")
    assert why in context._repr_mimebundle_()["text/html"]
    assert context.strategy == "auto"
    assert context.budget == hl.Lab(hl.read_all(hl.example("launch_en"))).hydrate("And the date?").budget


def test_a_large_budget_is_not_spent_on_a_long_history():
    context = hl.Lab(hl.read_all(hl.example("long_en"))).hydrate(
        "What was the supplier called?", budget=100_000, strategy=hl.Auto(full_tokens=500)
    )
    assert context.decision["strategy"] == "hydration"


def test_the_reserve_is_kept_free_whatever_is_picked():
    """FAULTS 9."""
    auto = hl.Auto(hydration=hl.Hydration(reserve=200))
    run = hl.Lab(hl.read_all(hl.example("launch_zh"))).replay(auto, budget=900)
    assert run.steps["tokens"].max() <= 700
    assert run.step(run.turns.height - 1).reserve == 200


def test_what_is_no_hydration_is_refused():
    with pytest.raises(HydralabError, match=r"Auto: hydration is 'hydration', expected an hl.Hydration"):
        hl.Auto(hydration="hydration")
