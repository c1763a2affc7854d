"""What an encoder is, and what embedding texts gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import getattr_static
from typing import Any, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["Embedding", "Encoder", "Vectors", "is_encoder"]

Vectors = NDArray[np.float32]


class Encoder(Protocol):
    """Anything with a name, a dimension and `encode`.

    An encoder may also have

    - ``cache_key: str``, which names the model, its version and settings; only with one are vectors
      kept on disk, since a name alone doesn't say which model it was;
    - ``windows(text) -> list[str]``, how it wants a long text cut;
    - ``encode_queries(texts)``, when it encodes what is searched for unlike what is found.

    `check_encoder` tests the rest of the contract.
    """

    @property
    def name(self) -> str:
        """The name to show."""

    @property
    def dim(self) -> int:
        """The number of columns of its vectors."""

    def encode(self, texts: Sequence[str], /) -> Any:
        """Return one row a text: float32 of shape (n, dim)."""


@dataclass(frozen=True)
class Embedding:
    """Vectors of texts, row by row.

    Attributes
    ----------
    vectors
        float32 of shape (n, dim). Rows have length 1; a text that is blank (or that failed, see
        `events`) has a row of zeros, so that its cosine with anything is 0.
    windows
        int64 of shape (n,): into how many windows each text was cut; 0 for a blank text.
    events
        The events table: texts that failed or came back without a direction, a cache that can't be used.
    """

    vectors: Vectors
    windows: NDArray[np.int64]
    events: pl.DataFrame


def is_encoder(thing: object) -> bool:
    """Tell whether something has a name, a dim and `encode`, without asking it for them.

    `dim` may load a model or ask a server.
    """
    missing = object()
    parts = (getattr_static(thing, part, missing) for part in ("name", "dim", "encode"))
    return not isinstance(thing, type) and all(part is not missing for part in parts)
