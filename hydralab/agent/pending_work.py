"""Work for a model that turns gave rise to: what is to be done, what failed, and what a store remembers of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hydralab.strategies import Job

__all__ = ["PendingWork", "Task"]


@dataclass(frozen=True)
class Task:
    """Work for a model that a turn gave rise to; a higher number came later."""

    number: int
    position: int
    job: Job = field(repr=False)


class PendingWork:
    """The work of one dialogue.

    Parameters
    ----------
    observed
        The last turn whose work is known.
    lost
        Turns whose work was not done when the process before ended.
    """

    def __init__(self, observed: int, lost: Iterable[int]) -> None:
        self.observed = observed
        self._lost = list(lost)
        self._undone: dict[int, int] = {}
        """Turn → pieces of work of it that are not done."""
        self._failed: list[Task] = []
        self._numbers = 0
        self._told_by: dict[tuple[str, str], int] = {}
        """Table and item → the number of the work that told it last."""

    def add(self, position: int, jobs: Sequence[Job]) -> list[Task]:
        """Return the jobs of a turn in the order of their numbers, and note that they are to be done."""
        tasks = [Task(number, position, job) for number, job in enumerate(jobs, start=self._numbers + 1)]
        self._numbers += len(tasks)
        if tasks:
            self._undone[position] = self._undone.get(position, 0) + len(tasks)
        return tasks

    def done(self, task: Task, *, failed: bool) -> None:
        """Note that a piece of work is done, or that it failed."""
        left = self._undone.get(task.position, 1) - 1
        self._undone[task.position] = left
        if not left:
            del self._undone[task.position]
        if failed:
            self._failed.append(task)

    def take_failed(self) -> list[Task]:
        """Return the work that failed, which is to be done once more."""
        failed, self._failed = self._failed, []
        for task in failed:
            self._undone[task.position] = self._undone.get(task.position, 0) + 1
        return failed

    def take_lost(self) -> list[int]:
        """Return the turns whose work was lost, which is to be added once more."""
        lost, self._lost = self._lost, []
        return lost

    def told(self, task: Task, table: str, names: Iterable[str]) -> None:
        """Note the items that a piece of work came to."""
        self._told_by |= {(table, name): task.number for name in names}

    def told_later(self, task: Task, table: str, name: str) -> bool:
        """Tell whether work that came later has told an item."""
        return self._told_by.get((table, name), 0) > task.number

    def settings(self) -> dict[str, Any]:
        """Return the last turn observed, and those whose work is not done, as a store remembers them."""
        undone = {*self._undone, *self._lost, *(task.position for task in self._failed)}
        return {"observed": self.observed, "undone": sorted(undone)}
