"""What a lab forgets beside its store: vectors that encoders keep of texts, in memory and on disk."""

from __future__ import annotations

import polars as pl

from hydralab.encoders.caching import forget_texts
from hydralab.errors import HydralabError
from hydralab.stores import Store
from hydralab.texts import key_texts

__all__ = ["forget_everywhere"]


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
    turns = store.read("turns")
    parts = turns.partition_by("dialogue_id", maintain_order=True) if turns.height else []
    keyed = {text for part in parts for text in key_texts(part)}
    return keyed | set(turns["text"]) | set(store.read("memories")["text"])
