"""The vector of a turn that was just said, and the row that a store keeps of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.encoders import Encoder, embed, vectors_table
from hydralab.errors import HydralabError
from hydralab.frames import event
from hydralab.texts import key_texts

__all__ = ["encode_turn", "vector_rows"]


def encode_turn(turn: pl.DataFrame, encoder: Encoder) -> tuple[NDArray[np.float32], list[Mapping[str, Any]]]:
    """Return the vector of a turn and rows of events; a row of zeros where it can't be had, which an event tells."""
    dialogue_id, turn_id = turn["dialogue_id"].item(), turn["turn_id"].item()
    try:
        embedding = embed(key_texts(turn), encoder)
    except HydralabError as error:
        failed = event("embed", "failed", detail=str(error), dialogue_id=dialogue_id, item_id=turn_id)
        return np.zeros((1, encoder.dim), np.float32), [failed]
    return embedding.vectors, [{**row, "dialogue_id": dialogue_id} for row in embedding.events.to_dicts()]


def vector_rows(
    turn: pl.DataFrame, vectors: NDArray[np.float32], encoder: Encoder
) -> dict[str, pl.DataFrame]:
    """Return what a store keeps of the vector; nothing of a zero row, and where vectors are not to be kept."""
    if getattr(encoder, "cache_key", None) is None or not vectors.any():
        return {}
    keyed = turn.with_columns(pl.Series("key_text", key_texts(turn), pl.String))
    return {"vectors": vectors_table(keyed, encoder, vectors=vectors, text_column="key_text")}
