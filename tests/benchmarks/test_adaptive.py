"""The comparison of adaptive prompts with a fixed budget of as many tokens, on small sets."""

import hydralab as hl
from hydralab.benchmarks.adaptive import measure_adaptive


def test_the_fixed_budget_spends_at_least_as_many_tokens():
    sets = {name: hl.example(name) for name in ("launch_zh", "launch_en")}
    measured = measure_adaptive(sets, budgets=(400, 900))
    assert measured.height == 4
    assert (measured["tokens"] <= measured["budget"]).all()
    assert (measured["fixed_budget"] <= measured["budget"]).all()
    assert (measured["fixed_tokens"] >= measured["tokens"] - 1).all()
    assert measured["verbatim"].is_between(0, 1).all()
