"""Kernel change points: the cheapest partition into topics, as a whole or while it grows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.backend import to_backend, to_numpy
from hydralab.core.changepoints import causal_change_points, change_points
from hydralab.core.growing_partition import GrowingPartition, GrowingScatter
from hydralab.core.scatter import running_scatter
from hydralab.errors import HydralabError
from hydralab.signals.base import Lookahead
from hydralab.signals.shift import raw_shift
from hydralab.triggers.decorating import segmenter

__all__ = ["cut_at_change_points"]

EXPECTED_SCATTER = 0.7
"""Mean cosine distance between two turns of a dialogue under the default encoder: what a dialogue is taken
to have before it has shown its own."""

SHIFT_WINDOW = 3
"""Turns before a gap that its score is computed from."""

SCATTER_WEIGHT = 5.0
"""Turns after which a dialogue's own scatter weighs as much as the expectation."""


class GrowingChangePoints:
    """The causal form of `cut_at_change_points` while a dialogue grows.

    Parameters
    ----------
    penalty, scale, lookahead, longest
        As there; `lookahead` is a number.
    """

    def __init__(
        self,
        *,
        penalty: float = 1.2,
        scale: Literal["scatter", "unit"] = "scatter",
        lookahead: int | None = None,
        longest: int = 64,
    ) -> None:
        _check_settings(penalty, scale, lookahead, longest)
        self._penalty, self._scale = penalty, scale
        self._ahead = int(lookahead or 0)
        self._scatter = GrowingScatter(expected=EXPECTED_SCATTER, weight=SCATTER_WEIGHT)
        self._partition = GrowingPartition(longest)
        self._seen = 0

    def __call__(
        self, turns: pl.DataFrame, vectors: NDArray[np.float32]
    ) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Return fires and scores of the rows decided since the last call."""
        fresh = vectors[self._seen :]
        prices = np.full(len(fresh), self._penalty)
        if self._scale == "scatter":
            prices = self._penalty * self._scatter.extend(fresh)
        starts = self._partition.extend(vectors, prices)
        # The prefix that ends with row r decides on the gap before row r − look-ahead.
        gaps = np.arange(self._seen, turns.height) - self._ahead
        self._seen = turns.height
        decided = gaps >= 0
        gaps, fires = gaps[decided], (starts == gaps)[decided] & (gaps[decided] > 0)
        if not gaps.size:
            return fires, np.zeros(0)
        first = max(int(gaps[0]) - SHIFT_WINDOW, 0)
        shift = raw_shift(vectors[first:], SHIFT_WINDOW, self._ahead, closed=True)
        return fires, np.nan_to_num(shift[gaps - first]) / 2


def _check_settings(penalty: float, scale: str, lookahead: int | None, longest: int) -> None:
    if (
        penalty <= 0
        or longest < 1
        or (lookahead is not None and lookahead < 0)
        or scale not in ("scatter", "unit")
    ):
        raise HydralabError(
            f"trigger 'change_points': penalty {penalty}, scale {scale!r}, lookahead {lookahead}, longest {longest}; "
            "expected a penalty above 0, 'scatter' or 'unit', a look-ahead from 0 or None, and at least 1 turn"
        )


def _lookahead(settings: Mapping[str, Any]) -> Lookahead:
    ahead = settings["lookahead"]
    return "all" if ahead is None else int(ahead)


@segmenter(name="change_points", lookahead=_lookahead, growing=GrowingChangePoints)
def cut_at_change_points(
    turns: pl.DataFrame,
    vectors: NDArray[np.float32],
    *,
    penalty: float = 1.2,
    scale: Literal["scatter", "unit"] = "scatter",
    lookahead: int | None = None,
    longest: int = 64,
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Cut where the cheapest partition of the turns into segments does (see `core.changepoints`).

    Parameters
    ----------
    turns, vectors
        One dialogue, float32 (n, d) unit rows. A turn whose vector holds a NaN pays for no cut.
    penalty
        The price of a cut, above 0. Cutting a + b turns with means m, m′ pays if ab/(a + b)·‖m − m′‖²
        exceeds it.
    scale
        "scatter": the penalty is in units of the mean cosine distance between two turns so far, so it
        carries over between dialogues; "unit": in units of unit rows, where 1.5 is a usual price.
    lookahead
        None: the partition of the whole dialogue, which can't decide while it runs. A number of turns:
        the causal form, which takes a gap when the best partition of what is known that many turns
        after the first turn behind it cuts there last.
    longest
        The most turns of a segment.

    References
    ----------
    Arlot, Celisse, Harchaoui, "A kernel multiple change-point algorithm via model selection", JMLR
    20(162), 2019.
    """
    _check_settings(penalty, scale, lookahead, longest)
    rows = to_backend(vectors)
    price: Any = penalty
    if scale == "scatter":
        price = penalty * running_scatter(rows, expected=EXPECTED_SCATTER, weight=SCATTER_WEIGHT)
    fires = np.zeros(turns.height, dtype=bool)
    if lookahead is None:
        fires[to_numpy(change_points(rows, price, longest=longest))] = True
    else:
        fires = to_numpy(causal_change_points(rows, price, lookahead=lookahead, longest=longest))
    shift = raw_shift(vectors, SHIFT_WINDOW, 1 if lookahead is None else lookahead, closed=True)
    return fires, np.nan_to_num(shift) / 2
