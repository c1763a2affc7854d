"""What a signal is, and the registry of signals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, runtime_checkable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.registry import Registry

__all__ = ["SIGNALS", "Lookahead", "Range", "Signal"]

Lookahead = int | Literal["all"]
"""How many turns after its own a value depends on; "all": on the whole dialogue."""

Range = tuple[float, float] | None
"""Lowest and highest value; None when nothing is known of them."""


@runtime_checkable
class Signal(Protocol):
    """A column on turns, computed a dialogue at a time.

    A signal is a frozen dataclass of its settings. A signal of a gap sits on the turn to its right.
    """

    @property
    def lookahead(self) -> Lookahead:
        """Turns after its own that a value depends on: 0 is causal, "all" needs the whole dialogue."""
        ...

    @property
    def range(self) -> Range:
        """Lowest and highest value."""
        ...

    @property
    def unit(self) -> str:
        """Unit of the values, in a word or two."""
        ...

    @property
    def source(self) -> str:
        """What it is computed from: "vectors", "text", "time", "tokens" or "role"."""
        ...

    @property
    def needs_vectors(self) -> bool:
        """Whether `values` is given the vectors of the turns."""
        ...

    def values(
        self, turns: pl.DataFrame, vectors: NDArray[np.float32] | None, *, closed: bool
    ) -> NDArray[np.float64]:
        """Return one value a turn of one dialogue, NaN where it is unknown.

        With `closed` the dialogue is over, and a window is cut at its end; without, a value whose
        window isn't complete yet is NaN.
        """
        ...


SIGNALS: Registry[Callable[[], Signal]] = Registry("signal", group="hydralab.signals")
"""Column name → class of signal, called without arguments where a trigger names the column."""
