"""A small run of what a chat takes beside its model."""

from hydralab.benchmarks.agent import STRATEGIES, measure_agent


def test_each_strategy_has_its_chats_measured():
    rows = measure_agent(turns=300, chats=3)
    assert rows["strategy"].unique(maintain_order=True).to_list() == [each.name for each in STRATEGIES]
    assert rows.filter(what="a chat without its model, median", strategy="hydration")["bar"].item() == 30.0
    assert (rows.drop_nulls("bar")["value"] > 0).all()
    assert rows.group_by("strategy").len()["len"].to_list() == [5, 5, 5]
