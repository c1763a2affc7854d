"""What turns give rise to is done in the background, and what fails of it is told and can be taken up again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from hydralab.agent.change_events import ChangeEvents
from hydralab.agent.dialogue import LiveDialogue
from hydralab.agent.pending_work import Task
from hydralab.agent.worker import Background, Work
from hydralab.errors import HydralabError
from hydralab.frames import event
from hydralab.llms import record_calls
from hydralab.replay import Timeline
from hydralab.replay.call_costs import CallCount, calls_that_failed

__all__ = ["FollowUps"]


class FollowUps:
    """Does the work that nobody waits for of one dialogue.

    Parameters
    ----------
    dialogue
        Whose work it is.
    changes
        Of the dialogue.
    calls
        Counts the calls of chat models.
    """

    def __init__(self, dialogue: LiveDialogue, changes: ChangeEvents, calls: CallCount) -> None:
        self._dialogue = dialogue
        self._changes = changes
        self._calls = calls
        self.background = Background(f"hydralab agent {dialogue.kept.dialogue_id}")

    def submit(self, tasks: Sequence[Task]) -> None:
        """Have work for a model done, one piece after the other."""
        timeline = self._dialogue.timeline
        for task in tasks:
            self.background.submit(
                Work(partial(self._do, task, timeline), partial(self._aside, task, timeline))
            )

    def settle(self) -> None:
        """Have worked out, before anything else, what follows from the newest turns."""
        self.background.submit(Work(self._settle, _nothing), first=True)

    def _settle(self) -> None:
        try:
            with self._changes.locked():
                self.submit(self._dialogue.settle())
        except Exception as error:  # the next chat tries again, and tells whoever chats
            self._note("observe", f"{type(error).__name__}: {error}")

    def _do(self, task: Task, timeline: Timeline) -> None:
        """Do a piece of work; one that fails costs what it would have made, and an event tells.

        Where the dialogue was read anew meanwhile, the work is of turns as they were, and is dropped.
        """
        dialogue = self._dialogue
        if dialogue.timeline is not timeline:
            return
        try:
            with record_calls() as calls:
                rows = task.job()
            with self._changes.locked():
                self._calls.calls += calls
                if dialogue.timeline is not timeline:
                    return
                turn_id = dialogue.timeline.turns["turn_id"][task.position]
                dialogue.take(task, rows)
                told = calls_that_failed("observe", calls, dialogue.kept.dialogue_id, turn_id)
                if told:
                    dialogue.note(told)
        except Exception as error:  # whatever a user's strategy raises
            name = dialogue.timeline.strategy.name
            why = f"work of {name!r} raised {type(error).__name__}: {error}; agent.retry() takes it up"
            self._give_up(task, timeline, why)

    def _aside(self, task: Task, timeline: Timeline) -> None:
        why = "put aside, as too much work was waiting; agent.retry() takes it up"
        self._give_up(task, timeline, why)

    def _give_up(self, task: Task, timeline: Timeline, why: str) -> None:
        try:
            with self._changes.locked():
                if self._dialogue.timeline is timeline:
                    self._dialogue.fail(task, why)
        except HydralabError:  # the store is closed or broken: there is nowhere left to tell it
            return

    def _note(self, stage: str, why: str) -> None:
        row = event(stage, "failed", detail=why, dialogue_id=self._dialogue.kept.dialogue_id)
        try:
            with self._changes.locked():
                self._dialogue.note([row])
        except HydralabError:  # the store is closed or broken: there is nowhere left to tell it
            return


def _nothing() -> None:
    """Do nothing: the next chat settles what was left."""
