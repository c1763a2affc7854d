"""A run's id tells apart what gives other prompts, and nothing else."""

from dataclasses import replace
from datetime import UTC, datetime

import polars as pl
import pytest

import hydralab as hl
from hydralab.encoders import embed
from hydralab.replay import load_run
from hydralab.replay.naming import hash_turns
from hydralab.signals import get_signal
from hydralab.texts import tokenizer


@pytest.fixture(scope="module")
def turns():
    return hl.read(hl.example("launch_en"))


@pytest.fixture(scope="module")
def run(turns):
    return hl.Lab(turns).replay(hl.SlidingWindow(), budget=500)


def test_the_same_replay_made_twice_has_the_same_id(turns, run):
    assert hl.Lab(turns).replay(hl.SlidingWindow(), budget=500).run_id == run.run_id
    llm = hl.Modelled(lambda messages: "none")
    assert hl.Lab(turns).replay(llm).run_id == hl.Lab(turns).replay(llm).run_id


def encoded(texts):
    return embed(texts).vectors


@pytest.mark.parametrize("given", [{"encoder": encoded}, {"tokenizer": replace(tokenizer(), name="own")}])
def test_another_encoder_or_tokenizer_gives_another_id(turns, run, given):
    assert hl.Lab(turns, **given).replay(hl.SlidingWindow(), budget=500).run_id != run.run_id


def test_named_signals_and_edited_rows_give_another_id(turns):
    lab = hl.Lab(turns)
    plain = lab.replay().run_id
    lab.signals(often=get_signal("depth"))
    named = lab.replay().run_id
    lab.edit(lab.checkpoints()["checkpoint_id"][0], summary="By hand.")
    assert len({plain, named, lab.replay().run_id}) == 3


def test_a_model_is_told_apart_by_what_its_function_does(turns):
    def answering(text):
        return lambda messages: text

    told = [hl.Modelled(answering(text)) for text in ("May", "June")]
    told += [hl.Modelled(lambda messages: "none"), hl.Modelled(lambda messages: "[]")]
    assert len({hl.Lab(turns).replay(each).run_id for each in told}) == 4


@pytest.mark.parametrize(
    "change",
    [
        {"text": pl.lit("other")},
        {"speaker": pl.lit("Ann")},
        {"time": pl.lit(datetime(2026, 5, 1, tzinfo=UTC), dtype=pl.Datetime("us", "UTC"))},
        {"parts": pl.lit('[{"type": "image", "alt": "a kettle"}]')},
    ],
    ids=lambda change: next(iter(change)),
)
def test_turns_differ_when_any_column_that_a_prompt_shows_does(turns, run, change):
    other = turns.with_columns(**change)
    assert hash_turns(other) != hash_turns(turns)
    assert hl.Lab(other).replay(hl.SlidingWindow(), budget=500).run_id != run.run_id


def test_runs_are_compared_and_hashed_as_the_objects_they_are(turns, run, tmp_path):
    again, saved = hl.Lab(turns).replay(hl.SlidingWindow(), budget=500), load_run(run.save(tmp_path / "run"))
    assert run == run
    assert run != again
    assert saved != load_run(tmp_path / "run")
    assert len({run, again, saved}) == 3
