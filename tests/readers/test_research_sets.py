"""Readers of research sets tell their own files, and leave those of others alone."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.readers import READERS, read_all
from hydralab.readers.looks import Look, look_at
from hydralab.readers.sources import Source

FIXTURES = Path(__file__).parent / "fixtures"
SETS = (
    "dialseg711",
    "kdconv",
    "locomo",
    "longmemeval",
    "madial",
    "memorybank",
    "qmsum",
    "realmem",
    "superdialseg",
    "tiage",
    "vcsum",
)
FILES = sorted(file for name in SETS for file in (FIXTURES / name).iterdir())
OTHERS = sorted(file for file in FIXTURES.iterdir() if file.suffix in (".json", ".jsonl", ".csv"))

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FIELDS = (
    "conversation",
    "dialogue",
    "dialogues",
    "messages",
    "segments",
    "utterances",
    "history",
    "test-turn",
    "relevant-id",
)


def sure(file):
    look = look_at(Source(file))
    return {name: READERS[name]().sniff(look) for name in READERS}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_is_claimed_by_the_reader_of_its_set_alone(file):
    claims = sure(file)
    assert [name for name, how in claims.items() if how >= 0.5] == [file.parent.name]


@pytest.mark.parametrize("file", OTHERS, ids=lambda file: file.name)
def test_no_set_claims_the_file_of_another_format(file):
    claims = sure(file)
    assert not [name for name in SETS if claims[name] > 0]


@pytest.mark.parametrize("name", SETS)
def test_a_set_reads_by_name_and_by_content_alike(name):
    assert read_all(FIXTURES / name, format=name).turns.equals(read_all(FIXTURES / name).turns)


@given(
    st.lists(
        anything | st.dictionaries(st.sampled_from(FIELDS), anything, min_size=1, max_size=3), max_size=3
    )
)
def test_no_look_makes_a_reader_raise(records):
    for shape in ("list", "dict", "lines"):
        look = Look("x.json", "json", shape, tuple(records))
        assert all(0 <= READERS[name]().sniff(look) <= 1 for name in SETS)
