"""A dialogue is changed by one at a time, and who wants to know is told afterwards what was stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from threading import RLock
from typing import Any, ParamSpec, TypeVar

import polars as pl

from hydralab.agent.journal import Journal
from hydralab.frames import build, event

__all__ = ["ChangeEvents", "Observer"]

P = ParamSpec("P")
T = TypeVar("T")

Observer = Callable[[str, pl.DataFrame], Any]
"""Called with the name of a table and the rows that were stored in it."""


class ChangeEvents:
    """What was stored of one dialogue, and who is told of it.

    Parameters
    ----------
    journal
        Is told first.
    dialogue_id
        Whose news it is.
    """

    def __init__(self, journal: Journal, dialogue_id: str) -> None:
        self.lock = RLock()
        self.journal = journal
        self._dialogue_id = dialogue_id
        self._observers: list[Observer] = []
        self._untold: list[Mapping[str, pl.DataFrame]] = []

    def add(self, tables: Mapping[str, pl.DataFrame]) -> None:
        """Take note of rows that were stored; it is told when the change is over."""
        self._untold.append(tables)

    def observe(self, observer: Observer) -> Callable[[], None]:
        """Have a function told; returns what ends that."""
        self._observers.append(observer)
        return partial(_discard, self._observers, observer)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Change the dialogue; then tell the observers what was stored."""
        try:
            with self.lock:
                yield
        finally:
            self._tell()

    def guarded(self, function: Callable[P, T]) -> Callable[P, T]:
        """Return a function that is called while nobody changes the dialogue."""

        def called(*args: P.args, **named: P.kwargs) -> T:
            with self.lock:
                return function(*args, **named)

        return called

    def _tell(self) -> None:
        with self.lock:
            changes = list(self._untold)
            self._untold.clear()
            for tables in changes:
                self.journal.take(tables)
        failures: dict[str, None] = {}
        for tables in changes:
            for table, rows in tables.items():
                for observer in list(self._observers):
                    try:
                        observer(table, rows)
                    except Exception as error:
                        failures[f"an observer raised {type(error).__name__}: {error}"] = None
        if failures:
            self._note(failures)

    def _note(self, failures: Iterable[str]) -> None:
        """Leave an event a failure; observers are not told of it, as one that always fails would be told forever."""
        rows = [
            event("on_change", "failed", detail=failure, dialogue_id=self._dialogue_id)
            for failure in failures
        ]
        with self.lock:
            self.journal.note(build("events", rows))


def _discard(observers: list[Observer], observer: Observer) -> None:
    if observer in observers:
        observers.remove(observer)
