"""Candidates for a query, as of any moment of one dialogue."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy
from functools import partial
from types import NoneType
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.cosine import unit_rows
from hydralab.encoders import Encoder, PairScorer, embed, get_encoder
from hydralab.errors import HydralabError, check_kind
from hydralab.frames import build, empty, event
from hydralab.index import Index
from hydralab.recall.blending import Blend
from hydralab.recall.candidate_blocks import Block, item_block, round_block, turn_block
from hydralab.recall.config import Recall
from hydralab.recall.decomposing import Decomposer
from hydralab.recall.explaining import explain_rows
from hydralab.recall.history import History
from hydralab.recall.items import Item, Items, checkpoint_items, document_items, memory_items
from hydralab.recall.query_reading import read_query
from hydralab.recall.ranking import rank
from hydralab.recall.reranking import get_reranker, second_scores
from hydralab.recall.results import RecallResult
from hydralab.recall.scoring import turn_columns

__all__ = ["Recaller"]


class Recaller:
    """Recall over one dialogue, living along a replay: turns, checkpoints and facts are added as they come.

    Whatever is asked at a position uses turns before it and checkpoints and facts known by then, and the
    statistics (lowest and highest cosine, rarity of words) of those alone, so the answer is the same
    whether the rest of the dialogue is there, absent or different.

    Parameters
    ----------
    turns
        The turns of one dialogue; more can be added by `extend`.
    vectors
        Float32 (n, d), a unit row a turn: of its `hydralab.texts.key_texts`, by which words find it too.
    encoder
        For queries, checkpoints and facts: the one the vectors came from.
    config
        Settings.
    index
        In the place of the one that the settings name; it may hold the turns already.

    >>> from hydralab.frames import build
    >>> texts = ["The budget is 84,500 euros.", "Fine.", "The cat sleeps."]
    >>> turns = build("turns", [
    ...     {"dialogue_id": "a", "turn_id": f"a:{i}", "position": i, "round": i, "role": "user", "text": text,
    ...      "tokens": 5} for i, text in enumerate(texts)
    ... ])
    >>> recaller = Recaller(turns, embed(texts).vectors)
    >>> found = recaller.candidates("How much money may we spend?", at=3)
    >>> found["item_id"][0], list(recaller.explain("What budget?", found.head(1)))
    ('a:0', ['a:0'])
    """

    def __init__(
        self,
        turns: pl.DataFrame,
        vectors: NDArray[np.float32],
        *,
        encoder: Encoder | str = "use",
        config: Recall | None = None,
        index: Index | None = None,
    ) -> None:
        check_kind("Recaller: turns", turns, pl.DataFrame, "a turns table")
        check_kind("Recaller: config", config, (Recall, NoneType), "an hl.Recall or None")
        self.config = Recall() if config is None else config
        self.encoder = get_encoder(encoder)
        self.events = empty("events")
        """What could not be encoded, and queries too long for the encoder to take at once."""
        self._history = History(self.encoder.dim, self.config.index, size=turns.height, opened=index)
        self._configure(self.config)
        self._checkpoints = Items(self.encoder.dim)
        self._memories = Items(self.encoder.dim)
        self._documents = Items(self.encoder.dim)
        self.extend(turns, vectors)

    def reconfigured(self, config: Recall) -> Recaller:
        """Return a recaller of the same turns, checkpoints and facts with other settings.

        Nothing is encoded again, and turns are indexed again only where the settings name another index.
        Otherwise what is added to one of the two is added to both, so that settings can be tried along a
        replay.

        >>> from hydralab.frames import empty
        >>> recaller = Recaller(empty("turns"), np.empty((0, 512), np.float32))
        >>> recaller.reconfigured(Recall(blend="dense")).config.blend
        'dense'
        """
        check_kind("Recaller: config", config, (Recall,), "an hl.Recall")
        other = copy(self)
        other._configure(config)
        if config.index != self.config.index:
            other._history = self._history.reindexed(config.index)
        return other

    def _configure(self, config: Recall) -> None:
        self.config = config
        self._blend = Blend(config.scored_by(in_parts=False))
        self._blend_in_parts = Blend(config.scored_by(in_parts=True))
        self._reranker = None if config.rerank is None else get_reranker(config.rerank)
        self._parts = Decomposer(config.decompose, asked="parts" in self._blend_in_parts.reads)

    def extend(self, turns: pl.DataFrame, vectors: NDArray[np.float32]) -> None:
        """Append turns of the same dialogue with their vectors."""
        if turns.height:
            self._history.extend(turns, vectors)

    def add_checkpoints(
        self, checkpoints: pl.DataFrame, *, came: int = 0, vectors: NDArray[np.float32] | None = None
    ) -> None:
        """Append rows of the checkpoints table; those that are not ready are left out.

        A row with the id of an earlier one takes its place from the moment it is known.

        Parameters
        ----------
        came
            The position of the turn at which they came: nothing asked before it sees them.
        vectors
            Float32 (n, d), a unit row a checkpoint: of its `hydralab.recall.items.checkpoint_text`; made when None.
        """
        ready = (checkpoints["status"] == "ready").to_numpy()
        items = checkpoint_items(checkpoints.filter(ready), self._history.turn_ids, came)
        self._add(self._checkpoints, items, None if vectors is None else vectors[ready])

    def add_memories(self, memories: pl.DataFrame, *, came: int = 0) -> None:
        """Append rows of the memories table; a fact is known once the last turn it comes from is past.

        Parameters
        ----------
        came
            The position of the turn at which they came: nothing asked before it sees them.
        """
        self._add(self._memories, memory_items(memories, self._history.row_of, came))

    def add_documents(self, documents: pl.DataFrame, vectors: NDArray[np.float32] | None = None) -> None:
        """Append rows of the documents table, known from the start.

        Parameters
        ----------
        vectors
            Float32 (n, d), a unit row a passage: of its `hydralab.recall.items.document_text`; made when None.
        """
        self._add(self._documents, document_items(documents), vectors)

    def forget(self, item_ids: Collection[str], *, now: int) -> None:
        """Find checkpoints or facts no more in what is asked at the turn `now` or later."""
        for item_id in item_ids:
            self._checkpoints.forget(item_id, now)
            self._memories.forget(item_id, now)

    def candidates(
        self,
        query: str,
        *,
        at: int | None = None,
        now: int | None = None,
        query_id: str = "query",
        exclude: Collection[str] = (),
        vector: NDArray[np.float32] | None = None,
    ) -> pl.DataFrame:
        """Return what bears on a query, best first: the table of what `find` returns.

        Returns
        -------
        DataFrame
            Candidates table with the columns of `SCORE_COLUMNS`. A turn whose text is the query is not
            among them.
        """
        found = self.find(query, at=at, now=now, query_id=query_id, exclude=exclude, vector=vector)
        return found.frame

    def find(
        self,
        query: str,
        *,
        at: int | None = None,
        now: int | None = None,
        query_id: str = "query",
        exclude: Collection[str] = (),
        vector: NDArray[np.float32] | None = None,
    ) -> RecallResult:
        """Return what bears on a query, best first, in plain columns.

        Parameters
        ----------
        query
            What is asked.
        at
            Only turns before this position are seen; all when None.
        now
            Checkpoints and facts are seen that were known at this turn; `at` when None, for a query that
            is itself a turn is known when it is asked. A query that is no turn has `now` = `at` − 1.
        query_id
            Goes into the table.
        exclude
            Ids of turns, checkpoints and facts that are not wanted.
        vector
            The query's vector when it is known already.

        Raises
        ------
        HydralabError
            When `at` is below 0 or past the turns.
        """
        stop = len(self._history) if at is None else at
        if not 0 <= stop <= len(self._history):
            raise HydralabError(f"recall: at is {stop}, expected 0 to {len(self._history)}")
        if stop == 0 and not len(self._memories) + len(self._documents):  # these may be known before any turn
            return RecallResult(query_id=query_id)
        moment = stop if now is None else min(now, stop)
        parts = self._parts(query)
        self._note(self._parts.events)
        return rank(
            self._blocks(query, stop, moment, exclude, vector),
            self._blend_in_parts if parts else self._blend,
            self.config,
            parts=[self._blocks(part, stop, moment, exclude) for part in parts],
            second=None if self._reranker is None else partial(self._rescore, query, self._reranker),
            query_id=query_id,
            dialogue_id=self._history.dialogue_id,
        )

    def explain(
        self,
        query: str,
        candidates: pl.DataFrame,
        item_ids: Sequence[str] | None = None,
        *,
        at: int | None = None,
        now: int | None = None,
    ) -> dict[str, str]:
        """Say of each candidate in a sentence why it is there, in the language of the query.

        Parameters
        ----------
        query
            What was asked.
        candidates
            What `candidates` returned.
        item_ids
            The candidates to explain; all when None.
        at, now
            As it was asked; all turns when None.

        Returns
        -------
        dict
            Item id → "names budget; neighbour of turn 3" or 「含有预算；与第3条相邻」.
        """
        items = {"checkpoint": self._checkpoints, "memory": self._memories, "document": self._documents}
        stop = len(self._history) if at is None else at
        return explain_rows(
            query,
            candidates,
            item_ids,
            self._history,
            items,
            stop,
            stop if now is None else now,
            self._history.walk(query, stop) if "graph" in self._blend.reads else None,
        )

    def _blocks(
        self,
        text: str,
        stop: int,
        moment: int,
        exclude: Collection[str],
        vector: NDArray[np.float32] | None = None,
    ) -> list[Block]:
        """Return what may be recalled for a text, a block a kind, turns first."""
        history = self._history
        if vector is None:
            vector = self._known_vector(text)
        if vector is None:
            vector = self._embed([text], "query")[0]
        asked = read_query(history, text, vector, stop, walks="graph" in self._blend.reads)
        turns = turn_columns(history, asked, stop, self.config.pool)
        blocks = [turn_block(history, turns, asked, exclude)]
        if self.config.rounds and stop:
            blocks.append(round_block(history, turns, exclude))
        if self.config.checkpoints and len(self._checkpoints):
            blocks.append(item_block("checkpoint", self._checkpoints, turns, asked, moment, exclude))
        if self.config.memories and len(self._memories):
            blocks.append(item_block("memory", self._memories, turns, asked, moment, exclude))
        if self.config.documents and len(self._documents):
            blocks.append(item_block("document", self._documents, turns, asked, moment, exclude))
        return blocks

    def _rescore(self, query: str, model: Encoder | PairScorer, texts: list[str]) -> NDArray[np.float32]:
        scores, events = second_scores(query, texts, model)
        self._note(events)
        return scores

    def _note(self, events: pl.DataFrame) -> None:
        if events.height:
            self.events = pl.concat([self.events, events])

    def _known_vector(self, query: str) -> NDArray[np.float32] | None:
        """Return the vector of a turn that says just this, where a query is encoded as a turn is."""
        return None if hasattr(self.encoder, "encode_queries") else self._history.vector_of(query)

    def _embed(self, texts: list[str], kind: Literal["passage", "query"]) -> NDArray[np.float32]:
        embedding = embed(texts, self.encoder, kind=kind)
        self._note(embedding.events)
        if kind == "query" and embedding.windows[0] > 1:
            detail = (
                f"{texts[0][:60]!r} was cut into {embedding.windows[0]} windows, whose vectors are averaged"
            )
            self._note(build("events", [event("recall", "ok", detail=detail)]))
        return embedding.vectors

    def _add(self, into: Items, items: list[Item], vectors: NDArray[np.float32] | None = None) -> None:
        if not items:
            return
        if vectors is None:
            vectors = self._embed([item.text for item in items], "passage")
        turns = self._history.vectors.rows
        sums = np.stack([turns[max(item.start, 0) : item.end + 1].sum(axis=0) for item in items])
        into.extend(items, vectors, np.asarray(unit_rows(sums)))
