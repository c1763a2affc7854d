"""Vectors are kept by the model that made them."""

import numpy as np
import polars as pl
import pytest

from hydralab.errors import FrameError, StoreError
from hydralab.frames import vectors_schema


@pytest.fixture
def vectors():
    def make(ids=("a:0", "a:1"), dim=2, value=0.5):
        rows = {
            "item_id": ids,
            "item_kind": ["turn"] * len(ids),
            "dialogue_id": ["a"] * len(ids),
            "source_hash": [None] * len(ids),
            "vector": np.full((len(ids), dim), value, dtype=np.float32),
        }
        return pl.DataFrame(rows, schema=vectors_schema(dim))

    return make


def test_vectors_without_a_model_and_a_model_without_vectors(store, dialogue, vectors):
    with pytest.raises(StoreError, match="vectors: no model named, expected model="):
        store.append("vectors", vectors())
    with pytest.raises(StoreError, match="turns: model='use', expected none"):
        store.append("turns", dialogue(), model="use")


def test_vectors_of_another_size_or_model_name_both(store, vectors):
    """FAULTS 19."""
    assert store.read("vectors", model="use").height == 0
    store.append("vectors", vectors(), model="use")
    with pytest.raises(StoreError, match=r"model 'use' has 2 dimensions in .*, the vectors given have 3"):
        store.append("vectors", vectors(dim=3), model="use")
    with pytest.raises(StoreError, match=r"model 'use' has 2 dimensions in .*, the vectors given have 3"):
        store.replace("vectors", vectors(dim=3), model="use")
    with pytest.raises(
        StoreError, match=r"none of model 'e5' in .*, which holds 'use' \(2\); embed with 'e5'"
    ):
        store.read("vectors", model="e5")
    assert store.models() == {"use": 2}


def test_vectors_are_replaced_within_their_model(store, vectors):
    store.append("vectors", vectors(), model="use")
    store.append("vectors", vectors(), model="e5")
    before = store.replace("vectors", vectors(ids=("a:1",), value=1), model="use")
    assert before.equals(vectors(ids=("a:1",)))
    assert store.read("vectors", model="use")["vector"].to_list() == [[0.5, 0.5], [1.0, 1.0]]
    assert store.read("vectors", model="e5").equals(vectors())
    assert store.replace("vectors", vectors(ids=()), dialogue_id="a", model="use").height == 2
    assert (store.read("vectors", model="use").height, store.read("vectors", model="e5").height) == (0, 2)


def test_a_vector_that_is_null(store, vectors):
    missing = vectors().with_columns(vector=pl.when(pl.col("item_id") == "a:0").then("vector"))
    with pytest.raises(FrameError, match="vectors: column 'vector', row 1: null, expected a vector"):
        store.append("vectors", missing, model="use")
