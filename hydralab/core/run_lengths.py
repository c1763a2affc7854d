"""Bayesian online change points: how probable it is that a run of alike rows starts at each row."""

from __future__ import annotations

import math
from typing import Any

from hydralab.core.backend import namespace

__all__ = ["change_probability"]

Array = Any


def change_probability(
    vectors: Array,
    *,
    hazard: float = 0.1,
    concentration: float = 8.0,
    lookahead: int = 1,
    longest: int = 200,
) -> Array:
    """Return the posterior probability, `lookahead` rows later, that a new run starts at each row.

    Rows of one run scatter around a mean that nobody knows. The density of the next row x after a run of r
    rows with sum S is proportional to exp(κ⟨x, m⟩ − κ/2‖m‖²) with m = S / (r + 1), the posterior mean under
    a prior around 0 that weighs as much as one row; a new run has m = 0.

    Parameters
    ----------
    vectors
        Floating point, shape (n, d), unit rows. A row with a NaN counts as a zero row: it tells nothing.
    hazard
        The prior probability that a run ends at any row, above 0 and below 1.
    concentration
        κ, above 0: how closely a run's rows stand around its mean.
    lookahead
        Rows known after the one that is judged, at least 0; cut at the end of the series.
    longest
        Run lengths kept apart, more than `lookahead`; longer runs are taken for one of that length.

    Returns
    -------
    array
        Float64, shape (n,), 0 to 1; 1 at row 0. Causal with that look-ahead. O(n·longest·d) time.

    References
    ----------
    Adams, MacKay, "Bayesian online changepoint detection", arXiv:0710.3742, 2007.

    >>> import numpy as np
    >>> rows = np.asarray([[1.0, 0.0]] * 5 + [[0.0, 1.0]] * 5)
    >>> int(np.argmax(change_probability(rows)[1:])) + 1
    5
    """
    xp = namespace(vectors)
    n, dim = vectors.shape
    longest = max(longest, lookahead + 2)
    probability = xp.zeros(n, dtype=xp.float64, device=vectors.device)
    rows = xp.astype(vectors, xp.float64)
    rows = xp.where(xp.any(xp.isnan(rows), axis=1)[:, None], xp.zeros_like(rows), rows)
    nothing = xp.zeros((1, dim), dtype=xp.float64, device=vectors.device)
    sizes = xp.arange(0, longest, dtype=xp.float64, device=vectors.device)
    start, go_on = math.log(hazard), math.log1p(-hazard)
    # Entry r of both belongs to the run that holds the r rows before the one to come; r = 0 is a new run.
    sums = nothing
    belief = xp.zeros(1, dtype=xp.float64, device=vectors.device)
    for t in range(n):
        row = rows[t, :]
        means = sums / (sizes[: sums.shape[0]] + 1)[:, None]
        fit = concentration * (xp.matmul(means, row) - 0.5 * xp.vecdot(means, means))
        joint = belief + fit
        joint = joint - _log_sum(joint)
        if t >= lookahead:
            probability[t - lookahead] = xp.exp(joint[lookahead])
        belief = xp.concat([xp.full((1,), start, dtype=xp.float64, device=vectors.device), joint + go_on])
        sums = xp.concat([nothing, sums + row[None, :]])
        if sums.shape[0] > longest:
            sums = sums[:longest, :]
            merged = _log_sum(belief[longest - 1 :])
            belief = xp.concat([belief[: longest - 1], xp.reshape(merged, (1,))])
    for ahead in range(min(lookahead, n)):
        # The last rows are judged by what there is: the run that began at row n − 1 − ahead.
        probability[n - 1 - ahead] = xp.exp(joint[ahead])
    return probability


def _log_sum(logs: Array) -> Array:
    xp = namespace(logs)
    top = xp.max(logs)
    return top + xp.log(xp.sum(xp.exp(logs - top)))
