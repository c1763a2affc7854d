"""Both stores keep every promise, and the public check refutes one that doesn't."""

from contextlib import nullcontext

import polars as pl
import pytest

from hydralab.errors import StoreError
from hydralab.stores import MemoryStore, Store, check_store
from hydralab.stores.contract_checks import PROMISES


@pytest.mark.parametrize("promise", PROMISES)
def test_every_store_keeps(promise, store):
    """FAULTS 15, 19, 20, 24."""
    PROMISES[promise](store, "a dialogue")


def test_a_store_is_checked_once(store):
    assert isinstance(store, Store)
    assert check_store(store) == list(PROMISES)
    with pytest.raises(StoreError, match="was checked before"):
        check_store(store)


class Doubling(MemoryStore):
    """Adds a turn that it has once more (FAULTS 15)."""

    def append(self, table, frame, *, model=None):
        known = self.read(table)["turn_id"].to_list() if table == "turns" else []
        if table == "turns" and frame["turn_id"][0] in known:
            frame = frame.with_columns(pl.col("turn_id") + "'", pl.col("position") + 100)
        super().append(table, frame, model=model)


class Overwriting(MemoryStore):
    """Takes other content for a correction."""

    def append(self, table, frame, *, model=None):
        known = set(self.read(table)["turn_id"]) if table == "turns" else set()
        edited = frame.filter(pl.col("turn_id").is_in(known)) if known else frame.clear()
        if edited.height:
            self.replace(table, edited)
        super().append(table, frame, model=model)


class Careless(MemoryStore):
    """Keeps half a transaction."""

    def transaction(self):
        return nullcontext()


@pytest.mark.parametrize(
    ("broken", "promise"),
    [
        (Doubling, "appending again changes nothing"),
        (Overwriting, "other content is refused"),
        (Careless, "a transaction is all or nothing"),
    ],
)
def test_a_store_that_breaks_a_promise_is_refuted(broken, promise):
    with pytest.raises(StoreError, match=f"breaks a promise of stores, '{promise}'"):
        check_store(broken())
