"""Vectors as a table."""

import numpy as np
import polars as pl
import pytest

from hydralab.encoders import embed, vectors_table
from hydralab.errors import HydralabError

TURNS = pl.DataFrame({"dialogue_id": ["a", "a"], "turn_id": ["a:0", "a:1"], "text": ["预算", "second"]})


def test_a_row_of_the_table_is_a_turn_with_its_vector():
    table = vectors_table(TURNS)
    assert table["item_id"].to_list() == ["a:0", "a:1"]
    assert table["item_kind"].unique().to_list() == ["turn"]
    assert table["source_hash"].n_unique() == 2
    np.testing.assert_array_equal(table["vector"].to_numpy(), embed(TURNS["text"].to_list()).vectors)


def test_vectors_at_hand_are_taken_and_checked():
    """FAULTS 19: vectors of another dimension are refused with both named."""
    assert vectors_table(TURNS, vectors=np.eye(2, 512, dtype=np.float32))["vector"][1][1] == 1
    with pytest.raises(
        HydralabError, match=r"shape \(2, 384\) don't belong to 2 rows and the encoder 'use' of 512"
    ):
        vectors_table(TURNS, vectors=np.ones((2, 384), np.float32))


def test_no_turns_are_an_empty_table():
    assert vectors_table(TURNS.clear()).height == 0
