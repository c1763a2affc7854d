"""The k best of many scores."""

from __future__ import annotations

from typing import Any

import array_api_compat

from hydralab.core.backend import namespace
from hydralab.errors import HydralabError

__all__ = ["top_k"]

Array = Any


def top_k(scores: Array, k: int) -> tuple[Array, Array]:
    """Return the k highest scores of each row and where they stand, best first.

    Parameters
    ----------
    scores
        Real floating point, shape (n,) or (m, n). NaN ranks below every number.
    k
        How many, at least 0; more than n gives n.

    Returns
    -------
    values, indices
        Shape (k',) or (m, k') with k' = min(k, n); indices int64. Of equal scores the one with the
        lower index comes first, so the answer does not depend on the library.

    Raises
    ------
    HydralabError
        When k is negative.

    Notes
    -----
    Uses the library's own partial sort (numpy ``partition``, torch ``topk``) to find the k-th score,
    O(n), and sorts only what reaches it; a library without one sorts everything.

    >>> import numpy as np
    >>> values, indices = top_k(np.asarray([0.1, 0.9, 0.5, 0.9]), 3)
    >>> values.tolist(), indices.tolist()
    ([0.9, 0.9, 0.5], [1, 3, 2])
    """
    if k < 0:
        raise HydralabError(f"top_k: k is {k}, expected at least 0")
    xp = namespace(scores)
    if scores.ndim == 1:
        chosen = _best_places(scores, min(k, scores.shape[0]))
        return xp.take(scores, chosen), chosen
    k = min(k, scores.shape[1])
    rows = [_best_places(scores[row, :], k) for row in range(scores.shape[0])]
    if not rows:
        return scores[:, :k], xp.zeros((0, k), dtype=xp.int64, device=scores.device)
    indices = xp.stack(rows)
    return xp.stack([xp.take(scores[row, :], places) for row, places in enumerate(rows)]), indices


def _best_places(scores: Array, k: int) -> Array:
    """Return the places of the k best of one row, best first, ties by place."""
    xp = namespace(scores)
    n = scores.shape[0]
    comparable = xp.where(xp.isnan(scores), xp.full_like(scores, -float("inf")), scores)
    if k == 0:
        return xp.zeros(0, dtype=xp.int64, device=scores.device)
    if k < n and (bound := _kth_score(comparable, k)) is not None:
        reach = xp.nonzero(comparable >= bound)[0]
    else:
        reach = xp.arange(n, dtype=xp.int64, device=scores.device)
    order = xp.argsort(xp.take(comparable, reach), descending=True, stable=True)
    return xp.astype(xp.take(reach, order[:k]), xp.int64)


def _kth_score(scores: Array, k: int) -> Array | None:
    """Return the k-th highest score, or None where the library has no partial sort."""
    if array_api_compat.is_numpy_array(scores):
        import numpy as np

        return np.partition(scores, scores.shape[0] - k)[scores.shape[0] - k]
    if array_api_compat.is_torch_array(scores):
        return scores.topk(k, sorted=True).values[-1]
    return None
