"""The comparison, run small; data/results/compare.json has it at full size."""

import pytest

from hydralab.benchmarks.compare import STRATEGIES_COMPARED, measure_comparison
from hydralab.errors import UnknownNameError
from hydralab.readers import example


@pytest.fixture(scope="module")
def measured():
    sets = {name: example(name) for name in ("launch_zh", "launch_en")}
    methods = [
        "sliding_window",
        "hydration",
        "running_summary",
        "running_summary, scripted",
        "three_tier, scripted",
    ]
    return measure_comparison(sets, budgets=(400, 1_000), methods=methods)


def test_each_strategy_has_a_row_for_each_set_and_budget(measured):
    assert measured.select("set", "strategy", "budget").unique().height == measured.height == 20
    assert (measured["tokens"] <= measured["budget"]).all()
    assert measured["stable"].is_between(0, 1).all()
    assert (measured["cost_cached"] <= measured["cost"]).all()
    assert (measured["milliseconds"] > 0).all()


def test_calls_are_those_of_strategies_with_a_model(measured):
    asked = measured.filter(measured["strategy"].str.ends_with(", scripted"))
    assert (asked["llm_calls"] > 0).all()
    assert (asked["llm_cost"] > 0).all()
    without = measured.filter(~measured["strategy"].str.ends_with(", scripted"))
    assert without["llm_calls"].sum() == without["llm_cost"].sum() == 0


def test_hydration_holds_the_most_evidence(measured):
    for (_, _), rows in measured.group_by("set", "budget"):
        best = rows.sort("verbatim", descending=True)
        assert best["verbatim"][0] == rows.filter(strategy="hydration")["verbatim"][0]


def test_the_registered_strategies_are_all_compared():
    from hydralab.strategies import STRATEGIES

    assert set(STRATEGIES) <= set(STRATEGIES_COMPARED)


def test_an_unknown_strategy_is_named():
    with pytest.raises(UnknownNameError, match="unknown method 'hydratoin'"):
        measure_comparison(methods=["hydratoin"])
