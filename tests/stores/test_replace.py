"""What is replaced is found by its key or its dialogue, and comes back."""

import polars as pl
import pytest

from hydralab.errors import StoreError
from hydralab.frames import build, event


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


def test_a_superseded_memory_stays_beside_the_new_one(store):
    """FAULTS 16."""
    old = build("memories", [{"memory_id": "m1", "user_id": "u", "text": "lives in Oslo"}])
    new = build("memories", [{"memory_id": "m2", "user_id": "u", "text": "lives in Bergen"}])
    store.append("memories", old)
    with store.transaction():
        store.append("memories", new)
        store.replace("memories", old.with_columns(superseded_by=pl.lit("m2")))
    assert store.read("memories").select("text", "superseded_by").rows() == [
        ("lives in Oslo", "m2"),
        ("lives in Bergen", None),
    ]
