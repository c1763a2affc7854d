import json

import polars as pl
import pytest

import hydralab as hl
from hydralab.llms import LLMError

MEANT = {
    "title": "The launch",
    "summary": "The marketing budget is 84,500 euros.",
    "keywords": ["budget"],
    "entities": [],
    "decisions": [],
    "open_tasks": [],
}


@pytest.fixture(scope="module")
def lab():
    return hl.Lab(hl.read_all(hl.example("launch_en")))


def closed(run):
    return run.checkpoints.filter(pl.col("status") != "open")


def test_a_model_writes_the_checkpoints_of_any_strategy(lab):
    plain = lab.replay(hl.Hydration(), budget=1_000)
    run = lab.replay(hl.Modelled(lambda _: json.dumps(MEANT)), budget=1_000)
    assert closed(run)["checkpoint_id"].to_list() == closed(plain)["checkpoint_id"].to_list()
    assert closed(run)["title"].unique().to_list() == ["The launch"]
    assert closed(run)["status"].unique().to_list() == ["ready"]
    assert run.steps["llm_calls"].sum() == closed(run).height
    assert run.events.is_empty()
    assert "84,500" in run.step(run.turns.height - 1).prompt


def test_where_it_fails_the_sentences_stay_and_are_recalled(lab):
    """FAULTS 14: a failed checkpoint keeps its span, and the talk goes on."""

    def failing(messages):
        raise LLMError("too many requests", "rate_limited")

    plain = lab.replay(hl.Hydration(), budget=1_000)
    run = lab.replay(hl.Modelled(failing), budget=1_000)
    assert closed(run)["status"].unique().to_list() == ["failed"]
    assert closed(run)["summary"].to_list() == closed(plain)["summary"].to_list()
    assert run.step(20).messages == plain.step(20).messages
    assert run.events["status"].unique().to_list() == ["failed"]
    assert run.events["stage"].to_list().count("summarise") == closed(run).height


def test_it_holds_the_contract():
    hl.check_strategy(hl.Modelled(lambda _: json.dumps(MEANT)))


def test_what_cannot_be_meant_is_refused():
    with pytest.raises(hl.HydralabError, match="summarising is 3"):
        hl.Modelled(lambda _: "", summarising=3)
    with pytest.raises(hl.HydralabError, match="got 'hydration'"):
        hl.Modelled(lambda _: "", base="hydration")
