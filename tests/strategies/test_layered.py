import polars as pl
import pytest

import hydralab as hl

SECTIONS = ("memory", "checkpoint", "recent", "query")


@pytest.mark.parametrize("name", ["launch_zh", "launch_en"])
def test_memory_then_summary_then_recent_then_query(name):
    run = hl.Lab(hl.read_all(hl.example(name))).replay(hl.Layered(system="Be brief."), budget=2_000)
    kept = run.step(run.turns.filter(pl.col("role") == "user")["position"][-1]).kept
    held = kept["section"].unique(maintain_order=True).to_list()
    assert held == ["system", *SECTIONS]
    prompt = run.step(run.turns.height - 1).prompt
    places = [prompt.index(mark) for mark in ("Be brief.", "<memory>", "<checkpoints>")]
    assert places == sorted(places)


def test_each_part_has_its_own_model():
    lab = hl.Lab(hl.read_all(hl.example("launch_en")))
    layered = hl.Layered(
        memory=hl.ExplicitMemory(llm=lambda _: '{"memories": [{"kind": "fact", "text": "Likes tea."}]}'),
        summary=hl.RunningSummary(llm=lambda _: "The budget is 84,500 euros."),
    )
    prompt = lab.replay(layered, budget=1_500).step(20).prompt
    assert "Likes tea." in prompt
    assert "The budget is 84,500 euros." in prompt


def test_one_model_writes_for_the_parts_that_have_none():
    model, own = hl.Scripted(lambda _: "The budget is 84,500 euros."), hl.Scripted(lambda _: "none")
    layered = hl.Layered(model, memory=hl.ExplicitMemory(llm=own, facts=2))
    assert (layered.memory.llm, layered.memory.facts, layered.summary.llm) == (own, 2, model)
    assert hl.Layered(model).memory.llm is model
    assert hl.Layered().summary.llm is None
    prompt = hl.Lab(hl.read_all(hl.example("launch_en"))).replay(layered, budget=1_500).step(20).prompt
    assert "The budget is 84,500 euros." in prompt


def test_parts_of_another_kind_are_refused():
    with pytest.raises(hl.HydralabError, match="Layered: summary is 3, expected a RunningSummary"):
        hl.Layered(summary=3)
