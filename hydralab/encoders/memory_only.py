"""An encoder whose vectors are kept in memory only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hydralab.encoders.contract import Encoder

__all__ = ["OffDisk"]


class OffDisk:
    """Another encoder, with the same name and vectors, of which nothing is written to the disk cache.

    A vector gives away what its text was about, so one that belongs to an encrypted store has no place there.
    """

    on_disk = False

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.name = encoder.name

    @property
    def dim(self) -> int:
        """The number of columns of its vectors."""
        return self._encoder.dim

    def encode(self, texts: Sequence[str], /) -> Any:
        """Return one row a text: float32 of shape (n, dim)."""
        return self._encoder.encode(texts)

    def __getattr__(self, name: str) -> Any:
        # What an encoder may have beside: cache_key, windows, encode_queries.
        if name == "_encoder":
            raise AttributeError(name)
        return getattr(self._encoder, name)

    def __repr__(self) -> str:
        return f"OffDisk({self._encoder!r})"
