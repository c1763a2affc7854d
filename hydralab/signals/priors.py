"""What raw shift to expect of an encoder before a dialogue has shown its own."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from hydralab.core.shift import cosine_shift

__all__ = ["measure_prior", "prior"]

QUANTILES = 20
"""Values kept of a distribution, evenly spaced in probability: (i + 0.5) / 20."""


def prior(encoder: str, window: int = 3, lag: int = 1) -> NDArray[np.float64]:
    """Return quantiles of the raw shift that an encoder gives.

    Parameters
    ----------
    encoder
        Name of an encoder. One without a shipped prior gets the flat one: even steps from 0 to 1.
    window, lag
        As in `ShiftRaw`; the shipped pair nearest to them is taken.

    Returns
    -------
    numpy.ndarray
        Float64, rising, shape (20,).

    Notes
    -----
    The shipped numbers were made by `measure_prior`; priors.json says from which dialogues. They are
    quantiles over gaps, not text, and no gold boundary was looked at.

    >>> prior("use").shape, prior("an encoder of mine")[:2].tolist()
    ((20,), [0.025, 0.075])
    """
    shipped = _shipped().get(encoder)
    if shipped is None:
        return (np.arange(QUANTILES) + 0.5) / QUANTILES
    nearest = min(shipped, key=lambda pair: (abs(pair[0] - window) + abs(pair[1] - lag), pair))
    return shipped[nearest]


def measure_prior(
    corpora: Iterable[Iterable[NDArray[np.float32]]], window: int = 3, lag: int = 1
) -> NDArray[np.float64]:
    """Return the quantiles of raw shift over the gaps of dialogues, each corpus weighing the same.

    Parameters
    ----------
    corpora
        Corpora of dialogues, each dialogue the float32 (n, d) unit rows of its turns.
    window, lag
        As in `ShiftRaw`.

    Returns
    -------
    numpy.ndarray
        Float64, rising, shape (20,).

    >>> rows = np.asarray([[1, 0], [0, 1], [1, 0]], dtype=np.float32)
    >>> measure_prior([[rows]], window=1, lag=0)[[0, -1]].tolist()
    [1.0, 1.0]
    """
    probabilities = (np.arange(QUANTILES) + 0.5) / QUANTILES
    levels = np.linspace(0, 1, 1001)
    curves = []
    for corpus in corpora:
        gaps = np.concatenate([np.asarray(cosine_shift(rows, window, lag))[1:] for rows in corpus])
        curves.append(np.quantile(gaps[~np.isnan(gaps)], levels))
    return np.quantile(np.concatenate(curves), probabilities)


@cache
def _shipped() -> dict[str, dict[tuple[int, int], NDArray[np.float64]]]:
    text = files("hydralab.signals").joinpath("priors.json").read_text(encoding="utf-8")
    encoders = json.loads(text)["encoders"]
    return {
        name: {(entry["window"], entry["lag"]): np.asarray(entry["quantiles"]) for entry in entries}
        for name, entries in encoders.items()
    }
