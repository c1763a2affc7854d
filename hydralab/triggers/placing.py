"""Placement: which fires become boundaries when spans have a shortest and a longest length."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Cuts", "place_all", "place_spans"]


class Cuts(NamedTuple):
    """Rows where new spans start, and the rows at which that was decided: int64 (cuts,) each."""

    rows: NDArray[np.int64]
    decided: NDArray[np.int64]


def place_all(fires: NDArray[np.bool_], *, known: int, delay: int) -> Cuts:
    """Return every fire as a boundary, but row 0.

    Parameters
    ----------
    fires
        Bool (n,).
    known
        Rows whose fires are decided: those below it.
    delay
        Rows after a boundary until it is decided, cut at the last row.

    >>> place_all(np.asarray([True, False, True]), known=3, delay=1).decided.tolist()
    [2]
    """
    rows = np.flatnonzero(fires[:known])
    rows = rows[rows > 0]
    return Cuts(rows, np.minimum(rows + delay, fires.size - 1))


def place_spans(
    fires: NDArray[np.bool_],
    scores: NDArray[np.float64],
    allowed: NDArray[np.bool_],
    *,
    min_turns: int,
    max_turns: int | None,
    known: int,
    delay: int,
) -> Cuts:
    """Return the boundaries that keep every span between the two lengths.

    From the start of a span: the first allowed fire at least `min_turns` on is a boundary. When
    `max_turns` rows have gone by without one, the span is full, and the best-scoring allowed row inside it
    (at least `min_turns` on, the latest of equals) is the boundary; without an allowed row inside, the
    next allowed row after it.

    Parameters
    ----------
    fires, scores, allowed
        Bool, float64 and bool (n,): where a span may start, how much speaks for it, where one may start
        at all.
    min_turns, max_turns
        The shortest and the longest span, in rows.
    known
        Rows whose fires and scores are decided: those below it. Nothing from there on is looked at, so
        a longer dialogue only adds boundaries.
    delay
        Rows after a boundary (after the last row of a full span) until it is decided.

    Notes
    -----
    A scan in O(boundaries·(log n + max_turns)).

    >>> fires = np.zeros(10, dtype=bool)
    >>> fires[[2, 3, 9]] = True
    >>> place_spans(
    ...     fires, np.arange(10) / 10, np.ones(10, dtype=bool), min_turns=3, max_turns=5, known=10, delay=0
    ... )
    Cuts(rows=array([3, 7]), decided=array([3, 7]))
    """
    last = fires.size - 1
    usable = allowed.copy()
    usable[known:] = False
    choices = np.flatnonzero(usable)
    merits = scores[choices]
    chosen = [] if max_turns is None else choices.tolist()
    fired = np.flatnonzero(fires & usable).tolist()
    rows: list[int] = []
    decided: list[int] = []
    start = 0
    while True:
        at = bisect_left(fired, start + min_turns)
        row = fired[at] if at < len(fired) else None
        full_at = None if max_turns is None else start + max_turns - 1
        if full_at is not None and full_at < known and (row is None or row > full_at):
            row = _best(chosen, merits, start + min_turns, full_at)
            moment = full_at if row is None or row <= full_at else row
        elif row is not None:
            moment = row
        if row is None:
            break
        rows.append(row)
        decided.append(min(moment + delay, last))
        start = row
    return Cuts(np.asarray(rows, dtype=np.int64), np.asarray(decided, dtype=np.int64))


def _best(choices: list[int], merits: NDArray[np.float64], first: int, full_at: int) -> int | None:
    """Return the best allowed row from `first` to `full_at`, or the next one after."""
    low, high = bisect_left(choices, first), bisect_left(choices, full_at + 1)
    if low < high:
        return choices[high - 1 - int(np.argmax(merits[low:high][::-1]))]
    return choices[high] if high < len(choices) else None
