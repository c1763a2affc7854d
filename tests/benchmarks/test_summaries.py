"""Titles and summaries against those that people wrote."""

from pathlib import Path

import polars as pl
import pytest

from hydralab.benchmarks.summaries import gold_texts, measure_summaries
from hydralab.checkpoints import Extraction
from hydralab.errors import HydralabError
from hydralab.frames import Corpus
from hydralab.readers import read_all

FIXTURES = Path(__file__).parent.parent / "readers" / "fixtures"
SETS = {"vcsum": FIXTURES / "vcsum", "qmsum": FIXTURES / "qmsum"}


@pytest.fixture(scope="module")
def measured():
    return measure_summaries(SETS, seed=3)


def test_segments_and_topics_are_gold(measured):
    golds = gold_texts(read_all(SETS["vcsum"]))
    assert [(gold.part, gold.text, gold.turns.height) for gold in golds] == [
        ("title", "人才培养", 2),
        ("summary", "人才来自大学。", 2),
        ("title", "资金来源", 2),
        ("summary", "资金靠众筹。", 2),
    ]


def test_an_answer_is_the_summary_of_its_spans_without_transcription_marks():
    golds = gold_texts(read_all(SETS["qmsum"]))
    (answer,) = (gold for gold in golds if gold.part == "summary")
    assert answer.turns["text"].to_list() == ["Now the budget.", "Back to the money."]
    assert all("{" not in text and " ." not in text for gold in golds for text in gold.turns["text"])


def test_every_method_is_scored_on_every_part_of_every_set(measured):
    keys = measured.select("set", "part", "method").rows()
    methods = ("extract", "first n", "random")
    assert set(keys) == {
        (name, part, method) for name in SETS for part in ("title", "summary") for method in methods
    }
    assert len(keys) == 12
    for metric in ("chrf", "rouge1", "rouge2", "rougeL"):
        assert measured[metric].is_between(0, 100).all()


def test_baselines_are_no_longer_than_the_extract(measured):
    lengths = measured.pivot("method", index=["set", "part"], values="tokens")
    assert (lengths["first n"] <= lengths["extract"]).all()
    assert (lengths["random"] <= lengths["extract"]).all()


def test_chinese_is_scored_by_characters(measured):
    extracts = measured.filter(pl.col("method") == "extract", pl.col("set") == "vcsum")
    assert extracts["rouge1"].min() > 20


def test_the_same_seed_gives_the_same_figures(measured):
    assert measure_summaries(SETS, seed=3).equals(measured)
    longer = measure_summaries(SETS, seed=3, extraction=Extraction(title_phrases=1))
    assert longer["tokens"].sum() < measured["tokens"].sum()


@pytest.mark.parametrize(
    ("sets", "message"),
    [(None, "no set is given"), ({"chat": FIXTURES / "chatgpt.json"}, "holds no written summaries")],
)
def test_sets_without_gold_are_refused(sets, message):
    with pytest.raises(HydralabError, match=message):
        measure_summaries(sets)


def test_an_empty_corpus_has_no_gold():
    assert gold_texts(Corpus()) == []
