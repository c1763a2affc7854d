"""What segmenting without reading scores: nothing, everywhere, every N turns, at random.

A metric of segmentation means little by itself: predicting nothing has a Pk near .42 on DialSeg711.
So these stand beside every score.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from hydralab.metrics.windows import Gaps, as_gaps

__all__ = ["FLOORS", "every_n_gaps", "every_n_interval", "floor_rows", "random_gaps"]

FLOORS = ("none", "every", "every_n", "random")
"""No boundary, one on every gap, one every N turns, and random ones at the density of the gold."""


def every_n_interval(gold: ArrayLike) -> int:
    """Return N = round(turns / gold spans): the turns a span of the floor "every_n" has, at least 1.

    Parameters
    ----------
    gold
        Boolean array, shape (turns − 1,).

    >>> every_n_interval([False, False, True, False, False, False])
    4
    """
    truth = as_gaps(gold, "gold")
    return max(1, round((len(truth) + 1) / (int(truth.sum()) + 1)))


def every_n_gaps(turns: int, interval: int) -> Gaps:
    """Return bool (turns − 1,) with a boundary after every `interval` turns.

    >>> every_n_gaps(6, 2).tolist()
    [False, True, False, True, False]
    """
    return np.arange(1, max(turns, 1)) % interval == 0


def random_gaps(gold: ArrayLike, *, seeds: int = 20, salt: int = 0) -> Gaps:
    """Return random predictions: each gap is a boundary with the gold's share of boundaries.

    Parameters
    ----------
    gold
        Boolean array, shape (turns − 1,).
    seeds
        How many predictions; row i is drawn from the generator seeded with (i, salt).
    salt
        Any number from 0; another one a dialogue keeps dialogues from sharing their draws.

    Returns
    -------
    bool (seeds, turns − 1)

    >>> random_gaps([False] * 8, seeds=3).any()
    np.False_
    """
    truth = as_gaps(gold, "gold")
    share = truth.mean() if len(truth) else 0.0
    draws = [np.random.default_rng((seed, salt)).random(len(truth)) for seed in range(seeds)]
    return np.array(draws).reshape(seeds, len(truth)) < share


def floor_rows(gold: Gaps, *, seeds: int = 20, salt: int = 0) -> tuple[list[str], Gaps]:
    """Return the floors of one dialogue, a prediction a row, and the name of each row in `FLOORS`."""
    turns = len(gold) + 1
    fixed = [np.zeros_like(gold), np.ones_like(gold), every_n_gaps(turns, every_n_interval(gold))]
    rows = np.concatenate([np.array(fixed).reshape(3, len(gold)), random_gaps(gold, seeds=seeds, salt=salt)])
    return ["none", "every", "every_n", *["random"] * seeds], rows
