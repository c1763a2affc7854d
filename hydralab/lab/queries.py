"""What a lab's dialogues are asked: the tables of one as of a moment, and its replay."""

from __future__ import annotations

from numbers import Integral

import polars as pl

from hydralab.encoders.turn_vectors import MANY_TURNS
from hydralab.errors import HydralabError
from hydralab.lab.checkpointing import Checkpointing
from hydralab.lab.facts import facts_before, user_of
from hydralab.lab.resources import LabResources
from hydralab.lab.timelines import Timelines
from hydralab.packing import Context
from hydralab.replay import GrowingTable, Run, Timeline, run_replay
from hydralab.strategies import Hydration, Strategy, View

__all__ = ["DialogueQueries"]


class DialogueQueries:
    """Queries to the dialogues of a lab, each under a strategy or with the lab's own checkpoints."""

    def __init__(self, resources: LabResources, checkpointing: Checkpointing, timelines: Timelines) -> None:
        self._resources = resources
        self._checkpointing = checkpointing
        self._timelines = timelines

    def view(self, timeline: Timeline, query: str, at: int | None) -> View:
        """Return what a dialogue's tables hold before a position, at its end when None, for a query.

        What the turn at the position gave rise to is not among it, unless that turn is the query itself.

        Raises
        ------
        HydralabError
            The query is no text or a blank one, or `at` no position of the dialogue.
        """
        if not isinstance(query, str):
            raise HydralabError(f"query: got {type(query).__name__}, expected a text")
        if not query.strip():
            raise HydralabError(f"query: got {query!r}, expected a text that asks or says something")
        last = timeline.turns.height
        if at is not None and (isinstance(at, bool) or not isinstance(at, Integral) or not 0 <= at <= last):
            raise HydralabError(f"at is {at!r}, expected a position from 0 to {last}")
        if at is None or at == last:
            return timeline.view(last)
        is_asked = timeline.turns["text"][int(at)] == query
        return timeline.view(int(at), now=int(at) if is_asked else int(at) - 1)

    def context(
        self, name: str, strategy: Strategy | None, query: str, at: int | None, budget: int
    ) -> Context:
        """Return the prompt for a query."""
        timeline = self.timeline(name, strategy)
        return timeline.context(self.view(timeline, query, at), query, budget)

    def timeline(self, name: str, strategy: Strategy | None) -> Timeline:
        """Return a dialogue's tables under a strategy; without one, with the lab's own checkpoints."""
        placements = self._checkpointing.placements
        own = strategy is None and placements.of("checkpoints", name).height > 0
        chosen = Hydration() if strategy is None else strategy

        def make() -> Timeline:
            if own:
                return self.trial(name, chosen)
            timeline = self._new_timeline(name, chosen)
            for position in range(timeline.turns.height):
                timeline.observe(position)
            return timeline

        return self._timelines.get((name, chosen, own), make)

    def trial(self, name: str, strategy: Strategy) -> Timeline:
        """Return a dialogue's tables with the lab's own checkpoints under any strategy; made anew at each call."""
        placements = self._checkpointing.placements
        timeline = self._new_timeline(name, strategy)
        timeline.adopt({table: placements.of(table, name) for table in ("boundaries", "checkpoints")})
        return timeline

    def replay(self, name: str, strategy: Strategy | None, budget: int, *, progress: bool | None) -> Run:
        """Run a dialogue turn by turn and keep its rows; without a strategy, by the lab's own trigger and edits."""
        resources, placements = self._resources, self._checkpointing.placements
        turns, user = resources.turns(name), user_of(resources, name)
        documents, document_vectors = resources.documents.of(name, user)
        chosen = Hydration(placements.trigger(name)) if strategy is None else strategy
        run = run_replay(
            turns,
            resources.vectors(name),
            chosen,
            budget=budget,
            encoder=resources.encoder,
            tokenizer=resources.tokenizer,
            questions=resources.questions(name),
            gold=resources.gold(name),
            title=resources.title(name),
            signals=resources.signals(),
            edited=placements.edited(name) if strategy is None else None,
            memories=self._facts_before(name, chosen),
            user_id=user,
            documents=documents,
            document_vectors=document_vectors,
            progress=turns.height >= MANY_TURNS if progress is None else progress,
        )
        resources.journal.keep_run(run)
        return run

    def _new_timeline(self, name: str, strategy: Strategy) -> Timeline:
        """Return a dialogue's turns, documents and earlier facts, with nothing observed yet."""
        resources = self._resources
        user = user_of(resources, name)
        documents, document_vectors = resources.documents.of(name, user)
        turns, vectors = resources.turns(name), resources.vectors(name)
        return Timeline(
            turns,
            vectors,
            strategy,
            encoder=resources.encoder,
            tokenizer=resources.tokenizer,
            title=resources.title(name),
            signals=resources.signals(),
            memories=self._facts_before(name, strategy),
            user_id=user,
            documents=documents,
            document_vectors=document_vectors,
            index=resources.indexes.of(turns, vectors, strategy.recall_config),
        )

    def _facts_before(self, name: str, strategy: Strategy) -> pl.DataFrame:
        def noted(other: str) -> GrowingTable:
            return self._timelines.noted(other, strategy, lambda: self.timeline(other, strategy).noted)

        return facts_before(self._resources, name, strategy, noted)
