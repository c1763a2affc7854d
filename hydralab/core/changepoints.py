"""Change points of a series of vectors by optimal partition under a linear kernel."""

from __future__ import annotations

from typing import Any

from hydralab.core.backend import namespace
from hydralab.core.lagged import lagged_products, shifted

__all__ = ["causal_change_points", "change_points", "optimal_partition", "segment_costs"]

Array = Any


def segment_costs(vectors: Array, longest: int) -> Array:
    """Return the scatter of every segment of at most `longest` rows around its mean.

    cost(s, t) = Σ‖x‖² − ‖Σ x‖² / (t − s) over the rows s … t − 1; for unit rows the first sum is t − s,
    and this is the cost of the cosine kernel.

    Parameters
    ----------
    vectors
        Floating point, shape (n, d). A row with a NaN counts as a zero row: it costs nothing anywhere.
    longest
        At least 1.

    Returns
    -------
    array
        Float64, shape (longest, n): entry (m − 1, s) is the cost of the m rows from s, inf where they
        reach past the end. O(n·longest·d) time, O(n·longest) memory.

    >>> import numpy as np
    >>> segment_costs(np.asarray([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), 2)
    array([[ 0.,  0.,  0.],
           [ 0.,  1., inf]])
    """
    xp = namespace(vectors)
    n = vectors.shape[0]
    spoilt = xp.any(xp.isnan(vectors), axis=1)
    clean = xp.where(spoilt[:, None], xp.zeros_like(vectors), vectors)
    products = xp.astype(lagged_products(clean, longest - 1), xp.float64)
    squares, square_sums = products[0, :], products[0, :]
    growth, lengths = products[0, :], products[0, :]
    rows = xp.arange(n, device=vectors.device)
    costs = []
    for size in range(1, longest + 1):
        if size > 1:
            growth = growth + 2 * products[size - 1, :]
            lengths = shifted(lengths, -1) + growth
            square_sums = shifted(square_sums, -1) + squares
        fits = rows <= n - size
        costs.append(xp.where(fits, square_sums - lengths / size, xp.full_like(lengths, float("inf"))))
    return xp.stack(costs)


def optimal_partition(
    vectors: Array, penalty: float | Array, *, longest: int | None = None
) -> tuple[Array, Array]:
    """Return the cheapest partition of every prefix into segments.

    F(t) = min over s of F(s) + cost(s, t) + (penalty if s > 0), so that k cuts cost k penalties.
    Causal: an entry depends on the first t rows alone.

    Parameters
    ----------
    vectors
        Floating point, shape (n, d); unit rows make it the cosine kernel.
    penalty
        The price of a cut, above 0, in units of squared distance: cutting a + b rows with means m, m′
        pays if ab/(a + b)·‖m − m′‖² exceeds it. An array of shape (n,) prices the cut that opens a
        segment by that segment's last row.
    longest
        The most rows a segment may have; n when None, at a memory of n².

    Returns
    -------
    totals, starts
        Float64 and int64, both of shape (n + 1,): the cost of the best partition of the first t rows,
        and where its last segment starts. Of equally cheap ones the longest last segment is taken.

    References
    ----------
    Jackson et al., "An algorithm for optimal partitioning of data on an interval", IEEE Signal
    Processing Letters 12(2), 2005; the kernel cost as in Arlot, Celisse, Harchaoui, JMLR 20(162), 2019.

    >>> import numpy as np
    >>> rows = np.asarray([[1.0, 0.0]] * 4 + [[0.0, 1.0]] * 4)
    >>> optimal_partition(rows, penalty=1.0)[1]
    array([0, 0, 0, 0, 0, 4, 4, 4, 4])
    """
    xp = namespace(vectors)
    n = vectors.shape[0]
    longest = max(1, n if longest is None else min(longest, n))
    totals = xp.zeros(n + 1, dtype=xp.float64, device=vectors.device)
    starts = xp.zeros(n + 1, dtype=xp.int64, device=vectors.device)
    prices = xp.broadcast_to(xp.asarray(penalty, dtype=xp.float64, device=vectors.device), (n,))
    ending = _by_end(segment_costs(vectors, longest)) + prices[:, None]
    for t in range(1, n + 1):
        first = max(0, t - longest)
        choices = totals[first:t] + ending[t - 1, longest - (t - first) :]
        if first == 0:
            choices[0] -= prices[t - 1]
        best = int(xp.argmin(choices))
        totals[t] = choices[best]
        starts[t] = first + best
    return totals, starts


def change_points(vectors: Array, penalty: float | Array, *, longest: int | None = None) -> Array:
    """Return the first rows of the segments of the cheapest partition, without row 0.

    Parameters and method as `optimal_partition`; it sees the whole series, so nothing here is causal.

    Returns
    -------
    array
        Int64, rising, shape (cuts,).

    >>> import numpy as np
    >>> change_points(np.asarray([[1.0, 0.0]] * 4 + [[0.0, 1.0]] * 4), penalty=1.0)
    array([4])
    """
    xp = namespace(vectors)
    _, starts = optimal_partition(vectors, penalty, longest=longest)
    cuts = []
    t = int(starts[-1])
    while t > 0:
        cuts.append(t)
        t = int(starts[t])
    return xp.asarray(cuts[::-1], dtype=xp.int64, device=vectors.device)


def causal_change_points(
    vectors: Array, penalty: float | Array, *, lookahead: int = 1, longest: int | None = None
) -> Array:
    """Return the gaps that the best partition of what is known `lookahead` rows later cuts last.

    The gap before row g is taken when the cheapest partition of the first g + 1 + lookahead rows starts
    its last segment at g. Nothing later changes that, so it can be decided while the series grows.

    Parameters
    ----------
    vectors, penalty, longest
        As `optimal_partition`.
    lookahead
        Rows known after the first row behind the gap, at least 0; cut at the end of the series.

    Returns
    -------
    array
        Bool, shape (n,).

    >>> import numpy as np
    >>> causal_change_points(np.asarray([[1.0, 0.0]] * 4 + [[0.0, 1.0]] * 4), 1.0, lookahead=1).nonzero()
    (array([4]),)
    """
    xp = namespace(vectors)
    n = vectors.shape[0]
    _, starts = optimal_partition(vectors, penalty, longest=longest)
    rows = xp.arange(n, dtype=xp.int64, device=vectors.device)
    return (xp.take(starts, xp.clip(rows + 1 + lookahead, 0, n)) == rows) & (rows > 0)


def _by_end(costs: Array) -> Array:
    """Turn costs by (length, start) into costs by (last row, start), starts rising to the last row."""
    xp = namespace(costs)
    longest = costs.shape[0]
    columns = [shifted(costs[size - 1, :], size - 1) for size in range(longest, 0, -1)]
    return xp.stack(columns, axis=1)
