"""How much of the evidence of the bundled questions is among the first turns recalled."""

import polars as pl
import pytest

from hydralab.encoders import embed
from hydralab.readers import example, read_all
from hydralab.recall import Recall, Recaller


def found_share(corpus, config, first):
    """Return the share of evidence turns among the first turns recalled, recent ones left out."""
    turns = corpus.turns
    recaller = Recaller(turns, embed(turns["text"].to_list()).vectors, config=config)
    hits = []
    for question in corpus.questions.to_dicts():
        at = question["asked_at"] + 1
        recent = turns["turn_id"][max(at - 5, 0) : at].to_list()
        found = recaller.candidates(question["text"], at=at, exclude=recent).filter(kind="turn").head(first)
        hits += [turn_id in found["item_id"] for turn_id in question["evidence"]]
    return sum(hits) / len(hits)


@pytest.mark.parametrize("name", ["long_zh", "long_en"])
def test_ten_turns_hold_most_evidence_and_far_more_than_words_alone_find(name):
    corpus = read_all(example(name))
    default = found_share(corpus, Recall(), first=10)
    lexical = found_share(corpus, Recall(blend="lexical"), first=10)
    assert default >= 0.75
    assert default >= lexical + 0.15


@pytest.mark.parametrize("name", ["launch_zh", "launch_en"])
def test_what_the_launch_is_asked_back_for_comes_first(name):
    corpus = read_all(example(name))
    assert corpus.questions.select(pl.len()).item() > 0
    assert found_share(corpus, Recall(), first=4) >= 0.8
