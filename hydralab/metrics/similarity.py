"""Boundary similarity: edits between two segmentations, of which near misses cost half."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hydralab.metrics.windows import Gaps, checked_pair

__all__ = ["boundary_similarity", "similarity_rows"]

NEAR_MISS = 0.5
"""What it costs that a boundary is one gap off, where one that is lost or added costs 1."""


def boundary_similarity(predicted: ArrayLike, gold: ArrayLike) -> float:
    """Return the boundary similarity B of one dialogue, as segeval computes it (n_t = 2).

    B = 1 − (lost or added + near misses / 2) / (lost or added + near misses + matches): a near miss is a boundary
    of one side next to one of the other, each used once, paired from the left. Symmetric.

    Parameters
    ----------
    predicted, gold
        Boolean arrays, shape (turns − 1,).

    Returns
    -------
    float
        0 to 1; 1 where neither side has a boundary.

    References
    ----------
    Fournier: Evaluating text segmentation using boundary edit distance. ACL 2013.

    >>> boundary_similarity([True, False, False, True], [False, True, False, True])
    0.75
    """
    return float(similarity_rows(*checked_pair(predicted, gold))[0])


def similarity_rows(predicted: Gaps, gold: Gaps) -> NDArray[np.float64]:
    """Return the boundary similarity of many predictions, bool (m, turns − 1), for one gold."""
    matches = (predicted & gold).sum(axis=-1)
    differing = (predicted ^ gold).sum(axis=-1)
    signs = predicted.astype(np.int8) - gold.astype(np.int8)
    near = _pairs_from_the_left(signs[:, 1:] * signs[:, :-1] == -1)
    lost = differing - 2 * near
    edits = lost + near + matches
    return np.where(edits == 0, 1.0, 1 - (lost + NEAR_MISS * near) / np.maximum(edits, 1))


def _pairs_from_the_left(joined: Gaps) -> NDArray[np.int64]:
    """Return how many pairs of neighbours a row holds that share none: every other one of a run."""
    places = np.arange(1, joined.shape[-1] + 1)
    last_apart = np.maximum.accumulate(np.where(joined, 0, places), axis=-1) if joined.size else places
    pairs: NDArray[np.int64] = (joined & ((places - last_apart) % 2 == 1)).sum(axis=-1)
    return pairs
