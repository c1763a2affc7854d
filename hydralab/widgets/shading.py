"""The tokens of one item, each shaded by the attention that it got."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hydralab.attention import Attention
from hydralab.plots.attended import compared_items, word_rows

__all__ = ["ALL", "MOST_TOKENS", "shaded_text"]

Floats = NDArray[np.float64]

ALL = -1
"""As a layer, head or word: all of them."""

MOST_TOKENS = 3_000
"""Tokens of one item, and words of one answer, that are shown."""

FULL_SHADE = 0.98
"""So large a share of the tokens of remembered and recent items are shaded less than fully."""

SINK_HEADS = 0.5
"""A token that is a sink of so many of the picked heads is marked as one, and not shaded."""

STRONGEST = 5


def shaded_text(attention: Attention, to: int, *, layer: int = ALL, head: int = ALL) -> dict[str, Any]:
    """Return an item's tokens and how strongly the answer looked at each, mean over its words.

    In heads of which a token is a sink its attention doesn't count. One scale of shades holds for all items
    of a context, so that they can be compared.

    Returns
    -------
    dict
        pieces (texts), heat (0 to 100), times (attention as a multiple of the uniform one), sinks (places),
        cut (tokens that are not told), strongest (pairs of a word and its `times`).
    """
    segments = attention.tokens["to"].to_numpy()
    own = segments == to
    pieces = attention.tokens["text"].filter(own).to_list()
    whole, free, is_sink = _attended(attention, layer, head)
    compared = np.isin(segments, compared_items(attention)) & ~is_sink
    strong = max(float(np.quantile(free[compared], FULL_SHADE)), 1e-12) if compared.any() else 1.0
    times = len(segments) * np.where(is_sink, whole, free)[own]
    heat = np.where(is_sink[own], 0, np.clip(100 * free[own] / strong, 0, 100))
    return {
        "pieces": pieces[:MOST_TOKENS],
        "heat": heat.round().astype(int).tolist()[:MOST_TOKENS],
        "times": np.round(times, 1).tolist()[:MOST_TOKENS],
        "sinks": np.flatnonzero(is_sink[own][:MOST_TOKENS]).tolist(),
        "cut": max(len(pieces) - MOST_TOKENS, 0),
        "strongest": _strongest(pieces, np.where(is_sink[own], 0, times)),
    }


def _attended(attention: Attention, layer: int, head: int) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return each token's attention, that of heads where it is no sink, and whether it mostly is one."""
    layers = slice(None) if layer == ALL else [layer]
    heads = slice(None) if head == ALL else [head]
    masses = attention.sums.token_mass[layers][:, heads]
    sinks = attention.sums.sink_keys[layers][:, heads]
    free = np.where(sinks, 0, masses)
    return (
        masses.mean(axis=(0, 1), dtype=np.float64),
        free.mean(axis=(0, 1), dtype=np.float64),
        sinks.mean(axis=(0, 1)) >= SINK_HEADS,
    )


def _strongest(pieces: Sequence[str], times: Floats) -> list[tuple[str, float]]:
    """Return the words that were looked at most, each with its strongest token's attention."""
    told = [
        ("".join(pieces[row] for row in rows).strip(), round(float(times[rows].max()), 1))
        for rows in word_rows(pieces)
    ]
    found = [(word, often) for word, often in told if often > 0 and any(map(str.isalnum, word))]
    return sorted(found, key=lambda each: -each[1])[:STRONGEST]
