"""A finished replay: its rows, and any prompt of it made again as it was."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.checkpoints import extract_checkpoints
from hydralab.errors import HydralabError, known_names
from hydralab.packing import Context
from hydralab.replay.misses import find_misses
from hydralab.replay.timeline import Timeline
from hydralab.signals import compute_signals
from hydralab.strategies import Strategy

__all__ = ["Run"]


@dataclass(frozen=True)
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

    @property
    def boundaries(self) -> pl.DataFrame:
        """The boundaries the strategy decided on."""
        return self.timeline.tables["boundaries"]

    @cached_property
    def checkpoints(self) -> pl.DataFrame:
        """The checkpoints the strategy made, each there from its `decided_at` on, and the span still open."""
        made = self.timeline.tables["checkpoints"]
        if not made.height:
            return made
        spans = extract_checkpoints(self.turns, self.boundaries)
        return pl.concat([made, spans.filter(pl.col("status") == "open")])

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
        if not isinstance(position, Integral) or not 0 <= position < self.turns.height:
            raise HydralabError(
                f"no turn {position!r} in {self.dialogue_id!r}; expected 0 to {self.turns.height - 1}"
            )
        asked = self.turns.head(position + 1).filter(
            (pl.col("role") == "user") & (pl.col("text").str.strip_chars() != "")
        )
        if not asked.height:
            raise HydralabError(
                f"no user turn at or before turn {position} of {self.dialogue_id!r}, so no prompt was made"
            )
        turn = asked.row(-1, named=True)
        view = self.timeline.view(turn["position"], query_id=turn["turn_id"])
        return self.timeline.context(view, turn["text"], self.budget)

    def ask(self, question_id: str) -> Context:
        """Return the prompt of a gold question, asked after its turn `asked_at`."""
        rows = self.questions.filter(pl.col("question_id") == str(question_id))
        if not rows.height:
            nearest = ", ".join(
                repr(name) for name in known_names(question_id, self.questions["question_id"])[:5]
            )
            raise HydralabError(
                f"no question {question_id!r} in {self.dialogue_id!r}; nearest: {nearest or 'none'}"
            )
        question = rows.row(0, named=True)
        view = self.timeline.view_after(question["asked_at"], query_id=question_id)
        return self.timeline.context(view, question["text"], self.budget)

    def misses(self) -> pl.DataFrame:
        """Return for each evidence turn of each question at which stage it was met or lost.

        Returns
        -------
        DataFrame
            question_id, turn_id, stage ("met", "outside the window", "not recalled", "not packed"),
            rank (of the best candidate that holds the turn, from 1), detail.
        """
        return find_misses(self)

    def save(self, folder: str | Path) -> Path:
        """Write the run's tables as Parquet and a manifest as JSON; returns the folder.

        Raises
        ------
        HydralabError
            The folder can't be made or written to.
        """
        target = Path(folder)
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise HydralabError(
                f"{target}: {error.strerror}, expected a folder that can be written to"
            ) from error
        for name in ("turns", "boundaries", "checkpoints", "gold", "questions", "steps", "events"):
            getattr(self, name).write_parquet(target / f"{name}.parquet")
        text = json.dumps(self.manifest(), ensure_ascii=False, indent=2)
        (target / "manifest.json").write_text(text + "\n", encoding="utf-8")
        return target

    def manifest(self) -> dict[str, Any]:
        """Return what one needs to make the run again: settings, versions, a hash of the turns."""
        hashed = self.turns.select("turn_id", "role", "text").hash_rows(seed=0).sum()
        return {
            "run_id": self.run_id,
            "strategy": repr(self.strategy),
            "budget": self.budget,
            "dialogue_id": self.dialogue_id,
            "turns": self.turns.height,
            "turns_hash": f"{hashed or 0:016x}",
            "versions": {name: version(name) for name in ("hydralab", "polars", "numpy")},
        }
