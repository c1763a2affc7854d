"""The same items in other orders, to take distance out of a measure of attention."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["SHUFFLED", "orders"]

SHUFFLED = ("memory", "checkpoint", "recalled")
"""Sections whose items can stand in any order; a dialogue's turns can't."""


def orders(kept: pl.DataFrame, count: int, *, seed: int = 0) -> list[NDArray[np.int64]]:
    """Return several orders of the kept items in which each stands at many places of its section.

    The items of a section, shuffled once, are turned like a wheel, evenly through all its places; when
    `count` is a multiple of their number each item stands at each place equally often.

    Parameters
    ----------
    kept
        Rows of a context table.
    count
        How many orders.

    Returns
    -------
    list of int64 (items,)
        Row numbers of `kept`, in the order that they are to stand in.

    >>> frame = pl.DataFrame({"section": ["recalled", "recalled", "query"]})
    >>> sorted(order.tolist() for order in orders(frame, 2))
    [[0, 1, 2], [1, 0, 2]]
    """
    rng = np.random.default_rng(seed)
    found = [np.arange(kept.height) for _ in range(count)]
    for section in SHUFFLED:
        places = np.flatnonzero((kept["section"] == section).to_numpy())
        mixed = rng.permutation(places)
        for number, order in enumerate(found):
            turned = number if count >= len(places) else number * len(places) // count
            order[places] = np.roll(mixed, -turned)
    return found
