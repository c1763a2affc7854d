"""Measures of attention to segments, each with what it can't tell. Pure functions over arrays.

Attention averaged over heads is no faithful account of why a model wrote what it wrote (Jain and Wallace
2019; Wiegreffe and Pinter 2019): a head may look where nothing is taken from, and what a token holds may
stem from others that it looked at in lower layers. So a measure of attention is read beside a control that
takes the segment away (`leave_one_out`, `ablate`), with the rank correlation of both (`agreement`).

Arrays are float32 (layers, heads, rows, segments), L, H, R, S below, as in `Attention.mass`; pick layers,
heads or rows by indexing before.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.segments import rollout_step
from hydralab.errors import HydralabError

__all__ = [
    "UNSTABLE_TOKENS",
    "agreement",
    "distance_adjusted_lift",
    "lift",
    "mass",
    "retrieval_heads",
    "retrieval_mass",
    "rollout",
    "sink_free_mass",
]

Floats = NDArray[np.floating]

UNSTABLE_TOKENS = 5
"""Lift of a segment of fewer tokens hangs on single tokens."""


def mass(weights: Floats) -> NDArray[np.float64]:
    """Return the share of attention that goes to each segment, mean over layers, heads and rows.

    Caveat: it grows with a segment's length, and where the sink lies it is mostly the sink's. Compare
    segments by it only when they are of like length.

    Parameters
    ----------
    weights
        (L, H, R, S), rows summing to one.

    Returns
    -------
    float64 (S,), summing to one.

    >>> mass(np.asarray([[[[0.75, 0.25]]]])).tolist()
    [0.75, 0.25]
    """
    return np.asarray(weights, dtype=np.float64).mean(axis=(0, 1, 2))


def sink_free_mass(weights: Floats, sink: Floats) -> tuple[NDArray[np.float64], float]:
    """Return the mass of each segment without what goes to sinks, and what was dropped.

    Sinks are the first tokens and those that most rows of the text, whatever they say, give more than 20
    times the uniform weight; see `hydralab.core.segments.find_sinks`. Not rescaled: both parts sum to one.

    Caveat: it still grows with length; and a delimiter that models use as a sink stays in when it isn't
    found to be one, since a key near the end is seen by too few rows to tell.

    Parameters
    ----------
    weights, sink
        (L, H, R, S): all attention, and the part of it that goes to sinks.

    Returns
    -------
    kept, dropped
        float64 (S,), and the share of all attention that went to sinks.

    >>> kept, dropped = sink_free_mass(np.asarray([[[[0.75, 0.25]]]]), np.asarray([[[[0.5, 0.0]]]]))
    >>> kept.tolist(), dropped
    ([0.25, 0.25], 0.5)
    """
    lost = mass(sink)
    return mass(weights) - lost, float(lost.sum())


def lift(share: Floats, lengths: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return log2 of a segment's share of the mass over its share of the tokens.

    0: as much as its length has by chance; 1: twice as much; −1: half.

    Caveat: unstable below 5 tokens (`UNSTABLE_TOKENS`), where one token decides; and near segments get more
    than far ones whatever they say, which `distance_adjusted_lift` takes out.

    Parameters
    ----------
    share
        (S,), a mass; the segments that are to be compared only.
    lengths
        (S,), tokens.

    Returns
    -------
    float64 (S,): −inf for a segment without mass, NaN for one without tokens.

    >>> lift(np.asarray([0.2, 0.2]), np.asarray([10, 30])).round(3).tolist()
    [1.0, -0.585]
    """
    share, lengths = np.asarray(share, dtype=np.float64), np.asarray(lengths, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log2((share / share.sum()) / (lengths / lengths.sum()))


def distance_adjusted_lift(shares: Floats, lengths: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return the lift of mean masses over prompts in which the segments stood in other orders.

    When each segment stood at each place equally often, distance favours none of them.

    Caveat: it compares what was moved: items of one section among each other; and a text may make
    less sense in another order. One run of the model an order.

    Parameters
    ----------
    shares
        (K, S): a row an order, the columns the same segments in each.
    lengths
        (S,), tokens.

    >>> distance_adjusted_lift(np.asarray([[0.1, 0.3], [0.3, 0.1]]), np.asarray([10, 10])).tolist()
    [0.0, 0.0]
    """
    shares = np.asarray(shares, dtype=np.float64)
    return lift((shares / shares.sum(axis=1, keepdims=True)).mean(axis=0), lengths)


def retrieval_heads(
    top_key: NDArray[np.integer], key_ids: NDArray[np.integer], written: NDArray[np.integer]
) -> NDArray[np.bool_]:
    """Return where a head looks most at the very token that is written next: it copies.

    The mean over rows is the retrieval score of a head (Wu et al., "Retrieval Head Mechanistically Explains
    Long-Context Factuality", 2024).

    Parameters
    ----------
    top_key
        (L, H, R): the token that a row gives most to.
    key_ids
        (n,): the ids of the prompt; a top key behind it, in the answer, is no retrieval.
    written
        (R,): the token that is written after each row.

    Returns
    -------
    bool (L, H, R)

    >>> retrieval_heads(np.asarray([[[0, 1]]]), np.asarray([7, 8]), np.asarray([7, 7])).tolist()
    [[[True, False]]]
    """
    inside = top_key < len(key_ids)
    found: NDArray[np.bool_] = inside & (key_ids[np.where(inside, top_key, 0)] == written)
    return found


def retrieval_mass(weights: Floats, copying: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the mass of each segment over the heads and rows that copy.

    Caveat: it sees literal copying only. A paraphrase, or a number written in other words, gives nothing,
    and common tokens such as a full stop match by chance.

    Parameters
    ----------
    weights
        (L, H, R, S).
    copying
        (L, H, R), of `retrieval_heads`.

    Returns
    -------
    float64 (S,); NaN where no head copies.

    >>> retrieval_mass(np.asarray([[[[0.75, 0.25], [0.0, 1.0]]]]), np.asarray([[[True, False]]])).tolist()
    [0.75, 0.25]
    """
    chosen = np.asarray(weights, dtype=np.float64)[copying]
    return chosen.mean(axis=0) if len(chosen) else np.full(weights.shape[-1], np.nan)


def rollout(attentions: Floats, membership: Floats, residual: float = 0.5) -> NDArray[np.float64]:
    """Return, for each token, how much of it stems from each segment, when attention is the only path.

    Rₗ = (1 − ρ)·Aₗ·Rₗ₋₁ + ρ·Rₗ₋₁ from R₀ = the membership matrix (Abnar and Zuidema 2020).

    Caveat: for teaching. In deep decoders it comes near uniform over the first tokens and says little of
    the answer; it knows nothing of values, feed-forward layers or signs. `attend(…, with_rollout=True)`
    computes the same a layer at a time; this function wants the whole matrices.

    Parameters
    ----------
    attentions
        (L, n, n), mean over heads.
    membership
        (n, S), of `hydralab.core.segments.one_hot`.

    Returns
    -------
    float64 (n, S), rows summing to one.

    >>> rollout(np.asarray([[[1.0, 0.0], [0.5, 0.5]]]), np.eye(2)).tolist()
    [[1.0, 0.0], [0.25, 0.75]]
    """
    if attentions.ndim != 3 or attentions.shape[1:] != (len(membership),) * 2:
        raise HydralabError(
            f"rollout: attentions of shape {attentions.shape}, expected (layers, {len(membership)}, {len(membership)})"
        )
    rolled = np.asarray(membership, dtype=np.float64)
    for layer in attentions:
        rolled = rollout_step(np.asarray(layer, dtype=np.float64), rolled, rolled, residual)
    return rolled


def agreement(attended: Floats, effect: Floats) -> float:
    """Return the Spearman correlation of a measure of attention and what taking each segment away does.

    Caveat: of a handful of segments it is coarse: of five, one swap of neighbours costs 0.1.

    Parameters
    ----------
    attended, effect
        (S,) each; segments where either is not finite are left out.

    Returns
    -------
    −1 to 1; NaN for fewer than three segments, or when either is the same for all.

    >>> agreement(np.asarray([1.0, 2.0, 3.0]), np.asarray([0.1, 0.4, 0.2]))
    0.5
    """
    both = np.isfinite(attended) & np.isfinite(effect)
    if both.sum() < 3:
        return float("nan")
    pair = pl.DataFrame({"a": np.asarray(attended)[both], "b": np.asarray(effect)[both]})
    found = pair.select(pl.corr("a", "b", method="spearman")).item()
    return float("nan") if found is None else round(float(found), 12)
