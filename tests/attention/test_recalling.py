"""Attention as a signal on turns and as a score of candidates."""

import numpy as np
import pytest

import hydralab as hl
from hydralab.attention import add_attention, attention_scores, attention_signal

pytestmark = pytest.mark.model


@pytest.fixture
def found(tiny):
    lab = hl.Lab(hl.read_all(hl.example("launch_en")))
    ctx = lab.hydrate("What was the marketing budget we mentioned earlier?", budget=600)
    return hl.attend(tiny("llama"), ctx, source="query")


def test_an_item_that_got_what_its_length_has_by_chance_scores_one(found):
    scores = attention_scores([found, found])
    assert scores["contexts"].to_list() == [2] * scores.height
    lengths = found.items.filter(~found.items["section"].is_in(["query", "template", "answer"]))["tokens"]
    assert (scores["attention"] * lengths / lengths.sum()).sum() == pytest.approx(1)


def test_only_what_was_asked_before_counts(found):
    at = found.context.at
    assert attention_scores([found], before=at).height == 0
    assert attention_scores([found], before=at + 1).height > 0


def test_candidates_get_a_column_and_keep_their_order(found):
    lab = hl.Lab(hl.read_all(hl.example("launch_en")))
    candidates = lab.recall("What was the marketing budget?")
    added = add_attention(candidates, [found])
    assert added.drop("attention").equals(candidates)
    assert added["attention"].drop_nulls().len() > 0
    with pytest.raises(hl.HydralabError, match="without 'attention'"):
        add_attention(added, [found])


def test_the_signal_stands_on_the_turn_that_was_read(found):
    turns = hl.read(hl.example("launch_en"))
    assert np.isnan(attention_signal(turns, [])).all()
    values = attention_signal(turns.with_columns(position=turns["position"] + 1), [found])
    assert np.flatnonzero(np.isfinite(values)).tolist() == [found.context.at - 1]
    assert 0 < values[-1] < 1
