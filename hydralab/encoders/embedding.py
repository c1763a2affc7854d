"""Embedding texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hydralab import frames
from hydralab.encoders.contract import Embedding, Encoder
from hydralab.encoders.names import get_encoder
from hydralab.encoders.pooling import pooled_vectors
from hydralab.encoders.windows import DEFAULT_WINDOW, cut_windows

__all__ = ["embed"]


def embed(
    texts: Sequence[str],
    encoder: str | Encoder | Callable[[list[str]], Any] = "use",
    *,
    progress: bool = False,
    cache: bool = True,
) -> Embedding:
    """Return the vectors of texts, row by row."""
    chosen = get_encoder(encoder)
    windows = getattr(chosen, "windows", lambda text: cut_windows(text, DEFAULT_WINDOW))
    pooled = pooled_vectors(texts, chosen.encode, dim=chosen.dim, name=chosen.name, windows=windows)
    return Embedding(pooled.vectors, pooled.windows, frames.empty("events"))
