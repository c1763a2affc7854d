"""What taking items away does to the answer."""

import numpy as np
import pytest
import torch

import hydralab as hl
from hydralab.attention import ablate, lay_out, leave_one_out, score_answers
from hydralab.attention.controls import log_odds
from hydralab.attention.lasso import fit_lasso
from hydralab.attention.prefixes import can_share, score_by_prefix
from hydralab.attention.running import _score_in_batches, score_sequences

pytestmark = pytest.mark.model

ANSWER = "It was 84,500."


def alone(model, prompt, answer):
    with torch.inference_mode():
        logits = model.network(input_ids=torch.from_numpy(np.concatenate([prompt, answer]))[None]).logits[0]
    chances = logits[len(prompt) - 1 : -1].log_softmax(-1)
    return chances[torch.arange(len(answer)), torch.from_numpy(answer)].double().numpy()


@pytest.mark.parametrize("family", ["llama", "gpt2", "gemma2", "mistral"])
def test_scores_are_those_of_each_prompt_alone(tiny, family):
    model = tiny(family)
    whole = np.random.default_rng(0).integers(2, 500, 60)
    prompts = [whole, whole[:40], np.delete(whole, slice(30, 45)), whole[10:]]
    answer = np.asarray([7, 8, 9])
    each = np.stack([alone(model, prompt, answer) for prompt in prompts])
    np.testing.assert_allclose(_score_in_batches(model, prompts, answer, 150), each, atol=1e-4)
    np.testing.assert_allclose(score_sequences(model, prompts, answer), each, atol=1e-4)
    assert can_share(model) == (family in ("llama", "gpt2"))
    if can_share(model):
        np.testing.assert_allclose(score_by_prefix(model, prompts, answer[:1]), each[:, :1], atol=1e-4)


def test_leaving_out_is_scoring_the_prompt_without_the_item(tiny, contexts):
    model, kept = tiny("llama"), contexts["en"].kept
    table = leave_one_out(model, contexts["en"], ANSWER)
    assert set(kept["item_id"].gather(table["to"])) == set(table["item_id"])
    assert not table["item_id"].is_in(["query", "system"]).any()
    answer = np.asarray(model.encode(ANSWER))
    row = table.row(1, named=True)
    without = kept.filter(kept["item_id"] != row["item_id"])
    full, less = (alone(model, lay_out(model, frame).ids, answer).sum() for frame in (kept, without))
    assert row["effect"] == pytest.approx(full - less, abs=1e-3)
    scored = score_answers(model, [contexts["en"]], ANSWER)
    assert scored["log_probability"][0] == pytest.approx(full, abs=1e-3)


def test_a_prompt_that_the_template_refuses_costs_its_own_row_only(tiny, contexts):
    model = tiny("llama")
    known = model.tokenizer.chat_template
    second = contexts["zh"].kept.filter(section="recent")["text"][1]
    model.tokenizer.chat_template = (
        "{% if '" + second[:6] + "' not in (messages | map(attribute='content') | join) "
        "and 'hydralabitem' not in (messages | map(attribute='content') | join) %}"
        "{{ raise_exception('must alternate') }}{% endif %}" + known
    )
    try:
        table = leave_one_out(model, contexts["zh"], "四十万。")
    finally:
        model.tokenizer.chat_template = known
    failed = table.filter(table["effect"].is_null())
    assert failed.height == 1
    assert "must alternate" in failed["reason"][0]


def test_an_answer_without_tokens_is_an_error(tiny, contexts):
    with pytest.raises(hl.HydralabError, match="answer is empty"):
        leave_one_out(tiny("llama"), contexts["en"], "")


def test_ablations_give_each_item_a_weight_and_are_the_same_twice(tiny, contexts):
    table = ablate(tiny("llama"), contexts["en"], ANSWER, ablations=8)
    assert table["weight"].is_finite().all()
    assert table.equals(ablate(tiny("llama"), contexts["en"], ANSWER, ablations=8))
    with pytest.raises(hl.HydralabError, match="expected at least 4"):
        ablate(tiny("llama"), contexts["en"], ANSWER, ablations=3)


def test_the_lasso_finds_the_few_columns_that_matter():
    rng = np.random.default_rng(4)
    x = (rng.random((48, 30)) < 0.5).astype(float)
    y = 4 * x[:, 3] - 2 * x[:, 17] + 0.01 * rng.standard_normal(48)
    found = fit_lasso(x, y, penalty=0.05)
    assert np.argsort(-np.abs(found))[:2].tolist() == [3, 17]
    np.testing.assert_allclose(np.delete(found, [3, 17]), 0, atol=0.02)
    least = np.linalg.lstsq(np.c_[x[:, :5], np.ones(48)], y, rcond=None)[0]
    np.testing.assert_allclose(fit_lasso(x[:, :5], y, penalty=0.0), least[:5], atol=1e-5)
    with pytest.raises(hl.HydralabError, match="at least 0"):
        fit_lasso(x, y, penalty=-1.0)


def test_a_lasso_of_columns_that_say_the_same_shares_or_picks_and_a_constant_gets_nothing():
    x = np.asarray([[0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 1.0]])
    found = fit_lasso(x, np.asarray([0, 2, 0, 2.0]), penalty=0.001)
    assert found[:2].sum() == pytest.approx(2, abs=0.01)
    assert found[2] == 0


def test_log_odds_are_exact_at_both_ends():
    np.testing.assert_allclose(log_odds(np.log(np.asarray([0.5, 0.9]))), [0, np.log(9)], atol=1e-9)
    assert log_odds(np.asarray([-400.0]))[0] == pytest.approx(-400)
    assert np.isfinite(log_odds(np.asarray([0.0]))).all()
