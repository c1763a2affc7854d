"""What a lab forgets beside its store: vectors that encoders keep of texts, in memory and on disk."""

from __future__ import annotations

import polars as pl

from hydralab.encoders.vector_caches import forget_texts
from hydralab.errors import HydralabError, StoreError
from hydralab.recall.history import told_texts
from hydralab.stores import Store
from hydralab.stores.tombstones import forgotten_behind
from hydralab.texts import key_texts

__all__ = ["Forgotten", "drop_vectors", "forget_everywhere"]


class Forgotten:
    """How much of a store had been forgotten when it was read.

    Parameters
    ----------
    store
        About to be read; None for none, of which nothing is forgotten.
    """

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._count = 0 if store is None else forgotten_behind(store).height

    def is_more(self) -> bool:
        """Tell whether something was forgotten since; of a store that is closed or away nothing more is known."""
        if self._store is None:
            return False
        try:
            return forgotten_behind(self._store, after=self._count).height > 0
        except StoreError:  # what the lab has read goes on to be there
            return False


def drop_vectors(before: pl.DataFrame, after: pl.DataFrame) -> int:
    """Drop what encoders cached of texts that only the turns of before had, and return how many."""
    return forget_texts(sorted(_of_turns(before) - _of_turns(after)))


def forget_everywhere(
    store: Store | None,
    *,
    dialogue: str | None,
    turn: str | None,
    memory: str | None,
    user: str | None,
) -> pl.DataFrame:
    """Make something go from a store and from the caches of encoders, and return the receipt.

    Raises
    ------
    HydralabError
        There is no store, or not exactly one thing is named.
    """
    if store is None:
        raise HydralabError(
            "Lab.forget: expected a lab with store=; one without keeps nothing once it is closed"
        )
    before = _key_texts(store)
    told = store.forget(dialogue=dialogue, turn=turn, memory=memory, user=user)
    dropped = forget_texts(sorted(before - _key_texts(store)))
    line = pl.DataFrame([("vectors of encoders", "cache", dropped, None)], schema=told.schema, orient="row")
    return pl.concat([told, line]) if dropped else told


def _key_texts(store: Store) -> set[str]:
    """Return every text of turns and facts that vectors were made of."""
    return _of_turns(store.read("turns")) | set(store.read("memories")["text"])


def _of_turns(turns: pl.DataFrame) -> set[str]:
    parts = turns.partition_by("dialogue_id", maintain_order=True) if turns.height else []
    keyed = {text for part in parts for text in (*key_texts(part), *told_texts(part))}
    return keyed | set(turns["text"])
