"""Inner products of each row with the rows shortly after it: what every curve over turns is made of."""

from __future__ import annotations

from typing import Any

from hydralab.core.backend import namespace

__all__ = ["lagged_products", "pad_rows", "shifted", "window_products"]

Array = Any

FEW_LAGS = 16
"""Up to here one pass a lag is faster than the block products, above it slower."""


def lagged_products(vectors: Array, lags: int) -> Array:
    """Return the inner products of each row with the `lags` rows after it.

    Parameters
    ----------
    vectors
        Floating point, shape (n, d).
    lags
        The largest lag, at least 0.

    Returns
    -------
    array
        Shape (lags + 1, n), dtype of `vectors`: entry (l, t) is ⟨x_t, x_{t+l}⟩, and 0 where t + l
        is past the end, so that sums over windows cut themselves at the end. An entry depends on
        its two rows alone, bit for bit, so a prefix gives the same values.

    Notes
    -----
    O(n·lags·d) time; memory O(n·lags). Many lags are taken from products of whole blocks of rows.

    >>> import numpy as np
    >>> lagged_products(np.asarray([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), 1)
    array([[1., 1., 1.],
           [1., 0., 0.]])
    """
    if lags < FEW_LAGS:
        return _by_lag(vectors, lags)
    return _by_block(vectors, lags)


def shifted(values: Array, steps: int) -> Array:
    """Return `values` moved `steps` places to the right (left if negative), zeros moved in.

    >>> import numpy as np
    >>> shifted(np.asarray([1.0, 2.0, 3.0]), 1)
    array([0., 1., 2.])
    """
    xp = namespace(values)
    steps = max(-values.shape[0], min(steps, values.shape[0]))
    blank = xp.zeros(abs(steps), dtype=values.dtype, device=values.device)
    if steps >= 0:
        return xp.concat([blank, values[: values.shape[0] - steps]])
    return xp.concat([values[-steps:], blank])


def window_products(products: Array, left: range, right: range) -> Array:
    """Return ⟨sum of the rows t + left, sum of the rows t + right⟩ for each t.

    Parameters
    ----------
    products
        What `lagged_products` returns, shape (lags + 1, n); `lags` covers the widest distance.
    left, right
        Offsets of the rows of each window from t. Rows outside the array count as zero rows.

    Returns
    -------
    array
        Shape (n,). O(n·|left|·|right|).

    >>> import numpy as np
    >>> rows = np.asarray([[1.0], [2.0], [3.0]])
    >>> window_products(lagged_products(rows, 2), range(-1, 0), range(0, 2))
    array([0., 5., 6.])
    """
    xp = namespace(products)
    total = xp.zeros(products.shape[1], dtype=products.dtype, device=products.device)
    for i in left:
        for j in right:
            total = total + shifted(products[abs(i - j), :], -min(i, j))
    return total


def _by_lag(vectors: Array, lags: int) -> Array:
    xp = namespace(vectors)
    n = vectors.shape[0]
    rows = []
    for lag in range(lags + 1):
        reach = max(n - lag, 0)
        products = xp.vecdot(vectors[:reach, :], vectors[n - reach :, :])
        blank = xp.zeros(n - reach, dtype=vectors.dtype, device=vectors.device)
        rows.append(xp.concat([products, blank]))
    return xp.stack(rows)


def _by_block(vectors: Array, lags: int) -> Array:
    xp = namespace(vectors)
    n, dim = vectors.shape
    side = -(-lags // FEW_LAGS) * FEW_LAGS
    blocks = -(-n // side)
    filled = xp.reshape(pad_rows(vectors, (blocks + 1) * side), (blocks + 1, side, dim))
    here, there = filled[:-1, ...], xp.matrix_transpose(filled)
    products = xp.concat([xp.matmul(here, there[:-1, ...]), xp.matmul(here, there[1:, ...])], axis=-1)
    rows = [xp.linalg.diagonal(products, offset=lag) for lag in range(lags + 1)]
    return xp.stack([xp.reshape(row, (blocks * side,))[:n] for row in rows])


def pad_rows(vectors: Array, rows: int) -> Array:
    """Return the rows of an (n, d) array followed by zero rows, `rows` in all.

    >>> import numpy as np
    >>> pad_rows(np.ones((1, 2)), 2)
    array([[1., 1.],
           [0., 0.]])
    """
    xp = namespace(vectors)
    blank = xp.zeros((rows - vectors.shape[0], vectors.shape[1]), dtype=vectors.dtype, device=vectors.device)
    return xp.concat([vectors, blank])
