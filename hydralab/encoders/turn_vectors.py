"""The vectors of turns and other texts: encoded once, and kept in a store."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.encoders.contract import Encoder
from hydralab.encoders.embedding import embed
from hydralab.encoders.tables import vectors_table
from hydralab.frames import empty
from hydralab.stores import Store
from hydralab.stores.events import keep_events
from hydralab.texts import key_texts

__all__ = ["MANY_TURNS", "TurnVectors"]

MANY_TURNS = 1_000
"""From so many on a progress bar is shown where nothing else was asked for."""

FEW = 1_000
"""So many vectors are asked for by their ids; more are read with the dialogue."""


class TurnVectors:
    """Unit rows of the turns of each dialogue, of their `hydralab.texts.key_texts`.

    A store holds them under the encoder's `cache_key`, which names model, version and settings, with a
    hash of the text that each was made from: a turn whose text changed is encoded again. Those of
    an encoder without a key, such as a function, are never stored, for its name doesn't say what it does; nor are
    those of texts that could not be encoded, which are tried again when the lab is opened again.
    """

    def __init__(self, encoder: Encoder, store: Store | None, *, progress: bool | None) -> None:
        self.encoder = encoder
        self.events = empty("events")
        self._store = store
        self._progress = progress
        self._rows: dict[str, NDArray[np.float32]] = {}

    def of(self, dialogue_id: str, turns: pl.DataFrame) -> NDArray[np.float32]:
        """Return the rows of one dialogue's turns: float32 (n, d)."""
        if dialogue_id not in self._rows:
            keyed = turns.select("dialogue_id", item_id="turn_id").with_columns(
                pl.Series("key_text", key_texts(turns), pl.String)
            )
            self._rows[dialogue_id] = self.of_texts(dialogue_id, keyed)
        return self._rows[dialogue_id]

    def of_texts(self, dialogue_id: str, keyed: pl.DataFrame, *, kind: str = "turn") -> NDArray[np.float32]:
        """Return the rows of any texts, from the store where it has them: float32 (n, d).

        Parameters
        ----------
        keyed
            item_id, dialogue_id (the same in all), key_text.
        kind
            What the store's `item_kind` says of them.
        """
        model = getattr(self.encoder, "cache_key", None)
        if self._store is None or model is None:
            return self._encoded(dialogue_id, keyed)
        return self._kept(dialogue_id, keyed, self._store, model, kind)

    def forget(self, dialogue_id: str, item_ids: Sequence[str]) -> None:
        """Take the rows of items out of the store."""
        model = getattr(self.encoder, "cache_key", None)
        if self._store is None or model is None or not item_ids:
            return
        stored = self._store.read("vectors", dialogue_id=dialogue_id, model=model)
        left = stored.filter(~pl.col("item_id").is_in(list(item_ids)))
        if left.height < stored.height:
            self._store.replace("vectors", left, dialogue_id=dialogue_id, model=model)

    def _encoded(self, dialogue_id: str, keyed: pl.DataFrame) -> NDArray[np.float32]:
        shown = keyed.height >= MANY_TURNS if self._progress is None else self._progress
        embedding = embed(keyed["key_text"].to_list(), self.encoder, progress=shown)
        told = embedding.events.with_columns(dialogue_id=pl.lit(dialogue_id, dtype=pl.String))
        self.events = pl.concat([self.events, told])
        if self._store is not None:
            keep_events(self._store, told)
        return embedding.vectors

    def _kept(
        self, dialogue_id: str, keyed: pl.DataFrame, store: Store, model: str, kind: str
    ) -> NDArray[np.float32]:
        """Return what the store holds of these texts, with what was missing encoded and stored."""
        stored = self._stored(dialogue_id, keyed["item_id"].to_list(), store, model)
        blank = np.zeros((keyed.height, self.encoder.dim), np.float32)
        table = partial(
            vectors_table, encoder=self.encoder, kind=kind, id_column="item_id", text_column="key_text"
        )
        wanted = table(keyed, vectors=blank)
        place = stored.with_row_index("row").select("row", "item_id", "source_hash")
        rows = wanted.join(place, on=("item_id", "source_hash"), how="left", maintain_order="left")["row"]
        missing = rows.is_null()
        vectors = blank
        if stored.height:
            vectors = stored["vector"].to_numpy()[rows.fill_null(0).to_numpy()].astype(np.float32)
        if missing.any():
            lost = keyed.filter(missing)
            vectors[missing.to_numpy()] = self._encoded(dialogue_id, lost)
            encoded = vectors[missing.to_numpy()]
            fresh = table(lost, vectors=encoded)
            blank_text = (lost["key_text"].str.strip_chars() == "").to_numpy()
            fresh = fresh.filter(encoded.any(axis=1) | blank_text)
            stale = pl.col("item_id").is_in(stored["item_id"].implode())
            store.replace("vectors", fresh.filter(stale), model=model)
            store.append("vectors", fresh.filter(~stale), model=model)
        return vectors

    @staticmethod
    def _stored(dialogue_id: str, item_ids: list[str], store: Store, model: str) -> pl.DataFrame:
        """Return what the store holds of these items, without reading the others where these are few."""
        if len(item_ids) > FEW:
            return store.read("vectors", dialogue_id=dialogue_id, model=model)
        return store.select("vectors", dialogue_id, where={"item_id": item_ids}, model=model)
