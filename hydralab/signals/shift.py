"""Topic shift: how far apart the turns before a gap and the turns after it are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.backend import to_backend, to_numpy
from hydralab.core.percentile import causal_percentile
from hydralab.core.shift import cosine_shift
from hydralab.errors import HydralabError, check_settings
from hydralab.signals.base import SIGNALS, Range
from hydralab.signals.priors import prior

__all__ = ["DECIMALS", "LEAST", "Shift", "ShiftRaw", "raw_shift"]

DECIMALS = 5
"""Raw shift is rounded to these, so that noise of the last bits ranks nothing."""

LEAST = 20
"""Gaps before which a dialogue's own values are completed by the prior."""


def raw_shift(vectors: NDArray[np.float32], window: int, lag: int, *, closed: bool) -> NDArray[np.float64]:
    """Return the cosine shift at the gap before each turn, rounded, NaN where it isn't known.

    >>> raw_shift(np.eye(2, dtype=np.float32), 3, 1, closed=True)
    array([nan,  1.])
    >>> raw_shift(np.eye(2, dtype=np.float32), 3, 1, closed=False)
    array([nan, nan])
    """
    distances = to_numpy(cosine_shift(to_backend(vectors), window, lag))
    curve: NDArray[np.float64] = distances.astype(np.float64).round(DECIMALS)
    if not closed and lag:
        curve[-lag:] = np.nan
    return curve


@SIGNALS.register("shift_raw")
@dataclass(frozen=True)
class ShiftRaw:
    """Cosine distance between the mean of the turns before a gap and of those after it.

    Parameters
    ----------
    window
        Turns before the gap.
    lag
        Turns after the first one behind the gap: the look-ahead. Causal with that delay.

    Notes
    -----
    Its scale belongs to the encoder: with the default one most gaps are above 0.45, so a raw
    threshold carries over to no other encoder, and hardly from dialogue to dialogue.

    >>> ShiftRaw(window=3, lag=1).lookahead
    1
    """

    window: int = 3
    lag: int = 1

    range: ClassVar[Range] = (0.0, 2.0)
    unit: ClassVar[str] = "cosine distance"
    source: ClassVar[str] = "vectors"
    needs_vectors: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_settings(self, window=1)

    @property
    def lookahead(self) -> int:
        """The lag."""
        return self.lag

    @property
    def memory(self) -> int:
        """The window."""
        return self.window

    def values(
        self, turns: pl.DataFrame, vectors: NDArray[np.float32] | None, *, closed: bool
    ) -> NDArray[np.float64]:
        """Return the raw shift: float64 (n,), NaN at turn 0."""
        del turns
        return raw_shift(given(vectors), self.window, self.lag, closed=closed)


@SIGNALS.register("shift")
@dataclass(frozen=True)
class Shift:
    """Raw shift as its rank among the dialogue's earlier gaps: free of the encoder's scale.

    The share of strictly smaller values among the earlier gaps of the dialogue plus
    max(0, 20 − gaps so far) values of a prior, so that the first gaps are judged too.

    Parameters
    ----------
    window, lag
        As in `ShiftRaw`. Causal with a look-ahead of `lag`.
    prior
        Name of the encoder whose gaps are to be expected; one without a shipped prior gets a flat
        one (see `hydralab.signals.prior`).

    >>> Shift(window=3, lag=1).range
    (0.0, 1.0)
    """

    window: int = 3
    lag: int = 1
    prior: str = "use"

    range: ClassVar[Range] = (0.0, 1.0)
    unit: ClassVar[str] = "share of earlier gaps"
    source: ClassVar[str] = "vectors"
    needs_vectors: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_settings(self, window=1)

    @property
    def lookahead(self) -> int:
        """The lag."""
        return self.lag

    def values(
        self, turns: pl.DataFrame, vectors: NDArray[np.float32] | None, *, closed: bool
    ) -> NDArray[np.float64]:
        """Return the rank of each gap: float64 (n,) in [0, 1], NaN at turn 0."""
        del turns
        curve = raw_shift(given(vectors), self.window, self.lag, closed=closed)
        return np.asarray(causal_percentile(curve, prior(self.prior, self.window, self.lag), least=LEAST))


def given(vectors: NDArray[np.float32] | None) -> NDArray[np.float32]:
    """Return the vectors, or say that they are missing."""
    if vectors is None:
        raise HydralabError(
            "this signal is computed from vectors, and none were given; pass vectors= (see hl.embed)"
        )
    return vectors
