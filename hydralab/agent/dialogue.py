"""One dialogue that grows while it is had: its timeline, and what a store holds of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import polars as pl

from hydralab.agent.current_rows import current_rows
from hydralab.agent.manual_checkpoints import close_by_hand
from hydralab.agent.manual_edits import ManualEdits
from hydralab.agent.pending_work import PendingWork, Task
from hydralab.agent.prompted_message import PromptedMessage
from hydralab.agent.stored_dialogue import StoredDialogue
from hydralab.agent.turn_encoding import encode_turn, vector_rows
from hydralab.core.threads import one_thread
from hydralab.encoders import Encoder
from hydralab.encoders.vector_caches import forget_texts
from hydralab.errors import HydralabError
from hydralab.frames import build, event
from hydralab.recall.history import told_texts
from hydralab.replay import Timeline
from hydralab.schemas import KEYS
from hydralab.stores.tombstones import forgotten_behind
from hydralab.strategies import Job
from hydralab.texts import key_texts

__all__ = ["Changed", "LiveDialogue"]

Tables = Mapping[str, pl.DataFrame]

Changed = Callable[[Tables], None]
"""Is told what has been stored."""

TABLES = ("checkpoints", "memories")
"""Where items are that one can pin, edit and forget."""


class LiveDialogue:
    """A dialogue under one strategy, growing turn by turn exactly as a replay of it would show it.

    A turn is stored when it is added. What follows from it (its vector, boundaries, checkpoints, facts) is worked
    out when the dialogue is settled, which whoever comes first does: the background, or the next message. Its
    owner sees to it that only one thread uses it at a time.

    Parameters
    ----------
    timeline
        Of the turns so far.
    kept
        The dialogue in its store.
    encoder
        Makes the vectors.
    edits
        What a person pinned, edited and forgot.
    changed
        Is told what has been stored.
    forgotten
        How many tombstones the store had before anything was read.
    """

    def __init__(
        self,
        timeline: Timeline,
        kept: StoredDialogue,
        encoder: Encoder,
        *,
        edits: ManualEdits,
        changed: Changed,
        forgotten: int,
    ) -> None:
        self.timeline = timeline
        self.kept = kept
        self.edits = edits
        self._encoder = encoder
        self._changed = changed
        self._unsettled: list[pl.DataFrame] = []
        self._unwritten: list[tuple[Tables, str | None]] = []
        """Tables, with the model of their vectors, that the next write takes along."""
        last = max(timeline.turns.height - 2, -1)
        self._to_do = PendingWork(kept.recalled("observed", last), kept.recalled("undone", []))
        self._ids = set(timeline.turns["turn_id"])
        self._recall_told = 0
        self._forgotten = forgotten

    @property
    def turns(self) -> pl.DataFrame:
        """All turns."""
        return pl.concat([self.timeline.turns, *self._unsettled], rechunk=False)

    @property
    def turn_ids(self) -> set[str]:
        """Ids that are taken."""
        return self._ids

    @property
    def last_turns(self) -> pl.DataFrame:
        """The last turns: the newest, and one of the user's where there is one."""
        newest = pl.concat([self.timeline.turns.tail(2), *self._unsettled])
        if (newest["role"] == "user").any():
            return newest
        return self.turns

    def has_forgotten(self) -> bool:
        """Whether something was taken out of the store since that was read into here."""
        new = forgotten_behind(self.kept.store, after=self._forgotten)
        if not new.height:
            return False
        known = [*self._ids, *self.timeline.tables["memories"]["memory_id"]]
        items = pl.col("kind").is_in(["turn", "memory"]) & pl.col("name").is_in(known)
        user = (pl.col("kind") == "user") & (pl.col("name") == pl.lit(self.timeline.user_id, pl.String))
        concerns = new.filter(items | user.fill_null(False)).height > 0
        if not concerns:
            self._forgotten += new.height
        return concerns

    def renew(self, opened: LiveDialogue) -> list[Task]:
        """Go on with what the store holds now, as `opened` has read it, and return the work for a model.

        Vectors of texts that are there no more are dropped from the caches of encoders. Work that is under way is of
        turns as they were, and comes to nothing; it is among the work that is returned.
        """
        before = _read_of(self.turns)
        self.timeline, self.kept, self.edits = opened.timeline, opened.kept, opened.edits
        self._unsettled, self._unwritten = [], []
        self._to_do, self._ids = opened._to_do, opened._ids
        self._recall_told, self._forgotten = 0, opened._forgotten
        forget_texts(sorted(before - _read_of(self.turns)))
        return self.take_up()

    def add(self, *turns: pl.DataFrame, others: Tables | None = None) -> None:
        """Store turns, one row each, with rows of other tables; all is durable when this returns."""
        tables = {**(others or {}), "turns": pl.concat(turns)}
        self._put(tables)
        self._unsettled += turns
        self._ids |= set(tables["turns"]["turn_id"])

    def settle(self) -> list[Task]:
        """Work out what follows from the turns added, store it, and return the work for a model.

        What follows from a user's turn that is no work for a model is stored with the next write, as a reply is
        waited for; where the process ends before, it is worked out again.
        """
        tasks: list[Task] = []
        with one_thread():
            while self._unsettled:
                turn = self._unsettled[0]
                vectors, events = encode_turn(turn, self._encoder)
                if events:
                    self.note(events)
                self.timeline.extend(turn, vectors)
                del self._unsettled[0]
                tasks += self._observe(
                    int(turn["position"].item()), vector_rows(turn, vectors, self._encoder)
                )
        return tasks

    def take_up(self) -> list[Task]:
        """Return the work for a model that failed, was put aside, or was lost with the process.

        Turns that were stored and not observed are so now; of a dialogue that was had elsewhere the last one alone.
        """
        lost, timeline = self._to_do.take_lost(), self.timeline
        tasks = [task for position in lost for task in self._to_do.add(position, timeline.work_of(position))]
        failed = self._to_do.take_failed()
        unseen = range(self._to_do.observed + 1, timeline.turns.height)
        return [*failed, *tasks, *(task for position in unseen for task in self._observe(position, {}))]

    def ask(self, turn: pl.DataFrame, query: str, budget: int, *, missing: str = "") -> PromptedMessage:
        """Return the prompt of a user's turn that is settled.

        Parameters
        ----------
        missing
            What is to be recalled beside what the query asks for.
        """
        position, started = int(turn["position"].item()), perf_counter()
        self.timeline.recall.milliseconds = 0.0
        view = self.timeline.view(
            position,
            now=self.timeline.turns.height - 1,
            query_id=str(turn["turn_id"].item()),
            pinned=tuple(self.edits.pinned),
        )
        if missing:
            recall = view.recall
            view = replace(view, recall=lambda asked: recall(f"{asked}\n{missing}"))
        with one_thread():
            context = self.timeline.context(view, query, budget)
        spent, recalled = (perf_counter() - started) * 1e3, self.timeline.recall.milliseconds
        times = {"observe": 0.0, "recall": recalled, "pack": spent - recalled, "total": spent}
        events = self.timeline.recall_events
        fresh, self._recall_told = events.slice(self._recall_told), events.height
        return PromptedMessage(turn, query, context, times, [*context.events, *fresh.to_dicts()])

    def take(self, task: Task, rows: Tables) -> bool:
        """Take what work for a model came to; tell whether all of it was done.

        Rows of what was forgotten are dropped, and those that later work has told anew; what was written by hand
        stays. Where the dialogue is no more in the store, nothing is taken.
        """
        if not self.kept.is_there:
            return True
        known = {
            name: current_rows(task, name, frame, self.timeline, self._to_do, self.edits)
            for name, frame in rows.items()
            if name in TABLES
        }
        failed = "checkpoints" in rows and (rows["checkpoints"]["status"] == "failed").any()
        told = {name: frame for name, frame in {**rows, **known}.items() if frame.height}
        last = self.timeline.turns.height - 1
        stored = dict(self.timeline.take(told, last))
        if "events" in told:
            failed = failed or bool((told["events"]["status"] == "failed").any())
            stored["events"] = told["events"]
        for table, frame in known.items():
            self._to_do.told(task, table, frame[KEYS[table][0]])
        self._to_do.done(task, failed=failed)
        self._put(stored, settings=self._to_do.settings())
        return not failed

    def fail(self, task: Task, why: str) -> None:
        """Note that work for a model came to nothing; it can be taken up again."""
        self._to_do.done(task, failed=True)
        turn_id = self.timeline.turns["turn_id"][task.position]
        row = event("observe", "failed", detail=why, dialogue_id=self.kept.dialogue_id, item_id=turn_id)
        if self.kept.is_there:
            self.note([row], settings=self._to_do.settings())

    def keep(self, tables: Tables) -> None:
        """Store rows that nothing follows from."""
        self._put(tables)

    def note(self, rows: Sequence[Mapping[str, Any]], settings: Mapping[str, Any] | None = None) -> None:
        """Store events."""
        self._put({"events": build("events", rows)}, settings=settings)

    def mark(self, title: str) -> pl.DataFrame:
        """Close the open span by hand; returns its checkpoint."""
        rows = close_by_hand(self.timeline, title)
        self.timeline.take(rows, self.timeline.turns.height - 1)
        self.timeline.hold()
        self.edits.edited |= set(rows["checkpoints"]["checkpoint_id"])
        self._put(rows, settings=self.edits.settings())
        return rows["checkpoints"]

    def pin(self, item_id: str, *, pinned: bool) -> None:
        """Have an item in every following prompt as long as it fits, or no more."""
        self._find(item_id)
        names = [name for name in self.edits.pinned if name != item_id]
        self.edits.pinned = [*names, item_id] if pinned else names
        self._put({}, settings=self.edits.settings())

    def edit(self, item_id: str, text: str) -> None:
        """Write the summary of a checkpoint, or the text of a fact, by hand."""
        table, row = self._find(item_id)
        changed = self.edits.rewritten(table, row, text, self.timeline.tokenizer)
        self.edits.edited |= {item_id}
        self.timeline.take({table: changed}, self.timeline.turns.height - 1)
        self._put({table: changed}, settings=self.edits.settings())

    def forget(self, item_id: str) -> None:
        """Drop a checkpoint or a fact for good; its turns stay."""
        table, row = self._find(item_id)
        self._put({})
        self.edits.forget(table, row, self.timeline.turns.height - 1)
        self.timeline.forget(table, [item_id], self.timeline.turns.height - 1)
        self.kept.remove(table, [item_id], settings=self.edits.settings())
        self._changed({table: row.clear()})

    def _observe(self, position: int, tables: Tables) -> list[Task]:
        """Show the strategy a turn, store what it wants remembered, and return the work for a model."""
        jobs: list[Job] = []
        appended = dict(self.timeline.observe(position, later=jobs))
        forgotten = {
            name: self.edits.forgotten_in(name, frame, self.timeline.turns)
            for name, frame in appended.items()
        }
        for table, names in forgotten.items():
            if names:
                self.timeline.forget(table, names, self.timeline.turns.height - 1)
                appended[table] = appended[table].filter(~pl.col(KEYS[table][0]).is_in(names))
        tasks = self._to_do.add(position, jobs)
        stored = {**tables, **appended}
        model = getattr(self._encoder, "cache_key", None)
        self._to_do.observed = max(self._to_do.observed, position)
        if self.timeline.turns["role"][position] == "user" and not tasks:
            self._unwritten += [(stored, model)] if stored else []
        else:
            self._put(stored, settings=self._to_do.settings(), model=model)
        return tasks

    def _put(
        self, tables: Tables, *, settings: Mapping[str, Any] | None = None, model: str | None = None
    ) -> None:
        """Write what was left to this write, and tables; then tell what was stored."""
        written = [*self._unwritten, (tables, model)]
        with self.kept.store.transaction():
            for each, of in written[:-1]:
                self.kept.put(each, model=of)
            self.kept.put(tables, settings=settings, model=model)
        self._unwritten.clear()
        for each, _ in written:
            if each:
                self._changed(each)

    def _find(self, item_id: str) -> tuple[str, pl.DataFrame]:
        for table in TABLES:
            row = self.timeline.tables[table].filter(pl.col(KEYS[table][0]) == item_id)
            if row.height:
                return table, row
        raise HydralabError(
            f"{item_id!r} is no checkpoint and no memory of {self.kept.dialogue_id!r}; "
            "expected an id of agent.checkpoints or agent.memories"
        )


def _read_of(turns: pl.DataFrame) -> set[str]:
    """Return every text of turns that encoders may have read."""
    return {*key_texts(turns), *told_texts(turns)}
