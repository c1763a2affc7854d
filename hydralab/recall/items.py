"""Checkpoints and remembered facts: texts that stand for turns, known from some moment on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.index import Lexical
from hydralab.index.growing_frame import GrowingArray

__all__ = [
    "Item",
    "Items",
    "checkpoint_items",
    "checkpoint_text",
    "document_items",
    "document_text",
    "memory_items",
]

NEVER = int(np.iinfo(np.int64).max)


@dataclass(frozen=True)
class Item:
    """A text and what it stands for.

    Attributes
    ----------
    start, end
        First and last turn, inclusive; −1 when it stands for none of this dialogue.
    known_from
        The position of the turn that was the last one needed to know it.
    sources
        Ids of the turns it comes from.
    replaced_by
        Id of the item that takes its place once that one is known.
    """

    item_id: str
    text: str
    start: int
    end: int
    known_from: int
    sources: tuple[str, ...] = ()
    tokens: int | None = None
    replaced_by: str | None = None


class Items:
    """Items with their vectors and words, growing at the end.

    A later item of the same id takes the place of the earlier one from the moment it is known; what was asked
    before that still finds the earlier one.

    Parameters
    ----------
    dim
        Columns of the vectors.
    """

    def __init__(self, dim: int) -> None:
        self.lexical = Lexical()
        self.items: list[Item] = []
        self._versions: dict[str, list[int]] = {}
        self._replaced_by: dict[str, list[int]] = {}
        self._vectors = GrowingArray((dim,), np.float32)
        self._centroids = GrowingArray((dim,), np.float32)
        self._spans = GrowingArray((2,), np.int64)
        self._known_from = GrowingArray((), np.int64)
        self._known_until = GrowingArray((), np.int64)

    def __len__(self) -> int:
        return len(self.items)

    def extend(
        self, items: Sequence[Item], vectors: NDArray[np.float32], centroids: NDArray[np.float32]
    ) -> None:
        """Append items.

        Parameters
        ----------
        vectors, centroids
            Unit rows, shape (n, dim): of the texts, and of the turns they stand for.
        """
        first = len(self.items)
        self._spans.extend([(item.start, item.end) for item in items])
        self._known_from.extend([item.known_from for item in items])
        self._known_until.extend(np.full(len(items), NEVER))
        for row, item in enumerate(items, start=first):
            self._take_place(row, item)
        self.items.extend(items)
        self.lexical.add([item.text for item in items])
        self._vectors.extend(vectors)
        self._centroids.extend(centroids)

    def visible(self, at: int, now: int) -> NDArray[np.int64]:
        """Return the rows that stand for turns before `at` and were known at the turn `now`.

        Without those replaced by then.
        """
        known = (self._known_from.rows <= now) & (self._known_until.rows > now)
        return np.flatnonzero(known & (self._spans.rows[:, 1] < at))

    def rows_of(self, item_id: str, now: int | None = None) -> list[int]:
        """Return the row of an item as it was known at the turn `now`, in a list; an empty one for none."""
        rows = self._versions.get(item_id, [])
        known = self._known_from.rows
        return [row for row in rows if now is None or known[row] <= now][-1:]

    def forget(self, item_id: str, now: int) -> None:
        """Let an item be known until the turn `now` only."""
        rows = self._versions.get(item_id, [])
        self._known_until.rows[rows] = np.minimum(self._known_until.rows[rows], now)

    def _take_place(self, row: int, item: Item) -> None:
        """Note until when an item is known, and those that it takes the place of."""
        known_from, until = self._known_from.rows, self._known_until.rows
        versions = self._versions.setdefault(item.item_id, [])
        for earlier in reversed(versions):
            # From the first version to the last the moments never fall, so the others are no later.
            if until[earlier] <= item.known_from:
                break
            until[earlier] = item.known_from
        versions.append(row)
        outdated = self._replaced_by.get(item.item_id, [])
        until[outdated] = np.minimum(until[outdated], item.known_from)
        if item.replaced_by is not None:
            self._replaced_by.setdefault(item.replaced_by, []).append(row)
            successors = self._versions.get(item.replaced_by, [])
            until[row] = known_from[successors].min(initial=NEVER)

    @property
    def vectors(self) -> NDArray[np.float32]:
        """Float32 (n, dim): of the texts."""
        return self._vectors.rows

    @property
    def centroids(self) -> NDArray[np.float32]:
        """Float32 (n, dim): of the turns."""
        return self._centroids.rows

    @property
    def spans(self) -> NDArray[np.int64]:
        """Int64 (n, 2): first and last turn."""
        return self._spans.rows


def checkpoint_items(checkpoints: pl.DataFrame, turn_ids: Sequence[str], came: int = 0) -> list[Item]:
    """Return checkpoints as items; they are known once they came, decided and ready.

    Parameters
    ----------
    checkpoints
        Checkpoints table.
    turn_ids
        Of the dialogue's turns, by position.
    came
        The position of the turn at which they came.
    """
    return [
        Item(
            item_id=row["checkpoint_id"],
            text=checkpoint_text(row),
            start=row["start"],
            end=row["end"],
            known_from=max(came, row["end"], row["decided_at"] or 0, row["ready_at"] or 0),
            sources=tuple(turn_ids[row["start"] : row["end"] + 1]),
            tokens=row["tokens"],
        )
        for row in checkpoints.iter_rows(named=True)
    ]


def checkpoint_text(row: Mapping[str, Any]) -> str:
    r"""Return the text by which a checkpoint is found, given its row of the table.

    >>> checkpoint_text({"title": "预算", "summary": "四十万元。", "keywords": ["预算", "launch"]})
    '预算\n四十万元。\n预算 launch'
    """
    return "\n".join([row["title"] or "", row["summary"] or "", " ".join(row["keywords"] or ())]).strip()


def memory_items(memories: pl.DataFrame, position_of: Mapping[str, int], came: int = 0) -> list[Item]:
    """Return remembered facts as items; one is known once it came and the last turn it comes from is past.

    Parameters
    ----------
    memories
        Memories table.
    position_of
        Id of a turn of the dialogue → its position.
    came
        The position of the turn at which they came.
    """
    items = []
    for row in memories.iter_rows(named=True):
        sources = sorted(position_of[each] for each in row["source_turn_ids"] or () if each in position_of)
        items.append(
            Item(
                item_id=row["memory_id"],
                text=row["text"],
                start=sources[0] if sources else -1,
                end=sources[-1] if sources else -1,
                known_from=max([came, *sources[-1:]]),
                sources=tuple(row["source_turn_ids"] or ()),
                tokens=row["tokens"],
                replaced_by=row["superseded_by"],
            )
        )
    return items


def document_items(documents: pl.DataFrame) -> list[Item]:
    """Return passages of documents as items, known from the start; their title and heading are found by, too."""
    return [
        Item(
            item_id=row["passage_id"],
            text=document_text(row["title"], row["heading"], row["text"]),
            start=-1,
            end=-1,
            known_from=-1,
            tokens=row["tokens"],
        )
        for row in documents.iter_rows(named=True)
    ]


def document_text(title: str | None, heading: str | None, text: str) -> str:
    """Return what a passage is found by: what it says under its title and heading."""
    return "\n".join(each for each in (title, heading, text) if each)
