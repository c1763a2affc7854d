"""Calls of chat models in a replay: what they said is kept, what went wrong is told."""

from dataclasses import dataclass
from itertools import count
from time import sleep

import polars as pl
import pytest

import hydralab as hl
from hydralab.llms import LLMError, Scripted, ask
from hydralab.strategies import FullHistory, Observation


def judge_of_moods():
    """A judge that lets another note through each time it is asked."""
    asked = count(1)

    def model(messages):
        return str(next(asked) % 6 + 1) if "<notes>" in messages[-1]["content"] else "The talk so far."

    return hl.ThreeTier(llm=model, window=2)


@pytest.mark.parametrize("name", ["launch_zh", "launch_en"])
def test_a_prompt_that_a_model_judged_is_the_same_whenever_one_looks(name, tmp_path):
    run = hl.Lab(hl.read_all(hl.example(name))).replay(judge_of_moods(), budget=1_000)
    saved = hl.load_run(run.save(tmp_path / "run"))
    for position, query_id, tokens in run.steps.select("position", "query_id", "tokens").iter_rows():
        gold = query_id in run.questions["question_id"]
        first, again, read = (
            each.ask(query_id) if gold else each.step(position) for each in (run, run, saved)
        )
        assert first.tokens == tokens
        assert first.messages == again.messages == read.messages
        why = first.kept.filter(pl.col("section") == "recalled")["why"]
        assert why.null_count() == 0
        assert "" not in why.to_list()
    assert run.misses().equals(run.misses())


def test_a_judge_that_fails_is_told_in_an_event():
    def model(messages):
        if "<notes>" in messages[-1]["content"]:
            raise LLMError("no answer in 60 s", "timeout")
        return "The talk so far."

    run = hl.Lab(hl.read_all(hl.example("launch_en"))).replay(hl.ThreeTier(llm=model, window=2), budget=1_000)
    failed = run.events.filter((pl.col("stage") == "context") & (pl.col("status") == "failed"))
    assert failed.height == run.steps.filter(pl.col("llm_calls") > 0).height > 0
    assert set(failed["item_id"]) <= set(run.steps["query_id"])
    assert failed["detail"].str.contains("no answer in 60 s").all()
    assert "not packed" not in run.misses().filter(pl.col("detail").str.contains("60 s"))["stage"]


@dataclass(frozen=True)
class Busy(FullHistory):
    """Takes 5 ms to observe, and asks a model for each prompt, also where it is too long."""

    def observe(self, view):
        sleep(0.005)
        return Observation()

    def context(self, view, query, budget):
        ask(Scripted(["ok"]), [{"role": "user", "content": query}])
        return super().context(view, query, budget)


def test_time_and_calls_are_those_of_the_step_they_were_spent_on():
    turns = hl.read(hl.example("launch_en"))
    third = turns.filter(pl.col("role") == "user")["position"][2]
    longer = pl.when(pl.col("position") == third).then(pl.lit("word " * 900)).otherwise("text")
    run = hl.Lab(turns.with_columns(text=longer)).replay(Busy(), budget=800)
    assert run.events.filter(pl.col("stage") == "replay")["item_id"].to_list() == [turns["turn_id"][third]]
    assert run.steps["llm_calls"].unique().to_list() == [1]
    spent = run.steps["milliseconds"].struct.field("observe").sum()
    assert spent >= 5 * (run.steps["position"].max() + 1)
