"""Counts of what was read, under the names of the counts that come with the sets."""

from pathlib import Path

import pytest

from hydralab.benchmarks.set_counts import SET_COUNTS
from hydralab.frames import Corpus
from hydralab.readers import read_all

FIXTURES = Path(__file__).parents[1] / "readers" / "fixtures"

EXPECTED = {
    "locomo": {"sessions": 3, "turns_with_image": 2, "questions_with_evidence": 4, "evidence_links": 6},
    "realmem": {"queries": 2, "turns_with_evidence": 3, "evidence_links": 3},
    "memorybank": {"users": 2, "days": 3, "rounds": 4},
    "longmemeval": {"dialogues": 2, "haystack_sessions": 3, "turns": 6, "questions": 2},
    "dialseg711": {"boundaries": 3, "first_turn_marked": 0},
    "qmsum": {"topics": 2, "questions": 1, "evidence_spans": 2},
}


@pytest.mark.parametrize("name", EXPECTED)
def test_what_was_read_is_counted(name):
    corpus = read_all(FIXTURES / name)
    assert {count: SET_COUNTS[count](corpus) for count in EXPECTED[name]} == EXPECTED[name]


@pytest.mark.parametrize("count", SET_COUNTS)
def test_an_empty_corpus_counts_nothing(count):
    assert SET_COUNTS[count](Corpus()) == 0
