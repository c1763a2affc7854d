"""The tables of one dialogue as they grow, turn by turn, under one strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.checkpoints import EDITABLE
from hydralab.encoders import Encoder
from hydralab.errors import HydralabError, unknown_name
from hydralab.frames import empty, validate
from hydralab.index import Index
from hydralab.index.growing_frame import GrowingFrame
from hydralab.packing import Context, Recalled, Transcript
from hydralab.replay.deciding import Deciding
from hydralab.replay.growing_table import GrowingTable, current_facts, known_from
from hydralab.replay.strategy_calls import do_job, make_context, observe_turn
from hydralab.replay.timeline_checks import check_positions, owned_facts
from hydralab.replay.timeline_recall import TimelineRecall
from hydralab.signals import Signal, default_signals
from hydralab.strategies import Job, Strategy, View, check_kind
from hydralab.texts import Tokenizer

__all__ = ["Timeline"]

GROWING = ("boundaries", "checkpoints", "memories")
BEFORE = -1
"""The moment before the first turn."""


class Timeline:
    """One dialogue under one strategy; `view` gives what the strategy may see at a moment.

    Turns are given whole and shown as slices. What the trigger decides is computed once with the
    values a running dialogue has, and shown from `decided_at` on; `hl.check_trigger` proves of a trigger that
    this is the same as running it again after every turn.

    Parameters
    ----------
    turns
        The turns of one dialogue.
    vectors
        Float32 (n, d), a unit row a turn.
    strategy
        Whose tables these are.
    signals
        Column → signal that triggers may name; the default signals when None.
    edited
        Checkpoints whose text was written by hand: each stands in the place of the one of the same span.
    memories
        Facts of the same user that were known before the dialogue began, from dialogues before it.
    user_id
        Whose dialogue it is.
    documents, document_vectors
        Passages of documents that may be recalled from the start, and a unit row for each; made when None.
    index
        Finds turns by vectors in the place of what the strategy's `Recall` names; it may hold them already.
    """

    def __init__(
        self,
        turns: pl.DataFrame,
        vectors: NDArray[np.float32],
        strategy: Strategy,
        *,
        encoder: Encoder,
        tokenizer: Tokenizer,
        title: str = "",
        signals: Mapping[str, Signal] | None = None,
        edited: pl.DataFrame | None = None,
        memories: pl.DataFrame | None = None,
        user_id: str | None = None,
        documents: pl.DataFrame | None = None,
        document_vectors: NDArray[np.float32] | None = None,
        index: Index | None = None,
    ) -> None:
        check_kind(strategy)
        check_positions(turns)
        self._turns = GrowingFrame(turns)
        self.strategy = strategy
        self.title = title
        self.dialogue_id = str(turns["dialogue_id"][0]) if turns.height else ""
        self._transcript = Transcript(turns)
        self._growing = {table: GrowingTable(table) for table in GROWING}
        self.events: list[dict[str, Any]] = []
        self.signals = default_signals(encoder.name) if signals is None else signals
        self._encoder = encoder
        self.tokenizer = tokenizer
        self._edited = empty("checkpoints") if edited is None else edited
        self._deciding = Deciding(turns, vectors, self.signals, encoder.name)
        self._position_of: dict[str, int] = {}
        self.user_id = user_id
        self.recall = TimelineRecall(
            turns,
            vectors,
            encoder=encoder,
            config=strategy.recall_config,
            documents=documents,
            document_vectors=document_vectors,
            index=index,
        )
        self._append("memories", owned_facts(memories, user_id), BEFORE)

    @property
    def turns(self) -> pl.DataFrame:
        """The turns so far."""
        return self._turns.frame

    def extend(self, turns: pl.DataFrame, vectors: NDArray[np.float32]) -> None:
        """Append the next turns with their vectors; what was known at any moment before stays as it was.

        Raises
        ------
        HydralabError
            They are of another dialogue, or don't follow the last one.
        """
        check_positions(turns, self.turns.height, self.dialogue_id or None)
        if not turns.height:
            return
        self.dialogue_id = str(turns["dialogue_id"][0])
        if self._position_of:
            self._position_of.update(turns.select("turn_id", "position").iter_rows())
        self._turns.extend(turns)
        self._transcript.extend(turns)
        self._deciding.extend(turns, vectors)
        self.recall.extend(turns, vectors)

    def observe(self, position: int, later: list[Job] | None = None) -> Mapping[str, pl.DataFrame]:
        """Show the strategy the turn at `position`, and append what it wants remembered.

        Parameters
        ----------
        later
            A list that takes the work for a model, for `take` to append what comes of it; when None, it is done
            at once.

        Returns
        -------
        dict
            Table → rows that were appended.
        """
        observation = observe_turn(self.strategy, self.view(position + 1, now=position), position)
        appended = dict(self.take(observation.rows, position))
        if later is not None:
            later += observation.jobs
            return appended
        for job in observation.jobs:
            rows, events = do_job(job, self.strategy, self.dialogue_id, self.turns["turn_id"][position])
            self.events += events
            for table, frame in self.take(rows, position).items():
                appended[table] = pl.concat([appended[table], frame]) if table in appended else frame
        return appended

    def work_of(self, position: int) -> Sequence[Job]:
        """Return the work for a model that a turn observed before gives rise to: to do it again, where it was lost."""
        view = self.view(position + 1, now=position)
        before = self._growing["boundaries"].known_by(position - 1)
        return observe_turn(self.strategy, replace(view, boundaries=before), position).jobs

    def take(self, rows: Mapping[str, pl.DataFrame], came: int) -> Mapping[str, pl.DataFrame]:
        """Append rows that a strategy wants remembered, or that its work for a model came to.

        Parameters
        ----------
        rows
            Table → rows; a row with the key of an earlier one takes its place. Events are kept in `events`.
        came
            The position of the newest turn at that time: nothing asked before it sees them.
        """
        appended: dict[str, pl.DataFrame] = {}
        for table, frame in rows.items():
            if table == "events":  # what happened at a job, such as a call that failed
                self.events += validate(table, frame).to_dicts()
                continue
            if table not in GROWING:
                raise unknown_name(f"table that {self.strategy.name!r} observes into", table, GROWING)
            frame = validate(table, frame)
            if table == "checkpoints" and self._edited.height:
                written = self._edited.select("start", "end", *EDITABLE, "tokens")
                frame = frame.update(written, on=("start", "end"), include_nulls=True)
            self._append(table, frame, came)
            appended[table] = frame
        return appended

    def context(self, view: View, query: str, budget: int) -> Context:
        """Return the strategy's prompt for a query; what it raises is told with its name and the place."""
        return make_context(self.strategy, view, query, budget)

    def view(
        self,
        at: int,
        *,
        now: int | None = None,
        query_id: str = "query",
        explain: bool = True,
        pinned: tuple[str, ...] = (),
    ) -> View:
        """Return what is known at a moment.

        Parameters
        ----------
        at
            Turns before this position are shown.
        now
            Rows decided at or before this position are shown; `at` when None, for the query itself
            is known when its prompt is made.
        explain
            Whether prompts say why each item is there when somebody looks.
        pinned
            Ids of items that are to be in every prompt as long as they fit.
        """
        moment = at if now is None else now
        known = {table: grown.known_by(moment) for table, grown in self._growing.items()}
        known["memories"] = current_facts(known["memories"])

        def recall(query: str) -> Recalled:
            found = self.recall.find(query, at, moment, query_id, known, self.dialogue_id)
            return found if explain else replace(found, explain=None)

        return View(
            dialogue_id=self.dialogue_id,
            title=self.title,
            at=at,
            turns=self.turns.head(at),
            excerpt=self._transcript.before(at),
            boundaries=known["boundaries"],
            checkpoints=known["checkpoints"],
            memories=known["memories"],
            tokenizer=self.tokenizer,
            recall=recall,
            decide=lambda trigger: self._deciding.by(trigger, moment),
            query_id=query_id,
            user_id=self.user_id,
            pinned=pinned,
        )

    def view_after(self, asked_at: int | None, *, query_id: str = "query", explain: bool = True) -> View:
        """Return what is known right after a turn, to a question that is no turn itself.

        Parameters
        ----------
        asked_at
            The turn; the last one when None or past the end.
        """
        last = self.last_asked(asked_at)
        return self.view(last + 1, now=last, query_id=query_id, explain=explain)

    def last_asked(self, asked_at: int | None) -> int:
        """Return the turn after which a question is asked: the last one when None or past the end."""
        last = self.turns.height - 1
        return last if asked_at is None else min(asked_at, last)

    def recalling(self, strategy: Strategy) -> Timeline:
        """Return the same tables under a strategy that differs in how it recalls; nothing is indexed again.

        Rows of either are not to be added to afterwards.

        Raises
        ------
        HydralabError
            The strategy doesn't recall, or that of these tables doesn't.
        """
        check_kind(strategy)
        config = strategy.recall_config
        if not self.recall.is_on or config is None:
            raise HydralabError(
                f"strategy {self.strategy.name!r} and {strategy.name!r}: expected two that recall"
            )
        other = copy(self)
        other.strategy = strategy
        other.recall = self.recall.reconfigured(config)
        return other

    @property
    def tables(self) -> Mapping[str, pl.DataFrame]:
        """Boundaries, checkpoints and memories (also those known before), each row as it was told last."""
        return {table: grown.latest for table, grown in self._growing.items()}

    @property
    def noted(self) -> GrowingTable:
        """The memories table at any moment: facts known before the dialogue, and those noted in it."""
        return self._growing["memories"]

    @property
    def encoder_name(self) -> str:
        """The name of the encoder."""
        return self._encoder.name

    @property
    def recall_events(self) -> pl.DataFrame:
        """What happened at encoding queries, checkpoints and facts."""
        return self.recall.events

    def adopt(self, tables: Mapping[str, pl.DataFrame]) -> None:
        """Take over rows that were placed elsewhere, such as checkpoints edited by hand."""
        for table, frame in tables.items():
            self._append(table, frame, 0)

    def hold(self) -> None:
        """Let the boundaries that are known stand; what the strategy decides counts behind the last of them."""
        self._deciding.hold(self.tables["boundaries"])

    def forget(self, table: str, item_ids: Sequence[str], came: int) -> None:
        """Let checkpoints or memories be known no more from a moment on."""
        self._growing[table].forget([(item_id,) for item_id in item_ids], came)
        self.recall.forget(item_ids, came)

    def _append(self, table: str, frame: pl.DataFrame, came: int) -> None:
        if not frame.height:
            return
        positions = self._positions() if table == "memories" else None
        self._growing[table].append(frame, known_from(frame, came, positions))
        self.recall.add(table, frame, came)

    def _positions(self) -> Mapping[str, int]:
        """Return turn id → position, made when a strategy first remembers something."""
        if not self._position_of:
            self._position_of = {name: at for at, name in enumerate(self.turns["turn_id"].to_list())}
        return self._position_of
