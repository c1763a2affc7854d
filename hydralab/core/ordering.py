"""Rows in the order of the dialogue: what looks back in time takes a row for a moment."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hydralab.errors import HydralabError

__all__ = ["check_rising"]


def check_rising(positions: NDArray[np.integer], dialogue_id: str, *, after: int = -1) -> None:
    """Refuse turns of one dialogue that don't stand in order of position.

    Parameters
    ----------
    positions
        Int (n,), a position a row.
    dialogue_id
        As the sentence names it.
    after
        The position of the turn before the first row.

    Raises
    ------
    HydralabError
        Naming the first row that stands wrong.

    >>> check_rising(np.asarray([0, 2, 1]), "a")
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: turns: row 2 of 'a' has position 1 after 2, expected them in order of position
    """
    wrong = np.flatnonzero(~(np.diff(positions, prepend=after) > 0))
    if wrong.size:
        row = int(wrong[0])
        before = positions[row - 1] if row else after
        raise HydralabError(
            f"turns: row {row} of {dialogue_id!r} has position {positions[row]} after {before}, "
            "expected them in order of position"
        )
