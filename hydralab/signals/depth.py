"""Depth of the valley of similarity at a gap (TextTiling)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.depth import valley_depth
from hydralab.errors import check_settings
from hydralab.signals.base import SIGNALS, Lookahead, Range
from hydralab.signals.shift import given, raw_shift

__all__ = ["Depth"]


@SIGNALS.register("depth")
@dataclass(frozen=True)
class Depth:
    """How much more alike the turns are on both sides than across the gap.

    From the gap one climbs the curve of similarity (1 − raw shift) to either side while it does not
    fall, and adds up what both climbs gained.

    Parameters
    ----------
    window, lag
        As in `ShiftRaw`.
    reach
        The most gaps a climb crosses. Causal with a look-ahead of `lag` + `reach`; None climbs without
        limit and needs the whole dialogue.

    References
    ----------
    Hearst, "TextTiling", Computational Linguistics 23(1), 1997.

    >>> Depth(lag=1, reach=2).lookahead, Depth(reach=None).lookahead
    (3, 'all')
    """

    window: int = 3
    lag: int = 1
    reach: int | None = 2

    range: ClassVar[Range] = (0.0, 4.0)
    unit: ClassVar[str] = "cosine"
    source: ClassVar[str] = "vectors"
    needs_vectors: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_settings(self, window=1, reach=1)

    @property
    def lookahead(self) -> Lookahead:
        """The lag and the reach; "all" when the climb has no limit."""
        return "all" if self.reach is None else self.lag + self.reach

    @property
    def memory(self) -> int | None:
        """The window and the reach; None when the climb has no limit."""
        return None if self.reach is None else self.window + self.reach + 1

    def values(
        self, turns: pl.DataFrame, vectors: NDArray[np.float32] | None, *, closed: bool
    ) -> NDArray[np.float64]:
        """Return the depth of each gap: float64 (n,), at least 0, NaN at turn 0."""
        del turns
        similarity = 1 - raw_shift(given(vectors), self.window, self.lag, closed=closed)
        depth = np.array(valley_depth(similarity, self.reach))
        if not closed:
            missing = depth.size if self.reach is None else self.lag + self.reach
            depth[max(0, depth.size - missing) :] = np.nan
        return depth
