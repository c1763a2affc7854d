"""The models that come in packages: SmolLM2 writes and reads English, MiniLM only reads."""

import numpy as np
import polars as pl
import pytest

import hydralab as hl
from hydralab.attention import load_language_model
from hydralab.benchmarks.planted import CHECKPOINTS, MEASURES, plant, rank_planted

pytestmark = [pytest.mark.model, pytest.mark.slow]


@pytest.fixture(scope="module")
def ctx():
    return hl.Lab(hl.read_all(hl.example("launch_en"))).hydrate("What was the marketing budget?", budget=250)


def test_smollm2_is_read_as_it_says_itself(smollm2, ctx, equals_eager):
    found = hl.attend(smollm2, ctx, "The marketing budget was 84,500.", with_control=False)
    assert found.mass.shape[:2] == (30, 9)
    assert found.layout.straddling == 0
    equals_eager(smollm2, found)


def test_smollm2_with_an_answer_of_one_token(smollm2, ctx, equals_eager):
    """FAULTS 47."""
    found = hl.attend(smollm2, ctx, " yes", with_control=False)
    assert found.rows.height == 1
    equals_eager(smollm2, found)


def test_smollm2_writes_an_answer_that_needs_its_context(smollm2):
    planted = plant(0)
    found = hl.attend(smollm2, planted.context, max_new_tokens=12, with_control=False)
    assert found.written
    assert found.answer.rstrip(".") == planted.answer.rstrip(".")


def test_minilm_is_read_from_the_query(ctx, equals_eager):
    model = load_language_model("minilm")
    found = hl.attend(model, ctx, source="query")
    assert found.mass.shape[:2] == (6, 12)
    assert found.tokens["token_id"][0] == model.tokenizer.cls_token_id
    equals_eager(model, found)


@pytest.mark.parametrize("number", [0, 1])
def test_taking_away_the_planted_checkpoint_costs_the_answer_most(smollm2, number):
    planted = plant(number)
    kept = planted.context.kept.filter(section="checkpoint")
    assert kept.height == CHECKPOINTS
    assert planted.answer in kept["text"][planted.place]
    found = hl.attend(smollm2, planted.context, planted.answer)
    ranks = pl.DataFrame(rank_planted(planted, found))
    assert ranks["measure"].to_list() == list(MEASURES)
    assert ranks.filter(measure="leave_one_out")["rank"].item() == 1
    assert ranks.filter(measure="retrieval")["rank"].item() <= 2
    assert np.isfinite(found.agreement())
