"""A finished replay: its rows, and any prompt of it made again as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.checkpoints import Span, extract_checkpoint
from hydralab.packing import Context
from hydralab.replay.misses import find_misses
from hydralab.replay.naming import hash_turns
from hydralab.replay.prompt_lookup import failed_prompts, question_asked, turn_asked
from hydralab.replay.saving import FORMAT, save_run
from hydralab.replay.timeline import Timeline
from hydralab.signals import compute_signals
from hydralab.strategies import Strategy

__all__ = ["Run"]


@dataclass(frozen=True, eq=False)
class Run:
    """One replay of one dialogue.

    Attributes
    ----------
    steps
        A row a prompt: tokens, items a section, evidence met, milliseconds a stage.
    events
        What failed, and what encoding had to note, such as queries that were cut into windows.
    turns, vectors, gold, questions
        The dialogue, as given.
    prompts
        Query id → prompt, of those that a chat model had a say in: asked again it might say something else.
    """

    run_id: str
    strategy: Strategy
    budget: int
    dialogue_id: str
    title: str
    turns: pl.DataFrame = field(repr=False)
    vectors: NDArray[np.float32] = field(repr=False)
    gold: pl.DataFrame = field(repr=False)
    questions: pl.DataFrame = field(repr=False)
    steps: pl.DataFrame = field(repr=False)
    events: pl.DataFrame = field(repr=False)
    timeline: Timeline = field(repr=False)
    prompts: Mapping[str, Context] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        failed = failed_prompts(self.events)
        told = f"{self.steps.height:,} prompts" + (f", {len(failed):,} failed" if failed else "")
        return f"Run({self.run_id!r}, {self.title or self.dialogue_id!r}, {told}, budget {self.budget:,})"

    @property
    def boundaries(self) -> pl.DataFrame:
        """The boundaries the strategy decided on."""
        return self.timeline.tables["boundaries"]

    @cached_property
    def checkpoints(self) -> pl.DataFrame:
        """The checkpoints the strategy made, each from its `decided_at` on, and the span that none tells of."""
        made = self.timeline.tables["checkpoints"]
        start, last = max(made["end"].to_list(), default=-1) + 1, self.turns.height - 1
        if start > last:
            return made
        opened = extract_checkpoint(self.turns, Span(start, last), tokenizer=self.timeline.tokenizer)
        return pl.concat([made, opened], how="vertical_relaxed")

    @cached_property
    def signals(self) -> pl.DataFrame:
        """The signals of the dialogue that its trigger could name, as they are when it is over."""
        return compute_signals(self.turns, self.vectors, self.timeline.signals)

    def step(self, position: int) -> Context:
        """Return the prompt of a turn exactly as it was.

        Parameters
        ----------
        position
            Of a user turn: the prompt that answers it. Of any other turn: the prompt it was
            written from, that of the last user turn before it.

        Raises
        ------
        HydralabError
            No such turn, or no user turn at or before it.
        """
        turn = turn_asked(self.turns, self.dialogue_id, position)
        if turn["turn_id"] in self.prompts:
            return self.prompts[turn["turn_id"]]
        view = self.timeline.view(turn["position"], query_id=turn["turn_id"])
        return self.timeline.context(view, turn["text"], self.budget)

    def ask(self, question_id: str) -> Context:
        """Return the prompt of a gold question, asked after its turn `asked_at`."""
        question = question_asked(self.questions, self.dialogue_id, question_id)
        if question_id in self.prompts:
            return self.prompts[question_id]
        view = self.timeline.view_after(question["asked_at"], query_id=question_id)
        return self.timeline.context(view, question["text"], self.budget)

    def misses(self, question_id: str | None = None) -> pl.DataFrame:
        """Return for each evidence turn of each question at which stage it was met or lost.

        Parameters
        ----------
        question_id
            Of one question; of all when None.

        Returns
        -------
        DataFrame
            question_id, turn_id, stage ("met", "outside the window", "not recalled", "not packed"),
            rank (of the best candidate that holds the turn, from 1), detail.

        Raises
        ------
        HydralabError
            No such question.
        """
        if question_id is not None:
            question_asked(self.questions, self.dialogue_id, question_id)
        wanted = self.questions if question_id is None else self.questions.filter(question_id=question_id)
        return find_misses(
            wanted,
            self.turns,
            failed=failed_prompts(self.events),
            ask=self.ask,
            recall=None if self.strategy.recall_config is None else self._recalled,
        )

    def save(self, folder: str | Path, *, prompts: int = 1_000) -> Path:
        """Write the run's tables and prompts as Parquet and a manifest as JSON; returns the folder.

        `hl.load_run` reads it. Of each prompt all that was sent is kept, and the best 40 items that were
        not; vectors are not kept.

        Parameters
        ----------
        folder
            Made where it isn't there; a run in it is overwritten.
        prompts
            The most prompts to keep: those of gold questions first, then those of the newest turns. One
            takes some milliseconds to be made again, and a few kilobytes.

        Raises
        ------
        HydralabError
            The folder can't be made or written to.
        """
        return save_run(self, folder, prompts)

    def manifest(self) -> dict[str, Any]:
        """Return what one needs to make the run again: settings, versions, a hash of the turns.

        `seed` is null: nothing in a replay is drawn at random.
        """
        return {
            "format": FORMAT,
            "run_id": self.run_id,
            "strategy": repr(self.strategy),
            "strategy_name": self.strategy.name,
            "budget": self.budget,
            "encoder": self.timeline.encoder_name,
            "tokenizer": self.timeline.tokenizer.name,
            "seed": None,
            "dialogue_id": self.dialogue_id,
            "title": self.title,
            "turns": self.turns.height,
            "turns_hash": hash_turns(self.turns),
            "versions": {name: version(name) for name in ("hydralab", "polars", "numpy")},
        }

    def _recalled(self, question_id: str) -> pl.DataFrame:
        question = question_asked(self.questions, self.dialogue_id, question_id)
        view = self.timeline.view_after(question["asked_at"], query_id=question_id)
        return view.recall(question["text"]).candidates
