"""Any function from texts to rows as an encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hydralab.encoders.contract import Vectors
from hydralab.encoders.pooling import checked_rows, pooled_vectors
from hydralab.encoders.windows import DEFAULT_WINDOW, cut_windows
from hydralab.errors import HydralabError

__all__ = ["FunctionEncoder", "encoder_of"]

_PROBE = "hydralab"


@dataclass(frozen=True, eq=False)
class FunctionEncoder:
    """A function that takes a list of texts and returns one row of numbers a text.

    Parameters
    ----------
    function
        Its rows may be of any floating-point type and length; they are checked and brought to length 1.
    name
        The name to show.
    dim
        The number of columns it returns.
    cache_key
        What identifies the model behind it, version and settings included. Without one, vectors are
        remembered as long as this object lives and not kept on disk.
    window
        Characters a window of a long text.
    """

    function: Callable[[list[str]], Any] = field(repr=False)
    name: str
    dim: int
    cache_key: str | None = None
    window: int = DEFAULT_WINDOW

    def windows(self, text: str) -> list[str]:
        """Cut a text into windows of at most `window` characters."""
        return cut_windows(text, self.window)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 unit rows of shape (n, dim)."""
        return pooled_vectors(
            texts, self.function, dim=self.dim, name=self.name, windows=self.windows
        ).vectors


def encoder_of(function: Callable[[list[str]], Any], *, name: str | None = None) -> FunctionEncoder:
    """Make an encoder of a function, or of an object with `encode` such as a SentenceTransformer.

    It is called once to learn its dimension.

    Raises
    ------
    HydralabError
        It can't be called, it raised, or what it returned is no row of finite numbers.

    >>> import numpy as np
    >>> encoder_of(lambda texts: np.ones((len(texts), 3)), name="ones")
    FunctionEncoder(name='ones', dim=3, cache_key=None, window=4000)
    """
    call = function.encode if hasattr(function, "encode") else function
    shown = name or getattr(function, "__name__", None) or type(function).__name__
    if not callable(call):
        raise HydralabError(
            f"encoder: got {type(function).__name__}, expected a name, a Hugging Face id or folder, "
            "'openai:MODEL@URL', a function from a list of texts to rows, or an object with name, dim and encode"
        )
    try:
        returned = call([_PROBE])
    except Exception as error:
        raise HydralabError(
            f"encoder {shown!r} raised {type(error).__name__} for {[_PROBE]!r}: {error}"
        ) from error
    return FunctionEncoder(call, shown, checked_rows(returned, [_PROBE], dim=None, name=shown).shape[1])
