"""The bundled dialogues, with the default encoder."""

from functools import cache

import pytest

from hydralab.encoders import embed
from hydralab.metrics import score_boundaries
from hydralab.readers import example, read_all
from hydralab.triggers import default_trigger, find_boundaries

README = '((hl.col.shift > 0.8) | hl.cue("换个话题|另外")).place(min_turns=4, max_turns=40)'
DIALOGUES = ["launch_zh", "launch_en", "long_zh", "long_en"]


@cache
def bundled(name):
    corpus = read_all(example(name))
    return corpus, embed(corpus.turns["text"].to_list()).vectors


def scored(trigger, name):
    corpus, vectors = bundled(name)
    found = find_boundaries(trigger, corpus.turns, vectors)
    means = score_boundaries(found, corpus.gold, corpus.turns).means
    scores = dict(means.select("method", "score").iter_rows())
    return found.height / corpus.turns.height, scores


@pytest.mark.parametrize("name", DIALOGUES)
def test_the_trigger_of_the_readme_fires_sparsely_and_beats_every_n(name):
    """FAULTS 30."""
    density, scores = scored(README, name)
    assert 0.05 <= density <= 0.30
    assert scores["predicted"] > scores["every_n"]


@pytest.mark.parametrize("name", DIALOGUES)
def test_the_default_trigger_beats_every_floor(name):
    density, scores = scored(default_trigger(), name)
    assert 0.05 <= density <= 0.30
    assert scores["predicted"] == max(scores.values())


@pytest.mark.parametrize("trigger", [README, "default"])
def test_replayed_turn_by_turn_nothing_is_withdrawn(trigger):
    corpus, vectors = bundled("launch_zh")
    whole = find_boundaries(trigger, corpus.turns, vectors, closed=False)
    for n in range(1, corpus.turns.height):
        prefix = find_boundaries(trigger, corpus.turns[:n], vectors[:n], closed=False)
        assert prefix.equals(whole.filter(whole["decided_at"] < n))
