"""What an agent shows of its dialogue: tables, and what was pinned."""

from __future__ import annotations

import polars as pl

from hydralab.agent.change_events import ChangeEvents
from hydralab.agent.dialogue import LiveDialogue

__all__ = ["DialogueTables"]


class DialogueTables:
    """The tables of a live dialogue, read while nobody changes it."""

    _changes: ChangeEvents
    _dialogue: LiveDialogue

    @property
    def turns(self) -> pl.DataFrame:
        """The turns table of the dialogue."""
        with self._changes.lock:
            return self._dialogue.turns

    @property
    def boundaries(self) -> pl.DataFrame:
        """The boundaries decided so far."""
        return self._table("boundaries")

    @property
    def checkpoints(self) -> pl.DataFrame:
        """The checkpoints made so far, those of summaries and of "/checkpoint" among them."""
        return self._table("checkpoints")

    @property
    def memories(self) -> pl.DataFrame:
        """The facts remembered so far, with those of the user's other dialogues where the strategy takes them."""
        return self._table("memories")

    @property
    def steps(self) -> pl.DataFrame:
        """A row for each prompt."""
        with self._changes.lock:
            return self._changes.journal.steps

    @property
    def events(self) -> pl.DataFrame:
        """Each call for a reply with its tokens and cost, and what was retried, salvaged or failed."""
        with self._changes.lock:
            return self._changes.journal.events

    @property
    def verdicts(self) -> pl.DataFrame:
        """What the model said of its contexts, where it reflects."""
        with self._changes.lock:
            return self._changes.journal.verdicts

    @property
    def pinned(self) -> list[str]:
        """Ids of the items that are pinned."""
        with self._changes.lock:
            return list(self._dialogue.edits.pinned)

    def _table(self, name: str) -> pl.DataFrame:
        with self._changes.lock:
            return self._dialogue.timeline.tables[name]
