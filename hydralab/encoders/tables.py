"""Vectors as a table, to store and to look at."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import numpy as np
import polars as pl

from hydralab import frames
from hydralab.encoders.contract import Encoder, Vectors
from hydralab.encoders.embedding import embed
from hydralab.encoders.names import get_encoder
from hydralab.errors import HydralabError

__all__ = ["vectors_table"]


def vectors_table(
    items: pl.DataFrame,
    encoder: str | Encoder | Callable[[list[str]], Any] = "use",
    *,
    vectors: Vectors | None = None,
    kind: str = "turn",
    id_column: str = "turn_id",
    text_column: str = "text",
    progress: bool = False,
) -> pl.DataFrame:
    """Return the vectors table of the rows of a table.

    Parameters
    ----------
    items
        A turns table, or any table with `id_column`, `text_column` and dialogue_id.
    encoder
        Whatever `get_encoder` takes.
    vectors
        float32 (n, dim) from `embed`, row by row with `items`; computed when None.
    kind
        What `item_kind` says.

    Returns
    -------
    polars.DataFrame
        item_id, item_kind, dialogue_id, source_hash (SHA-256 of the text, in hex), vector.

    >>> import polars as pl
    >>> turns = pl.DataFrame({"dialogue_id": ["a"], "turn_id": ["a:0"], "text": ["hello"]})
    >>> vectors_table(turns)["item_id"].to_list()
    ['a:0']
    """
    chosen = get_encoder(encoder)
    texts = items[text_column].to_list()
    rows = embed(texts, chosen, progress=progress).vectors if vectors is None else vectors
    if rows.shape != (items.height, chosen.dim):
        raise HydralabError(
            f"vectors of shape {rows.shape} don't belong to {items.height} rows and the encoder {chosen.name!r} "
            f"of {chosen.dim} dimensions"
        )
    return items.select(
        pl.col(id_column).alias("item_id"),
        pl.lit(kind).alias("item_kind"),
        pl.col("dialogue_id"),
        pl.Series(
            "source_hash",
            [sha256(text.encode()).hexdigest() for text in texts],
            pl.String,
        ),
        pl.Series("vector", np.ascontiguousarray(rows, dtype=np.float32), pl.Array(pl.Float32, chosen.dim)),
    ).pipe(lambda table: frames.validate("vectors", table))
