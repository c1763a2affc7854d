"""Drift: a turn that is far from the centroid of the open span starts a new one."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hydralab.errors import HydralabError
from hydralab.signals.priors import prior as expected_shift
from hydralab.triggers.decorating import step_trigger

__all__ = ["drift"]

LEAST = 20
"""Values that a rank is taken among at least; the first ones are completed by the prior."""


@dataclass
class OpenSpan:
    """What the steps carry: the sum of the open span's vectors, and the distances seen, in order of size."""

    total: NDArray[np.float64] | None = None
    seen: list[float] = field(default_factory=list)


@step_trigger(init=OpenSpan(), vectors=True)
def drift(
    state: OpenSpan,
    row: dict[str, Any],
    *,
    threshold: float = 0.8,
    scale: Literal["percentile", "raw"] = "percentile",
    prior: str = "use",
) -> tuple[OpenSpan, bool, float]:
    """Compare a turn with the mean of the open span; one too far away opens the next span.

    Causal, look-ahead 0: neither form sees beyond its turn.

    Parameters
    ----------
    state, row
        The open span, and the turn with its vector.
    threshold
        Above it a new span starts: a rank from 0 to 1, or a cosine distance from 0 to 2.
    scale
        "percentile": the distance's rank among the dialogue's earlier ones and, for the first 20, a
        prior. "raw": the distance itself, whose scale belongs to the encoder.
    prior
        Name of the encoder whose distances are expected.
    """
    highest = {"percentile": 1.0, "raw": 2.0}.get(scale)
    if highest is None or not 0 <= threshold <= highest:
        raise HydralabError(
            f"trigger 'drift': threshold {threshold} with scale {scale!r}; "
            "expected 0 to 1 with 'percentile', 0 to 2 with 'raw'"
        )
    vector = row["vector"].astype(np.float64)
    if not np.isfinite(vector).all() or not vector.any():
        return state, False, 0.0
    if state.total is None:
        state.total = vector
        return state, False, 0.0
    lengths = np.linalg.norm(vector) * np.linalg.norm(state.total)
    distance = round(float(1 - vector @ state.total / lengths), 5) if lengths else 0.0
    score = distance if scale == "raw" else _rank(distance, state.seen, prior)
    insort(state.seen, distance)
    fire = score > threshold
    state.total = vector if fire else state.total + vector
    return state, fire, min(max(score / highest, 0.0), 1.0)


def _rank(distance: float, seen: list[float], encoder: str) -> float:
    missing = max(0, LEAST - len(seen))
    quantiles = expected_shift(encoder, window=3, lag=0)
    places = (np.arange(missing) + 0.5) / max(missing, 1)
    steps = (np.arange(quantiles.size) + 0.5) / quantiles.size
    below = int((np.interp(places, steps, quantiles) < distance).sum())
    return (bisect_left(seen, distance) + below) / (len(seen) + missing)
