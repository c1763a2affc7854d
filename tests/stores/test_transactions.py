"""Writes that happen together or not at all."""

import pytest

from hydralab.errors import HydralabError


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
