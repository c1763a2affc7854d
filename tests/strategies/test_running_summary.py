import polars as pl
import pytest

import hydralab as hl
from hydralab.llms import LLMError, Scripted
from hydralab.strategies.summaries import count_words

LAUNCH = {"launch_zh": "之前提到的市场推广预算是多少？", "launch_en": "marketing budget"}


def replay(name, strategy, budget=1_000):
    return hl.Lab(hl.read_all(hl.example(name))).replay(strategy, budget=budget)


@pytest.mark.parametrize("name", LAUNCH)
def test_once_over_eight_rounds_all_but_the_last_five_are_a_summary(name):
    run = replay(name, hl.RunningSummary(), budget=4_000)
    made = run.checkpoints.filter(pl.col("trigger") == "running_summary")
    ninth = run.turns.filter(pl.col("round") == 8)["position"][0]
    last_folded = run.turns.filter(pl.col("round") <= 8 - 5)["position"][-1]
    assert made.select("start", "end", "decided_at").row(0) == (0, last_folded, ninth)
    assert all(count_words(text) <= 200 for text in made["summary"])
    before, after = run.step(ninth - 1), run.step(ninth)
    assert before.kept.filter(pl.col("section") == "checkpoint").height == 0
    assert after.kept.filter(pl.col("section") == "checkpoint")["item_id"].to_list() == [
        made["checkpoint_id"][0]
    ]
    recent = after.kept.filter(pl.col("section") == "recent")["item_id"].to_list()
    assert recent == run.turns["turn_id"][last_folded + 1 : ninth].to_list()


@pytest.mark.parametrize("budget", [600, 4_000])
@pytest.mark.parametrize("strategy", [hl.RunningSummary(), hl.Layered()], ids=["running", "layered"])
@pytest.mark.parametrize("name", LAUNCH)
def test_every_turn_is_word_for_word_or_in_the_summary(name, strategy, budget):
    """FAULTS 1."""
    run = replay(name, strategy, budget)
    for position in run.turns.filter(pl.col("role") == "user")["position"]:
        context = run.step(position)
        assert context.messages[-1]["content"].endswith(run.turns["text"][position])
        held = {each for sources in context.kept["source_turn_ids"].to_list() for each in sources or ()}
        assert held >= set(run.turns.head(position).filter(pl.col("role") != "system")["turn_id"])


@pytest.mark.parametrize(("name", "budget"), [("launch_zh", 200), ("launch_en", 120), ("launch_en", 200)])
@pytest.mark.parametrize("strategy", [hl.RunningSummary(), hl.Layered()], ids=["running", "layered"])
def test_where_a_budget_is_small_the_summary_goes_first(name, strategy, budget):
    """FAULTS 1: a longer summary pushes turns out, and facts take the room of the summary."""
    run = replay(name, strategy, budget)
    for position in run.turns.filter(pl.col("role") == "user")["position"]:
        kept = run.step(position).kept.filter(pl.col("section") != "memory")
        held = {each for sources in kept["source_turn_ids"].to_list() for each in sources or ()}
        assert held >= set(run.turns.head(position).filter(pl.col("role") != "system")["turn_id"])


def test_a_model_merges_the_summary_before():
    asked = []

    def model(messages):
        asked.append(messages[-1]["content"])
        return f"摘要第{len(asked)}版：预算四十万元。"

    run = replay("launch_zh", hl.RunningSummary(llm=model, after_rounds=3, keep_rounds=2))
    made = run.checkpoints.filter(pl.col("trigger") == "running_summary").sort("end")
    assert made.height == len(asked) > 2
    assert "<summary>\n\n</summary>" in asked[0]
    assert "摘要第1版" in asked[1]
    assert made["status"].unique().to_list() == ["ready"]
    assert run.steps["llm_calls"].sum() == len(asked)
    assert "摘要第1版" not in run.step(run.turns.height - 1).prompt


def test_a_model_that_fails_leaves_the_sentences_and_says_so():
    """FAULTS 14: the talk goes on."""

    def failing(messages):
        raise LLMError("no answer in 60 s", "timeout")

    run = replay("launch_en", hl.RunningSummary(llm=failing))
    made = run.checkpoints.filter(pl.col("trigger") == "running_summary")
    assert made["status"].unique().to_list() == ["failed"]
    assert all(made["summary"])
    assert run.events["status"].unique().to_list() == ["failed"]
    assert run.events["detail"].str.contains("no answer in 60 s").all()
    assert run.steps.height == replay("launch_en", hl.RunningSummary()).steps.height


def test_a_summary_that_is_too_long_or_cut_off_ends_with_a_sentence():
    """FAULTS 3."""
    llm = Scripted(lambda messages: "The budget is 84,500 euros. " * 100)
    run = replay("launch_en", hl.RunningSummary(llm=llm, words=40))
    made = run.checkpoints.filter(pl.col("trigger") == "running_summary")
    assert all(count_words(text) <= 40 and text.endswith(".") for text in made["summary"])
    assert run.events["status"].unique().to_list() == ["salvaged"]


def test_what_is_longer_than_the_window_is_merged_part_by_part():
    """FAULTS 3."""
    llm = Scripted(lambda messages: "The budget is 84,500 euros.", window=900)
    run = replay("launch_en", hl.RunningSummary(llm=llm, words=50, after_rounds=6, keep_rounds=1))
    made = run.checkpoints.filter(pl.col("trigger") == "running_summary")
    assert made["status"].unique().to_list() == ["ready"]
    assert run.steps["llm_calls"].sum() > made.height


def test_settings_that_cannot_be_meant_are_refused():
    with pytest.raises(hl.HydralabError, match="after_rounds is 3, expected at least keep_rounds, 5"):
        hl.RunningSummary(after_rounds=3)
