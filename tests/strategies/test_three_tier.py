import polars as pl
import pytest

import hydralab as hl
from hydralab.llms import LLMError
from hydralab.texts import tokenizer


def replay(name, strategy, budget):
    return hl.Lab(hl.read_all(hl.example(name))).replay(strategy, budget=budget)


def summaries(run):
    return run.checkpoints.filter(pl.col("trigger") == "three_tier").sort("end")


@pytest.mark.parametrize("name", ["launch_zh", "launch_en"])
def test_a_summary_each_five_turns_of_at_most_150_tokens(name):
    run = replay(name, hl.ThreeTier(), 4_000)
    made = summaries(run)
    assert made["start"].to_list() == list(range(0, 5 * made.height, 5))
    assert (made["end"] - made["start"] == 4).all()
    assert all(tokenizer().count(text) <= 150 for text in made["summary"])
    pinned = run.step(run.turns.height - 1).kept.filter(
        pl.col("item_id").is_in(made["checkpoint_id"].implode())
    )
    assert pinned["item_id"].to_list()[-3:] == made["checkpoint_id"].tail(3).to_list()


@pytest.mark.parametrize("budget", [300, 600, 4_000])
@pytest.mark.parametrize("name", ["launch_zh", "launch_en"])
def test_no_turn_leaves_the_window_before_its_summary_is_there(name, budget):
    run = replay(name, hl.ThreeTier(), budget)
    made = summaries(run)
    for position in run.turns.filter(pl.col("role") == "user")["position"]:
        context = run.step(position)
        stored = made.filter(pl.col("decided_at") <= position)["end"].max()
        held = {each for sources in context.kept["source_turn_ids"].to_list() for each in sources or ()}
        waiting = run.turns.head(position).slice(0 if stored is None else stored + 1)
        assert held >= set(waiting["turn_id"])
        assert context.tokens <= budget


def test_turns_that_grow_too_long_are_summarised_at_once():
    calm = summaries(replay("launch_en", hl.ThreeTier(), 1_000))
    pressed = summaries(replay("launch_en", hl.ThreeTier(tokens=200), 1_000))
    assert (pressed["end"] - pressed["start"] < 4).any()
    assert pressed.height > calm.height
    assert pressed["end"][:-1].to_list() == (pressed["start"][1:] - 1).to_list()


def test_a_model_writes_and_judges():
    asked = []

    def model(messages):
        judging = "<notes>" in messages[-1]["content"]
        asked.append("judge" if judging else "summary")
        return "1" if judging else "The talk so far."

    run = replay("launch_en", hl.ThreeTier(llm=model), 1_000)
    assert set(asked) == {"judge", "summary"}
    assert summaries(run)["summary"].unique().to_list() == ["The talk so far."]
    recalled = run.step(run.turns.height - 1).kept.filter(pl.col("section") == "recalled")
    assert recalled.height <= 1
    assert run.steps["llm_calls"].sum() > summaries(run).height


def test_a_judge_that_lets_nothing_through_or_fails_costs_no_prompt():
    """FAULTS 14."""

    def nothing(messages):
        return "none" if "<notes>" in messages[-1]["content"] else "The talk so far."

    def failing(messages):
        raise LLMError("no server", "unreachable")

    run = replay("launch_en", hl.ThreeTier(llm=nothing), 1_000)
    last = run.step(run.turns.height - 1)
    assert last.kept.filter(pl.col("section") == "recalled").is_empty()
    plain = replay("launch_en", hl.ThreeTier(), 1_000)
    failed = replay("launch_en", hl.ThreeTier(llm=failing), 1_000)
    assert failed.step(20).messages == plain.step(20).messages
    assert summaries(failed)["status"].unique().to_list() == ["failed"]
