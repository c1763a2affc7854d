"""The graph index of a dialogue is kept beside the store, and is never believed against the tables."""

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.index import Hnsw

QUERY = "What was the marketing budget?"


@pytest.fixture
def opened(tmp_path):
    """Return a function that opens a lab on one file, asks, and returns candidates and what was told of the index."""

    def ask(corpus=None, index="hnsw"):
        with hl.Lab(corpus, store=str(tmp_path / "lab.db"), index=index) as lab:
            found = lab.recall(QUERY)
            return found, lab.events.filter(pl.col("stage") == "index")["detail"].to_list()

    return ask


@pytest.fixture
def corpus():
    return hl.read_all(hl.example("launch_en"))


@pytest.fixture
def added(monkeypatch):
    """Return the numbers of rows that were added to graphs."""
    counts = []
    monkeypatch.setattr(
        Hnsw, "add", lambda self, rows, add=Hnsw.add: (counts.append(len(rows)), add(self, rows))
    )
    return counts


def test_the_graph_is_built_once(opened, corpus, added, tmp_path):
    """FAULTS 38."""
    first, told = opened(corpus)
    assert len(told) == 1
    assert "no index.json there" in told[0]
    assert sum(added) == corpus.turns.height
    assert [each.suffix for each in (tmp_path / "lab.db.cache").iterdir()] == [".hnsw"]
    again, told = opened()
    assert (told, sum(added)) == ([], corpus.turns.height)
    assert_frame_equal(again, first)
    assert_frame_equal(again, opened(index="exact")[0], check_exact=False, abs_tol=1e-5)


def test_turns_that_came_later_are_added(opened, corpus, added):
    """FAULTS 38."""
    half = hl.Corpus(dialogues=corpus.dialogues, turns=corpus.turns[:10])
    opened(half)
    found, told = opened(corpus)
    assert (told, added) == ([], [10, corpus.turns.height - 10])
    assert_frame_equal(found, opened(index="exact")[0], check_exact=False, abs_tol=1e-5)


@pytest.mark.parametrize("harm", ["cut", "garbage", "manifest"])
def test_a_damaged_file_is_made_anew(harm, opened, corpus, tmp_path):
    """FAULTS 21, 26."""
    first, _ = opened(corpus)
    (folder,) = (tmp_path / "lab.db.cache").iterdir()
    path = folder / ("index.json" if harm == "manifest" else "graph.hnsw")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2] if harm == "cut" else b"garbage" * 100)
    again, told = opened()
    assert "rebuilt" in told[0]
    assert_frame_equal(again, first)
    assert opened()[1] == []


def test_an_edited_turn_is_found_by_its_new_words_alone(opened, corpus, tmp_path):
    """FAULTS 20, 23: the same rows by name, but one of them is another vector."""
    opened(corpus)
    with hl.SqliteStore(tmp_path / "lab.db") as store:
        turn = store.read("turns")[3:4]
        store.replace("turns", turn.with_columns(text=pl.lit("The cat sleeps on the sofa.")))
    found, told = opened()
    assert "other rows" in told[0]
    assert_frame_equal(found, opened(index="exact")[0], check_exact=False, abs_tol=1e-5)


def test_vectors_of_another_encoder(corpus, tmp_path):
    """FAULTS 19, 25: an encoder without a key keeps no file, and its dimension is another."""

    def letters(texts):
        return np.array([[text.count(letter) + 0.1 for letter in "aeiou"] for text in texts], np.float32)

    for encoder in ("use", letters):
        with hl.Lab(corpus, store=str(tmp_path / "lab.db"), index="hnsw", encoder=encoder) as lab:
            assert lab.recall(QUERY).height
    assert len(list((tmp_path / "lab.db.cache").iterdir())) == 1


def test_an_index_that_is_none(corpus):
    with pytest.raises(HydralabError, match="unknown index 'annoy'; known: 'auto'"):
        hl.Lab(corpus, index="annoy")
