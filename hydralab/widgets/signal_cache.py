"""Signals whose values of one dialogue are kept, so that a trigger that changes doesn't compute them again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.signals import Signal
from hydralab.signals.base import Lookahead, Range

__all__ = ["KnownSignal", "known_signals"]


@dataclass(frozen=True, eq=False)
class KnownSignal:
    """A signal with its values of one closed dialogue; range, unit and look-ahead are the signal's own.

    Attributes
    ----------
    signal
        What the values were computed by.
    column
        Float64 (n,), a value a turn, NaN where unknown.
    """

    signal: Signal
    column: NDArray[np.float64] = field(repr=False)

    @property
    def lookahead(self) -> Lookahead:
        """As the signal."""
        return self.signal.lookahead

    @property
    def range(self) -> Range:
        """As the signal."""
        return self.signal.range

    @property
    def unit(self) -> str:
        """As the signal."""
        return self.signal.unit

    @property
    def source(self) -> str:
        """As the signal."""
        return self.signal.source

    @property
    def needs_vectors(self) -> bool:
        """Nothing is needed any more."""
        return False

    def values(
        self, turns: pl.DataFrame, vectors: NDArray[np.float32] | None, *, closed: bool
    ) -> NDArray[np.float64]:
        """Return the kept values."""
        return self.column


def known_signals(named: Mapping[str, Signal], table: pl.DataFrame) -> dict[str, Signal]:
    """Return named signals with their values in a signals table of one dialogue.

    >>> from hydralab.signals import Tokens
    >>> known_signals({"tokens": Tokens()}, pl.DataFrame({"tokens": [3.0, None]}))["tokens"].unit
    'tokens'
    """
    return {
        name: KnownSignal(signal, table[name].cast(pl.Float64).fill_null(float("nan")).to_numpy())
        for name, signal in named.items()
    }
