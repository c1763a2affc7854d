"""The slow-topic subspace: the directions in which the turns of a dialogue stay alike for a while."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from hydralab.core.backend import namespace

__all__ = ["SlowDirections", "project_slowly", "slow_directions"]

Array = Any

TINY = 1e-12
"""Below this length a row has no direction."""


class SlowDirections(NamedTuple):
    """What `slow_directions` finds.

    Attributes
    ----------
    mean
        Float64, shape (d,): the mean of the rows.
    projection
        Float64, shape (d, r): its columns take a centred row to its slow coordinates.
    correlations
        Float64, shape (r,), falling, at least 0: how alike neighbouring rows are along each of them.
    """

    mean: Array
    projection: Array
    correlations: Array


def slow_directions(
    vectors: Array, lengths: Sequence[int], *, rank: int = 32, lags: int = 4, ridge: float = 4.0
) -> SlowDirections:
    """Return the directions along which rows agree most with the rows shortly after them.

    Slow feature analysis in closed form. With X the centred rows, C₀ = XᵀX / n + λ·tr(C₀)/d·I for
    λ = ridge·d/n, and C the mean over lags l of the symmetric part of X₍ₜ₎ᵀX₍ₜ₊ₗ₎ / pairs, inside dialogues
    only, these are the leading eigenvectors U of WCW for W = C₀^(−1/2), with eigenvalues ρ; the projection is
    WU·diag(max(ρ, 0)).

    Parameters
    ----------
    vectors
        Floating point, shape (n, d), the rows of all dialogues one after another. A row with a NaN counts as
        the mean.
    lengths
        Rows of each dialogue; they add up to n.
    rank
        Directions kept, at most d.
    lags
        The rows compared are 1 to `lags` apart.
    ridge
        How strongly few rows are pulled towards no direction at all.

    Returns
    -------
    SlowDirections
        O(n·d²·lags + d³) time.

    References
    ----------
    Wiskott, Sejnowski, "Slow feature analysis: unsupervised learning of invariances", Neural Computation
    14(4), 2002; over several lags as in Blaschke, Berkes, Wiskott, Neural Computation 18(10), 2006.

    >>> import numpy as np
    >>> topic, noise = np.repeat([1.0, -1.0] * 10, 10), np.tile([0.3, -0.3], 100)
    >>> found = slow_directions(np.stack([topic, noise], axis=1), [200], rank=1, lags=1)
    >>> np.abs(found.projection[:, 0]).round(1), found.correlations.round(1)
    (array([0.8, 0. ]), array([0.8]))
    """
    xp = namespace(vectors)
    n, dim = vectors.shape
    rows = xp.astype(vectors, xp.float64)
    spoilt = xp.any(xp.isnan(rows), axis=1)[:, None]
    known = max(n - int(xp.sum(xp.astype(spoilt, xp.int64))), 1)
    mean = xp.sum(xp.where(spoilt, xp.zeros_like(rows), rows), axis=0) / known
    centred = xp.where(spoilt, xp.zeros_like(rows), rows - mean[None, :])

    eye = xp.eye(dim, dtype=xp.float64, device=vectors.device)
    spread = xp.matmul(xp.matrix_transpose(centred), centred) / max(n, 1)
    level = max(float(xp.linalg.trace(spread)) / dim, TINY)
    values, axes = xp.linalg.eigh(spread + ridge * dim / max(n, 1) * level * eye)
    whitening = xp.matmul(axes / xp.sqrt(values)[None, :], xp.matrix_transpose(axes))

    agreement = xp.zeros((dim, dim), dtype=xp.float64, device=vectors.device)
    for lag in range(1, lags + 1):
        agreement = agreement + _lagged_agreement(centred, lengths, lag) / lags
    slow = xp.matmul(xp.matmul(whitening, agreement), whitening)
    correlations, directions = xp.linalg.eigh((slow + xp.matrix_transpose(slow)) / 2)
    kept = xp.clip(xp.flip(correlations)[:rank], 0.0, float("inf"))
    projection = xp.matmul(whitening, xp.flip(directions, axis=1)[:, :rank]) * kept[None, :]
    return SlowDirections(mean, projection, kept)


def project_slowly(vectors: Array, mean: Array, projection: Array) -> Array:
    """Return rows in slow coordinates, brought to length 1.

    Parameters
    ----------
    vectors
        Floating point, shape (n, d).
    mean, projection
        As `slow_directions` gives them, of the library and device of `vectors`.

    Returns
    -------
    array
        Shape (n, r), dtype of `vectors`. A row of zeros (a blank text) stays one, and a NaN spoils its row.

    >>> import numpy as np
    >>> project_slowly(np.asarray([[3.0, 1.0], [0.0, 0.0]]), np.asarray([1.0, 1.0]), np.eye(2))
    array([[1., 0.],
           [0., 0.]])
    """
    xp = namespace(vectors)
    rows = xp.matmul(xp.astype(vectors, xp.float64) - mean[None, :], projection)
    lengths = xp.linalg.vector_norm(rows, axis=1)
    blank = ~xp.any(vectors != 0, axis=1) | (lengths < TINY)
    units = rows / xp.where(blank, xp.ones_like(lengths), lengths)[:, None]
    return xp.astype(xp.where(blank[:, None], xp.zeros_like(units), units), vectors.dtype)


def _lagged_agreement(centred: Array, lengths: Sequence[int], lag: int) -> Array:
    """Return the symmetric mean product of rows `lag` apart in one dialogue, zeros where there are none."""
    xp = namespace(centred)
    dim = centred.shape[1]
    total = xp.zeros((dim, dim), dtype=xp.float64, device=centred.device)
    pairs = 0
    for start, stop in _spans(lengths):
        if stop - start > lag:
            earlier, later = centred[start : stop - lag, :], centred[start + lag : stop, :]
            total = total + xp.matmul(xp.matrix_transpose(earlier), later)
            pairs += stop - start - lag
    return (total + xp.matrix_transpose(total)) / (2 * max(pairs, 1))


def _spans(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    start = 0
    for length in lengths:
        yield start, start + length
        start += length
