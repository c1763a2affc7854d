"""Recall along one dialogue that grows, under the settings of its strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from time import perf_counter

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.encoders import Encoder
from hydralab.frames import empty, validate
from hydralab.index import Index
from hydralab.packing import Recalled
from hydralab.recall import Recall, Recaller
from hydralab.replay.fact_origins import with_origins

__all__ = ["TimelineRecall"]


class TimelineRecall:
    """What a strategy recalls of one dialogue at any moment; without settings it recalls nothing.

    Parameters
    ----------
    turns, vectors
        The turns of one dialogue and a unit row for each.
    config
        How the strategy recalls; None when it recalls nothing, so that nothing is indexed.
    documents, document_vectors
        Passages that may be recalled from the start, and a unit row for each; made when None.
    index
        In the place of what the settings name.
    """

    def __init__(
        self,
        turns: pl.DataFrame,
        vectors: NDArray[np.float32],
        *,
        encoder: Encoder,
        config: Recall | None,
        documents: pl.DataFrame | None = None,
        document_vectors: NDArray[np.float32] | None = None,
        index: Index | None = None,
    ) -> None:
        self.milliseconds = 0.0
        """What was spent on finding since it was last set to 0."""
        self._documents = empty("documents") if documents is None else validate("documents", documents)
        self._recaller: Recaller | None = None
        if config is not None:
            self._recaller = Recaller(turns, vectors, encoder=encoder, config=config, index=index)
            self._recaller.add_documents(self._documents, document_vectors)

    @property
    def is_on(self) -> bool:
        """Whether anything is recalled."""
        return self._recaller is not None

    @property
    def events(self) -> pl.DataFrame:
        """What happened at encoding queries, checkpoints and facts."""
        return empty("events") if self._recaller is None else self._recaller.events

    def reconfigured(self, config: Recall) -> TimelineRecall:
        """Return the same under other settings; nothing is indexed again."""
        other = copy(self)
        if self._recaller is not None:
            other._recaller = self._recaller.reconfigured(config)
        return other

    def extend(self, turns: pl.DataFrame, vectors: NDArray[np.float32]) -> None:
        """Append the next turns."""
        if self._recaller is not None:
            self._recaller.extend(turns, vectors)

    def add(self, table: str, frame: pl.DataFrame, came: int) -> None:
        """Append checkpoints or memories that came at a turn; other tables are not recalled from."""
        if self._recaller is None:
            return
        if table == "checkpoints":
            self._recaller.add_checkpoints(frame, came=came)
        if table == "memories":
            self._recaller.add_memories(frame, came=came)

    def forget(self, item_ids: Sequence[str], came: int) -> None:
        """Find checkpoints or memories no more from a turn on."""
        if self._recaller is not None:
            self._recaller.forget(item_ids, now=came)

    def find(
        self,
        query: str,
        at: int,
        now: int,
        query_id: str,
        known: Mapping[str, pl.DataFrame],
        dialogue_id: str,
    ) -> Recalled:
        """Return what recall offers to a prompt.

        Parameters
        ----------
        at, now
            As for `Recaller.find`.
        known
            The checkpoints and memories as of that moment.
        """
        if self._recaller is None:
            return Recalled()
        started = perf_counter()
        recaller = self._recaller
        found = recaller.find(query, at=at, now=now, query_id=query_id)
        self.milliseconds += (perf_counter() - started) * 1e3

        def explain(item_ids: Sequence[str]) -> Mapping[str, str]:
            reasons = recaller.explain(query, found.frame, item_ids, at=at, now=now)
            return with_origins(reasons, known["memories"], dialogue_id, query)

        return Recalled(found, known["checkpoints"], known["memories"], explain, self._documents)
