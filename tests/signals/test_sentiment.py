"""The signal of sentiment, and how often it is right."""

import json

import polars as pl
import pytest

import hydralab as hl
from hydralab.benchmarks.sentiment import measure_sentiment_sets
from hydralab.errors import HydralabError
from hydralab.signals import DEFAULT_SIGNALS, Sentiment, compute_signals, measure_sentiment

LEAST = {"zh": 0.82, "en": 0.79}
"""Macro-F1 that the held-out sentences must keep."""


def test_one_value_a_turn(dialogue):
    turns = dialogue("太感谢了！", "", "又崩了，烦死了", "9:00")
    values = compute_signals(turns, signals={"sentiment": Sentiment()})["sentiment"].to_list()
    assert values[0] > 0.4 > 0 == values[1] == values[3] > -0.4 > values[2]


def test_a_trigger_may_name_it_though_no_default_set_has_it():
    assert "sentiment" not in DEFAULT_SIGNALS
    lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
    assert lab.boundaries("hl.col.sentiment > 0.3").height >= 0
    assert "sentiment" in lab.signals(sentiment=hl.Sentiment()).columns


@pytest.mark.parametrize("language", ["zh", "en"])
def test_held_out_sentences(language):
    """The sentences were written apart from the lexicons, which saw the part "dev" alone."""
    sentences = pl.read_ndjson(hl.example("sentiment")).filter(language=language, part="test")
    assert measure_sentiment(sentences).filter(sentiment="macro")["f1"].item() >= LEAST[language]


def test_measuring_counts_what_is_right_and_takes_plain_means():
    labelled = pl.DataFrame(
        {"text": ["开心", "难过", "难过", "嗯"], "label": ["positive", "positive", "negative", "neutral"]}
    )
    measured = measure_sentiment(labelled)
    assert measured["right"].to_list() == [1, 1, 1, 3]
    negative, neutral, positive, macro = measured["f1"].to_list()
    assert (negative, neutral, positive) == pytest.approx((2 / 3, 1, 2 / 3))
    assert macro == pytest.approx((negative + neutral + positive) / 3)


def test_the_bench_takes_sets_of_ones_own(tmp_path):
    line = {"text": "好", "language": "zh", "label": "positive", "part": "test"}
    (tmp_path / "mine.jsonl").write_text(json.dumps(line))
    measured = measure_sentiment_sets({"mine": tmp_path / "mine.jsonl"})
    assert measured.select("set", "language", "part").unique().row(0) == ("mine", "zh", "test")
    with pytest.raises(HydralabError, match="column 'label' is missing; expected text and label"):
        measure_sentiment(pl.DataFrame({"text": ["a"]}))
