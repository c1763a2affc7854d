"""What can be asked of a run: its spans, and where evidence was lost."""

from dataclasses import dataclass, replace

import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.frames import build, event
from hydralab.replay import load_run
from hydralab.strategies import FullHistory, Observation
from hydralab.texts import tokenizer


@pytest.fixture(scope="module")
def lab():
    return hl.Lab(hl.read_all(hl.example("launch_en")))


def test_a_run_says_how_many_prompts_it_has_and_how_many_failed(lab):
    whole = lab.replay(hl.SlidingWindow(), budget=1_000)
    made = f"{whole.run_id!r}, {whole.title!r}, {whole.steps.height} prompts"
    assert repr(whole) == f"Run({made}, budget 1,000)"
    assert f", 0 prompts, {whole.steps.height} failed, budget 3)" in repr(lab.replay(budget=3))


@pytest.mark.parametrize("strategy", [hl.RunningSummary(), hl.ThreeTier(), hl.FullHistory(), hl.Hydration()])
def test_the_open_span_is_what_no_checkpoint_tells_of(lab, strategy):
    spans = lab.replay(strategy, budget=4_000).checkpoints
    closed, opened = spans.filter(pl.col("status") == "ready"), spans.filter(pl.col("status") == "open")
    told = closed["end"].max()
    assert opened.select("start", "end").rows() == [(0 if told is None else told + 1, lab.turns.height - 1)]


def test_a_run_without_boundaries_has_the_span_that_the_lab_has():
    lab = hl.Lab(hl.read_all(hl.example("launch_en")))
    run = lab.replay(hl.Hydration(hl.get_trigger("marks", positions=[])))
    assert run.checkpoints.equals(lab.checkpoints(hl.get_trigger("marks", positions=[])))


def test_the_open_span_is_counted_by_the_tokenizer_of_the_run(lab):
    plain = tokenizer()
    double = replace(plain, encode_batch=lambda texts: [2 * ids for ids in plain.encode_batch(texts)])
    twice = hl.Lab(lab.turns, tokenizer=double).replay(hl.FullHistory(), budget=9_000).checkpoints
    opened = twice.filter(pl.col("status") == "open")
    assert opened["tokens"].item() >= 2 * plain.count(opened["summary"].item())


@dataclass(frozen=True)
class Chatty(FullHistory):
    """Notes something of each turn and question, without being the worse for it."""

    named: str = ""

    def observe(self, view):
        noted = event("observe", "failed", detail="a note", item_id=self.named)
        return Observation({"events": build("events", [noted])})


def test_only_a_prompt_that_failed_counts_as_lost_and_says_why(lab, tmp_path):
    question = lab.questions["question_id"][0]
    noted = lab.replay(Chatty(named=question), budget=4_000)
    assert set(noted.misses(question)["stage"]) == {"met"}
    small = lab.replay(hl.FullHistory(system="A very long text. " * 60), budget=200)
    assert small.misses(question)["detail"].str.contains("system text needs").all()
    assert load_run(small.save(tmp_path / "run")).misses().equals(small.misses())


def test_misses_of_a_question_that_is_none_are_refused(lab, tmp_path):
    run = lab.replay(hl.SlidingWindow(), budget=400)
    for each in (run, load_run(run.save(tmp_path / "run"))):
        with pytest.raises(HydralabError, match="no question 'nope'"):
            each.misses("nope")
