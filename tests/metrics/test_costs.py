import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import UnknownNameError
from hydralab.llms import Price, Usage, cost_of


def test_each_prompt_costs_what_a_call_with_its_tokens_would():
    steps = hl.Lab(hl.read_all(hl.example("launch_en"))).replay(hl.RunningSummary(), budget=2_000).steps
    costs = hl.prompt_costs(steps, "gpt-4o-mini")
    assert costs["cached_tokens"].to_list() == steps["stable_prefix_tokens"].to_list()
    for row in costs.to_dicts():
        assert row["cost"] == pytest.approx(cost_of("gpt-4o-mini", Usage(row["tokens"])))
        cached = Usage(row["tokens"], cached=row["cached_tokens"])
        assert row["cost_cached"] == pytest.approx(cost_of("gpt-4o-mini", cached))
    assert costs["cost_cached"].sum() < costs["cost"].sum()


def test_short_prefixes_are_kept_by_no_provider_that_says_so():
    steps = pl.DataFrame({"tokens": [3_000] * 3, "stable_prefix_tokens": [1_000, 1_024, 1_300]})
    steps = hl.Lab(hl.read_all(hl.example("launch_en"))).replay().steps.head(3).with_columns(steps)
    costs = hl.prompt_costs(steps, Price(1.0, 1.0, cached=0.0), cached_from=1_024, cached_block=128)
    assert costs["cached_tokens"].to_list() == [0, 1_024, 1_280]
    assert costs["cost_cached"].to_list() == pytest.approx([0.003, 0.001976, 0.00172])


def test_a_model_without_a_price_is_refused_with_those_that_have_one():
    steps = hl.Lab(hl.read_all(hl.example("launch_en"))).replay().steps
    with pytest.raises(
        UnknownNameError, match="model in the table of prices 'gpt-4o-mni'; known: 'gpt-4o-mini'"
    ):
        hl.prompt_costs(steps, "gpt-4o-mni")
