"""The graph indexes of a lab's dialogues, kept in files beside its store and opened again where they are whole."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import polars as pl
from numpy.typing import NDArray

from hydralab.errors import unknown_name
from hydralab.frames import empty
from hydralab.index import INDEXES, Index, choose_index, open_index
from hydralab.recall import Recall
from hydralab.stores import Store

__all__ = ["Indexes"]

KEPT = "hnsw"
"""What takes long enough to build to be worth a file."""


class Indexes:
    """What finds the turns of a dialogue by their vectors.

    A file is a cache: the store's tables are the truth. One that is missing, damaged, of another model or of
    other vectors is made anew, and what grew since is added to it.

    Parameters
    ----------
    name
        A name of `INDEXES` for all dialogues; None: what the strategy's `Recall` names.
    store
        Beside whose data files go; with none, or one in memory, nothing is kept.
    model
        What the vectors come from, as `Encoder.cache_key` says; None keeps nothing.
    """

    def __init__(self, name: str | None, store: Store | None, model: str | None) -> None:
        if name is not None and name not in INDEXES and not (isinstance(name, str) and name == "auto"):
            raise unknown_name("index", name, ["auto", *INDEXES])
        self._name = name
        self._model = model
        self._folder: Path | None = getattr(store, "cache_folder", None)
        self.events = empty("events")

    def of(self, turns: pl.DataFrame, vectors: NDArray[Any], config: Recall | None) -> Index | None:
        """Return an index for a dialogue, which may hold its turns already; None where recall makes its own."""
        wanted = None if config is None else self._name or config.index
        if not isinstance(wanted, str) or not turns.height:
            return None
        name = choose_index(wanted, turns.height)
        if name != KEPT or self._folder is None or self._model is None:
            return INDEXES[name](vectors.shape[1])
        ids = [f"{turn}#{_digest(row)}" for turn, row in zip(turns["turn_id"], vectors, strict=True)]
        folder = self._folder / f"{_digest(turns['dialogue_id'][0].encode())}.{KEPT}"
        index, told = open_index(folder, vectors, ids, model=self._model, name=name)
        self.events = pl.concat([self.events, told.with_columns(dialogue_id=pl.lit(turns["dialogue_id"][0]))])
        return index


def _digest(content: Any) -> str:
    return hashlib.blake2b(content, digest_size=12).hexdigest()
