"""A table that grows along a dialogue, and how it stood at any moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.frames import KEYS, empty
from hydralab.index.growing_frame import GrowingArray

__all__ = ["NEVER", "GrowingTable", "current_facts", "known_from"]

NEVER = int(np.iinfo(np.int64).max)
MOST_CHUNKS = 8
"""A table that grew in more pieces than this is put in one: every later read goes through all pieces."""


class GrowingTable:
    """Rows with the moments from which and until which each is known.

    A row with the key of an earlier one is the same thing told anew, such as a checkpoint in a model's words:
    it takes the earlier one's place from the moment it is known. The earlier one stays what was known before.

    Parameters
    ----------
    name
        A table of `hydralab.frames.SCHEMAS`.

    >>> from hydralab.frames import build
    >>> table = GrowingTable("memories")
    >>> for moment, text in ((3, "May"), (8, "June")):
    ...     fact = {"memory_id": "m", "dialogue_id": "a", "kind": "fact", "text": text, "tokens": 1}
    ...     table.append(build("memories", [fact]), np.array([moment]))
    >>> [table.known_by(moment)["text"].to_list() for moment in (2, 3, 8)], table.latest["text"].to_list()
    ([[], ['May'], ['June']], ['June'])
    """

    def __init__(self, name: str) -> None:
        self._key = KEYS[name]
        self._rows = empty(name)
        self._from = GrowingArray((), np.int64)
        self._until = GrowingArray((), np.int64)
        self._versions: dict[tuple[object, ...], list[int]] = {}

    def append(self, frame: pl.DataFrame, known: NDArray[np.int64]) -> None:
        """Append valid rows.

        Parameters
        ----------
        known
            Int64 (n,): the moment from which each is known.
        """
        first = self._rows.height
        self._from.extend(known.copy())
        self._until.extend(np.full(len(known), NEVER))
        moments = known.tolist()
        for row, key in enumerate(frame.select(self._key).rows(), start=first):
            versions = self._versions.setdefault(key, [])
            end_versions(self._until.rows, versions, moments[row - first])
            versions.append(row)
        grown = pl.concat([self._rows, frame], how="vertical_relaxed")
        self._rows = grown.rechunk() if grown.n_chunks() > MOST_CHUNKS else grown

    def forget(self, keys: Sequence[tuple[object, ...]], moment: int) -> None:
        """Let the rows of some keys be known until a moment only."""
        for key in keys:
            end_versions(self._until.rows, self._versions.get(key, []), moment)

    def known_by(self, moment: int) -> pl.DataFrame:
        """Return the rows as they stood at a moment, in the order they came."""
        known = (self._from.rows <= moment) & (self._until.rows > moment)
        first = int(known.sum())
        # Rows mostly stand in the order they became known in: then it is a slice, and nothing is copied.
        return self._rows.head(first) if known[:first].all() else self._rows.filter(known)

    @property
    def latest(self) -> pl.DataFrame:
        """All rows, each as it was told last."""
        last = self._until.rows == NEVER
        return self._rows if last.all() else self._rows.filter(last)


def known_from(
    frame: pl.DataFrame, came: int, positions: Mapping[str, int] | None = None
) -> NDArray[np.int64]:
    """Return the moment from which each row is known, int64 (n,).

    A row is known at the turn at which it came, or later: once it is decided, and once the last turn that it
    comes from is past. What is not decided yet is never known.

    Parameters
    ----------
    came
        The position observed when it came.
    positions
        Turn id → position, for rows that name the turns they come from.

    >>> from hydralab.frames import build
    >>> rows = [{"dialogue_id": "a", "position": 4, "trigger": "cue", "score": 1.0, "decided_at": 6}]
    >>> known_from(build("boundaries", rows), 9), known_from(build("boundaries", rows), 4)
    (array([9]), array([6]))
    """
    if "decided_at" in frame.columns:
        moments = frame["decided_at"].fill_null(NEVER).to_numpy()
    elif positions is not None:
        moments = np.array(
            [
                max((positions[each] for each in sources or () if each in positions), default=came)
                for sources in frame["source_turn_ids"].to_list()
            ],
            dtype=np.int64,
        )
    else:
        moments = np.full(frame.height, came)
    return np.maximum(moments, came).astype(np.int64)


def current_facts(known: pl.DataFrame) -> pl.DataFrame:
    """Return facts with `superseded_by` only where that which takes their place is among them."""
    if known["superseded_by"].null_count() == known.height:
        return known
    replaced = pl.col("superseded_by").is_in(known["memory_id"].implode())
    return known.with_columns(pl.when(replaced).then("superseded_by").alias("superseded_by"))


def end_versions(until: NDArray[np.int64], versions: list[int], moment: int) -> None:
    """Let earlier versions of a row be known until a moment only; theirs never falls from first to last."""
    for row in reversed(versions):
        if until[row] <= moment:
            return
        until[row] = moment
