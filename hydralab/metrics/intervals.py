"""How sure a mean is: bootstrap intervals over questions or dialogues, alone and of paired differences."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hydralab.errors import HydralabError

__all__ = ["Interval", "mean_interval", "paired_interval"]

REPEATS = 2_000
AT_ONCE = 1_000_000
"""Numbers drawn at a time, so that memory stays small whatever the sample."""


class Interval(NamedTuple):
    """A mean and the ends of its interval; NaN throughout for no values, the mean itself for one."""

    mean: float
    lo: float
    hi: float


def mean_interval(
    values: ArrayLike, *, level: float = 0.95, repeats: int = REPEATS, seed: int = 0
) -> Interval:
    """Return the mean of values with its percentile bootstrap interval.

    Parameters
    ----------
    values
        Float (n,), one a question or dialogue, which are what is drawn again; NaN is left out.
    level
        The share of resampled means between the ends.

    Raises
    ------
    HydralabError
        The level is not between 0 and 1, or there are no repeats.

    References
    ----------
    Efron, Tibshirani: An Introduction to the Bootstrap. 1993, chapter 13.

    >>> mean_interval([0.5, 0.5, 0.5])
    Interval(mean=0.5, lo=0.5, hi=0.5)
    """
    numbers = np.asarray(values, dtype=np.float64)
    numbers = numbers[~np.isnan(numbers)]
    if not 0 < level < 1 or repeats < 1:
        raise HydralabError(
            f"interval: level is {level}, repeats {repeats}, expected 0 < level < 1, 1 or more repeats"
        )
    if not numbers.size:
        return Interval(np.nan, np.nan, np.nan)
    lo, hi = np.quantile(_resampled_means(numbers, repeats, seed), [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(numbers.mean()), float(lo), float(hi))


def paired_interval(
    first: ArrayLike, second: ArrayLike, *, level: float = 0.95, repeats: int = REPEATS, seed: int = 0
) -> Interval:
    """Return the mean of first − second with its interval, both measured on the same questions or dialogues.

    Parameters
    ----------
    first, second
        Float (n,); a pair with a NaN is left out.

    Raises
    ------
    HydralabError
        The two are not of one length; and as `mean_interval`.

    >>> paired_interval([1.0, 1.0], [0.5, 0.5])
    Interval(mean=0.5, lo=0.5, hi=0.5)
    """
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != other.shape:
        raise HydralabError(f"interval: {one.shape} and {other.shape} values, expected pairs")
    return mean_interval(one - other, level=level, repeats=repeats, seed=seed)


def _resampled_means(values: NDArray[np.float64], repeats: int, seed: int) -> NDArray[np.float64]:
    random = np.random.default_rng(seed)
    each = max(1, AT_ONCE // values.size)
    parts = [
        values[random.integers(0, values.size, (min(each, repeats - start), values.size))].mean(axis=1)
        for start in range(0, repeats, each)
    ]
    return np.concatenate(parts)
