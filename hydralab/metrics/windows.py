"""Pk and WindowDiff: how often a sliding window sees other boundaries than the gold has.

Segmentations are boolean arrays on the gaps of a dialogue: gap g lies between turn g and turn g+1,
and in hydralab's tables its boundary has position g+1, the first turn of the new span. A dialogue of
n turns has n−1 gaps.

Published numbers come from three programs that score the same prediction differently, so a
convention is always named. All slide a window over entries and compare counts of boundaries in it:

=============  ======================  =============================================  =====================
convention     entries                 window k                                       windows
=============  ======================  =============================================  =====================
superdialseg   n: the gaps, then a 0   max(2, round(n / (2 · gold spans)))            n − k + 1
segeval        n − 1: the gaps         max(2, round(mean gold span / 2))              n − k
nltk           n: the gaps, then a 0   round(n / (2 · gold boundaries))               n − k + 1
=============  ======================  =============================================  =====================

Rounding is half to even in all three. Their programs fail on the shortest dialogues; here the window
is cut to the entries there are, so two turns have one window of one gap (or of the gap and the final
0), and a single turn, where nothing can be wrong, scores 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hydralab.errors import HydralabError, check_value, unknown_name

__all__ = [
    "CONVENTIONS",
    "Gaps",
    "as_gaps",
    "checked_pair",
    "pk",
    "window_diff",
    "window_errors",
    "window_size",
]

CONVENTIONS = ("superdialseg", "segeval", "nltk")
"""Whose Pk and WindowDiff: SuperDialseg's evaluation code, segeval 2, or nltk's default window."""

Gaps = NDArray[np.bool_]


def pk(
    predicted: ArrayLike, gold: ArrayLike, *, convention: str = "superdialseg", k: int | None = None
) -> float:
    """Return Pk: the share of windows where one side has a boundary inside and the other has none.

    Parameters
    ----------
    predicted, gold
        Boolean arrays, shape (turns − 1,): True where a boundary lies on the gap. The window follows
        the gold, so exchanging the two gives another number.
    convention
        One of `CONVENTIONS`.
    k
        Size of the window in entries, instead of the convention's.

    Returns
    -------
    float
        0 (no window disagrees) to 1.

    Raises
    ------
    HydralabError
        The arrays differ in length, aren't boolean, or k is no size a window can have.

    References
    ----------
    Beeferman, Berger, Lafferty: Statistical models for text segmentation. Machine Learning 34, 1999.

    >>> pk([False, True, False, False], [False, False, True, False])
    0.5
    >>> pk([False, True, False, False], [False, False, True, False], convention="segeval")
    0.6666666666666666
    """
    return float(window_errors(*checked_pair(predicted, gold), convention=convention, k=k)[0][0])


def window_diff(
    predicted: ArrayLike, gold: ArrayLike, *, convention: str = "superdialseg", k: int | None = None
) -> float:
    """Return WindowDiff: the share of windows where the two sides count unlike numbers of boundaries.

    Parameters, result and errors are those of `pk`; WindowDiff is never less than Pk.

    References
    ----------
    Pevzner, Hearst: A critique and improvement of an evaluation metric for text segmentation.
    Computational Linguistics 28, 2002.

    >>> two, one = [False, True, True, False, False], [False, True, False, False, False]
    >>> window_diff(two, one, convention="segeval"), pk(two, one, convention="segeval")
    (0.5, 0.25)
    """
    return float(window_errors(*checked_pair(predicted, gold), convention=convention, k=k)[1][0])


def window_size(gold: ArrayLike, *, convention: str = "superdialseg") -> int:
    """Return how many entries the window of a convention holds for this gold, at least 1.

    >>> window_size([False, False, True, False, False, False, False])
    2
    >>> window_size([False, False, True, False, False, False, False], convention="nltk")
    4
    """
    truth = as_gaps(gold, "gold")
    turns, boundaries = len(truth) + 1, int(truth.sum())
    check_value("convention", convention, "str")
    if convention in ("superdialseg", "segeval"):
        size = max(2, round(turns / (boundaries + 1) / 2))
    elif convention == "nltk":
        size = round(turns / (2 * max(boundaries, 1)))
    else:
        raise unknown_name("convention", convention, CONVENTIONS)
    return max(1, min(size, _entries(truth, convention).shape[-1]))


def window_errors(
    predicted: Gaps, gold: Gaps, *, convention: str, k: int | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return Pk and WindowDiff of many predictions for one dialogue, each by two cumulative sums.

    Parameters
    ----------
    predicted
        bool (m, turns − 1): a prediction a row.
    gold
        bool (turns − 1,).

    Returns
    -------
    (float64 (m,), float64 (m,))
        Pk and WindowDiff of each row.
    """
    size = window_size(gold, convention=convention)
    truth, guess = _entries(gold, convention), _entries(predicted, convention)
    check_value("k", k, "int | None")
    if k is not None:
        if not 1 <= k <= max(1, truth.shape[-1]):
            raise HydralabError(f"k is {k}, expected 1 to {truth.shape[-1]}, the entries there are")
        size = k
    if not truth.shape[-1]:
        nothing_wrong = np.zeros(len(predicted))
        return nothing_wrong, nothing_wrong.copy()
    expected, found = _counts(truth, size), _counts(guess, size)
    return ((found > 0) != (expected > 0)).mean(axis=-1), (found != expected).mean(axis=-1)


def as_gaps(values: ArrayLike, name: str) -> Gaps:
    """Return `values` as a boolean array on gaps, or say what is wrong with them.

    >>> as_gaps([0, 1, 0], "gold").tolist()
    [False, True, False]
    """
    array: NDArray[Any] = np.asarray(values)
    if array.ndim != 1:
        raise HydralabError(f"{name}: expected one value a gap, shape (turns - 1,), got shape {array.shape}")
    if array.dtype != np.bool_:
        flags = array.astype(np.bool_)
        if array.dtype.kind not in "iuf" or not np.array_equal(flags, array):
            raise HydralabError(f"{name}: expected True and False a gap, got {array.dtype} with other values")
        return flags
    return array


def checked_pair(predicted: ArrayLike, gold: ArrayLike) -> tuple[Gaps, Gaps]:
    """Return one prediction as bool (1, turns − 1) and its gold as bool (turns − 1,)."""
    guess, truth = as_gaps(predicted, "predicted"), as_gaps(gold, "gold")
    if len(guess) != len(truth):
        raise HydralabError(f"predicted has {len(guess)} gaps and gold {len(truth)}, expected as many")
    return guess[None], truth


def _entries(gaps: Gaps, convention: str) -> Gaps:
    if convention == "segeval":
        return gaps
    return np.concatenate([gaps, np.zeros((*gaps.shape[:-1], 1), dtype=np.bool_)], axis=-1)


def _counts(entries: Gaps, size: int) -> NDArray[np.int64]:
    before = np.zeros((*entries.shape[:-1], entries.shape[-1] + 1), dtype=np.int64)
    np.cumsum(entries, axis=-1, out=before[..., 1:])
    return before[..., size:] - before[..., :-size]
