"""What either store refuses, in words that say what to do."""

import numpy as np
import polars as pl
import pytest

from hydralab.errors import FrameError, HydralabError, StoreError, UnknownNameError
from hydralab.frames import build, event, vectors_schema


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


def test_a_table_that_does_not_exist(store, dialogue):
    for call in (
        store.read,
        lambda name: store.append(name, dialogue()),
        lambda name: store.replace(name, dialogue()),
    ):
        with pytest.raises(UnknownNameError, match="unknown table 'turn'; known: 'turns'"):
            call("turn")


def test_a_naive_time(store, dialogue):
    """FAULTS 24."""
    naive = dialogue().with_columns(time=pl.datetime(2025, 5, 7))
    with pytest.raises(FrameError, match=r"turns: column 'time' is Datetime.*expected Datetime.*UTC"):
        store.append("turns", naive)


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


def test_a_turn_that_would_move(store, dialogue):
    store.append("turns", dialogue())
    moved = dialogue([2]).with_columns(position=pl.lit(9, dtype=pl.Int64))
    with pytest.raises(
        StoreError, match=r"'a:2' is at position 2 of dialogue 'a', .* expected the same place"
    ):
        store.replace("turns", moved)
    assert store.read("turns").equals(dialogue())


def test_a_replacement_with_nothing_to_find_rows_by(store):
    happened = build("events", [event("store", "ok", dialogue_id="a")])
    store.append("events", happened)
    with pytest.raises(StoreError, match="events: rows have no key to replace by, expected dialogue_id="):
        store.replace("events", happened)
    assert store.replace("events", happened.clear(), dialogue_id="a").equals(happened)
    assert store.read("events").height == 0


def test_a_replacement_with_rows_of_another_dialogue(store):
    mark = build("gold", [{"dialogue_id": "b", "position": 3}])
    with pytest.raises(StoreError, match="gold: a row of dialogue 'b', expected only 'a'"):
        store.replace("gold", mark, dialogue_id="a")


def test_an_empty_replacement(store, dialogue):
    store.append("turns", dialogue())
    assert store.replace("turns", dialogue([])).height == 0
    assert store.replace("gold", build("gold", []), dialogue_id="a").height == 0
    assert store.read("turns").equals(dialogue())


def test_a_row_that_is_all_key_replaces_itself(store):
    mark = build("gold", [{"dialogue_id": "b", "position": 3}])
    store.append("gold", mark)
    assert store.replace("gold", mark).equals(mark)


def test_a_further_column_of_a_type_that_cannot_be_kept(store):
    nested = build("signals", [{"dialogue_id": "a", "position": 0}]).with_columns(shift=pl.lit([1.0]))
    with pytest.raises(
        FrameError, match=r"signals: column 'shift' is List.*expected Float64, Int64, Boolean, String"
    ):
        store.append("signals", nested)


def test_what_is_done_to_a_table_that_was_read_or_appended_stays_outside(store):
    marks = build("gold", [{"dialogue_id": "a", "position": each} for each in (1, 2)])
    store.append("gold", marks)
    for frame in (marks, store.read("gold")):
        frame[0, "position"] = 99
    assert store.read("gold")["position"].to_list() == [1, 2]


def test_many_small_appends_are_one_table(store, dialogue):
    for i in range(150):
        store.append("turns", dialogue([i]))
    assert store.read("turns").equals(dialogue(range(150)))


def test_a_table_is_readable_inside_a_transaction(store, dialogue):
    with store.transaction():
        store.append("turns", dialogue())
        assert store.read("turns", dialogue_id="a").height == 4
        assert store.read("turns", dialogue_id=[]).height == 0


def append_together(store, *frames):
    with store.transaction():
        for frame in frames:
            store.append("turns", frame)


def test_an_error_inside_a_nested_transaction_undoes_that_part_alone(store, dialogue):
    with store.transaction():
        store.append("turns", dialogue([0]))
        with pytest.raises(HydralabError, match="use replace"):
            append_together(store, dialogue([1]), dialogue([0], text="edited"))
        store.append("turns", dialogue([2]))
    assert store.read("turns")["position"].to_list() == [0, 2]
