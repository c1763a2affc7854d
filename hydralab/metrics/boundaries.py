"""F1 of boundaries, exact and within a tolerance, their density, and the Score that joins them to Pk and WD.

All take boolean arrays on gaps as `hydralab.metrics.windows` explains. F1 alone rewards whoever
cuts a lot; `boundary_ratio` shows that, and `hydralab.metrics.floors` what cutting blindly scores.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hydralab.errors import check_value
from hydralab.metrics.windows import Gaps, checked_pair, window_errors

__all__ = [
    "boundary_f1",
    "boundary_ratio",
    "f1_rows",
    "score_rows",
    "segmentation_score",
    "tolerance_f1",
    "tolerance_f1_rows",
]


def boundary_f1(predicted: ArrayLike, gold: ArrayLike, *, zero_division: float = 0.0) -> float:
    """Return the F1 of the boundaries of one dialogue: only the very gap counts as found.

    Parameters
    ----------
    predicted, gold
        Boolean arrays, shape (turns − 1,).
    zero_division
        What a dialogue scores that has no boundary on either side. 0, as in SuperDialseg's tables,
        keeps means comparable with published ones; with 1 a rightly uncut dialogue is perfect.

    Returns
    -------
    float
        2·hits / (predicted + gold), 0 to 1.

    >>> boundary_f1([False, True, True], [False, True, False])
    0.6666666666666666
    >>> boundary_f1([False, False], [False, False], zero_division=1.0)
    1.0
    """
    return float(f1_rows(*checked_pair(predicted, gold), zero_division=zero_division)[0])


def tolerance_f1(
    predicted: ArrayLike, gold: ArrayLike, *, tolerance: int = 1, zero_division: float = 0.0
) -> float:
    """Return F1 where a boundary also counts as found when it is at most `tolerance` gaps off.

    Each gold boundary is found by one predicted boundary at most and each predicted one finds one
    gold boundary, in the pairing that has the most pairs; so cutting everywhere isn't rewarded.

    Parameters
    ----------
    predicted, gold, zero_division
        As for `boundary_f1`.
    tolerance
        Gaps; 0 gives `boundary_f1`.

    >>> tolerance_f1([True, True, True, False], [False, False, False, True])
    0.5
    """
    guess, truth = checked_pair(predicted, gold)
    return float(tolerance_f1_rows(guess, truth, tolerance=tolerance, zero_division=zero_division)[0])


def boundary_ratio(predicted: ArrayLike, gold: ArrayLike) -> float:
    """Return predicted boundaries per gold boundary: over 1 cuts too often, NaN where gold has none.

    >>> boundary_ratio([True, True, True, False], [False, True, False, True])
    1.5
    """
    guess, truth = checked_pair(predicted, gold)
    return float(guess.sum() / truth.sum()) if truth.any() else float("nan")


def segmentation_score(predicted: ArrayLike, gold: ArrayLike, *, zero_division: float = 0.0) -> float:
    """Return (2·F1 + (1 − Pk) + (1 − WindowDiff)) / 4 of one dialogue, all in SuperDialseg's convention.

    A set's Score is the mean over its dialogues.

    References
    ----------
    Jiang, Dong, Zhang, et al.: SuperDialseg: a large-scale dataset for supervised dialogue
    segmentation. EMNLP 2023.

    >>> segmentation_score([False, False, True, False, False], [False, False, True, False, False])
    1.0
    >>> segmentation_score([False, True, False, False, False], [False, False, True, False, False])
    0.3
    """
    return float(score_rows(*checked_pair(predicted, gold), zero_division=zero_division)[0])


def f1_rows(predicted: Gaps, gold: Gaps, *, zero_division: float = 0.0) -> NDArray[np.float64]:
    """Return the F1 of many predictions, bool (m, turns − 1), for one gold, bool (turns − 1,)."""
    return _f1((predicted & gold).sum(axis=-1), predicted, gold, zero_division)


def tolerance_f1_rows(
    predicted: Gaps, gold: Gaps, *, tolerance: int, zero_division: float = 0.0
) -> NDArray[np.float64]:
    """Return the tolerance F1 of many predictions, bool (m, turns − 1), for one gold."""
    check_value("tolerance", tolerance, "int", least=0)
    wanted = np.flatnonzero(gold).tolist()
    hits = np.array(
        [_pairs(np.flatnonzero(row).tolist(), wanted, tolerance) for row in predicted], dtype=np.int64
    )
    return _f1(hits, predicted, gold, zero_division)


def score_rows(predicted: Gaps, gold: Gaps, *, zero_division: float = 0.0) -> NDArray[np.float64]:
    """Return the Score of many predictions, bool (m, turns − 1), for one gold, bool (turns − 1,)."""
    pk, window_diff = window_errors(predicted, gold, convention="superdialseg")
    f1 = f1_rows(predicted, gold, zero_division=zero_division)
    return (2 * f1 + (1 - pk) + (1 - window_diff)) / 4


def _f1(hits: NDArray[np.int64], predicted: Gaps, gold: Gaps, zero_division: float) -> NDArray[np.float64]:
    total = predicted.sum(axis=-1) + gold.sum()
    return np.where(total == 0, zero_division, 2 * hits / np.maximum(total, 1))


def _pairs(found: Sequence[int], wanted: Sequence[int], tolerance: int) -> int:
    # On a line, pairing the leftmost two that are close enough never costs a pair later on.
    i = j = pairs = 0
    while i < len(found) and j < len(wanted):
        distance = found[i] - wanted[j]
        if abs(distance) <= tolerance:
            i, j, pairs = i + 1, j + 1, pairs + 1
        elif distance < 0:
            i += 1
        else:
            j += 1
    return pairs
