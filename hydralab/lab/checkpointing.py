"""Where the dialogues of a lab are cut: by triggers, and by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import polars as pl

from hydralab.checkpoints import edit_checkpoint, extract_checkpoints
from hydralab.frames import build, event
from hydralab.lab.placements import Placement, Placements
from hydralab.lab.resources import LabResources
from hydralab.lab.timelines import Timelines
from hydralab.triggers import Trigger, default_trigger, find_boundaries
from hydralab.triggers.tree_needs import signals_read

__all__ = ["Checkpointing"]

Progress = Callable[[Sequence[str]], Iterable[str]]
"""Goes through names, with a progress bar where they are many."""


class Checkpointing:
    """Boundaries and checkpoints of a lab's dialogues; every change of them drops the timelines made of them."""

    def __init__(self, resources: LabResources, timelines: Timelines, progress: Progress) -> None:
        self._resources = resources
        self._timelines = timelines
        self._progress = progress
        self.placements = Placements(resources.holder, resources.settings)
        self.placements.reach_the_ends(resources.corpus.turns, resources.tokenizer)
        if resources.left_with_another_encoder:
            self.note_stale(resources.names, "another encoder")

    def boundaries(self, name: str, trigger: Trigger) -> pl.DataFrame:
        """Return where a trigger cuts a dialogue that is over."""
        return find_boundaries(
            trigger,
            self._resources.turns(name),
            self._resources.vectors(name),
            signals=self._resources.signals(),
            encoder=self._resources.encoder.name,
        )

    def checkpoints(self, names: Sequence[str], trigger: Trigger | None = None) -> list[pl.DataFrame]:
        """Return the checkpoints of dialogues, placed anew by a trigger, or where there are none yet."""
        missing = [name for name in names if not self.placements.of("checkpoints", name).height]
        wanted = missing if trigger is None else names
        if wanted:
            self._place(wanted, default_trigger() if trigger is None else trigger)
        return [self.placements.of("checkpoints", name) for name in names]

    def holder_of(self, checkpoint_id: str) -> str | None:
        """Return the one dialogue that has a checkpoint of this id; None when there is none, or several."""
        placed = {name: self.placements.of("checkpoints", name) for name in self._resources.names}
        holders = [name for name, rows in placed.items() if checkpoint_id in rows["checkpoint_id"].to_list()]
        return holders[0] if len(holders) == 1 else None

    def change(
        self, name: str, change: Callable[..., pl.DataFrame], *arguments: Any, **named: Any
    ) -> pl.DataFrame:
        """Mark, merge or split by hand; returns the checkpoints of the dialogue."""
        (rows,) = self.checkpoints([name])
        turns = self._resources.turns(name)
        changed = change(rows, turns, *arguments, tokenizer=self._resources.tokenizer, **named)
        self.placements.recut(name, changed)
        self._timelines.forget(name)
        return self.placements.of("checkpoints", name)

    def edit(self, name: str, checkpoint_id: str, columns: dict[str, Any]) -> pl.DataFrame:
        """Write columns of a checkpoint by hand; returns the checkpoints of the dialogue."""
        (rows,) = self.checkpoints([name])
        changed = edit_checkpoint(rows, checkpoint_id, tokenizer=self._resources.tokenizer, **columns)
        self.placements.rewrite(name, changed, checkpoint_id)
        self._timelines.forget(name)
        return changed

    def signals_changed(self, changed: set[str]) -> None:
        """Drop what was made of signals, and say which checkpoints were placed by those that changed."""
        self._timelines.forget()
        if changed:
            reading = [name for name in self._resources.names if self._reads(name, changed)]
            self.note_stale(reading, "signals given anew")

    def note_stale(self, names: Sequence[str], why: str) -> None:
        """Say that the checkpoints of dialogues were placed under other circumstances, and how to place them anew."""
        stale = [name for name in names if self.placements.of("checkpoints", name).height]
        detail = f"{why}: the checkpoints are those placed before; lab.checkpoints(lab.trigger(…), …) places them anew"
        rows = [event("checkpoints", "ok", dialogue_id=name, detail=detail) for name in stale]
        self._resources.journal.note(build("events", rows))

    def _place(self, names: Sequence[str], trigger: Trigger) -> None:
        placements = {}
        for name in self._progress(names):
            boundaries = self.boundaries(name, trigger)
            turns = self._resources.turns(name)
            checkpoints = extract_checkpoints(turns, boundaries, tokenizer=self._resources.tokenizer)
            placements[name] = Placement(trigger, boundaries, checkpoints)
        self.placements.place(placements)
        for name in names:
            self._timelines.forget(name)

    def _reads(self, name: str, signals: set[str]) -> bool:
        """Tell whether what is placed in a dialogue was placed by a trigger that reads one of these signals."""
        if not self.placements.of("checkpoints", name).height:
            return False
        return not signals.isdisjoint(signals_read(self.placements.trigger(name)))
