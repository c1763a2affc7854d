"""What can be asked of a replay, be it in memory or read from disk."""

from __future__ import annotations

from typing import Any, Protocol

import polars as pl

from hydralab.errors import HydralabError, brief
from hydralab.packing import Context

__all__ = ["Replayed", "check_run"]

ASKED = ("step", "ask", "misses", "turns", "steps")


class Named(Protocol):
    """What has a name, such as a strategy."""

    @property
    def name(self) -> str:
        """The name."""
        ...


class Replayed(Protocol):
    """A replay: `Run`, or what `load_run` returns."""

    @property
    def run_id(self) -> str:
        """Which run it is: the same for the same turns and settings."""
        ...

    @property
    def strategy(self) -> Named:
        """What it was run under."""
        ...

    @property
    def budget(self) -> int:
        """Tokens a prompt."""
        ...

    @property
    def dialogue_id(self) -> str:
        """The dialogue."""
        ...

    @property
    def title(self) -> str:
        """The title of the dialogue."""
        ...

    @property
    def turns(self) -> pl.DataFrame:
        """The turns table."""
        ...

    @property
    def gold(self) -> pl.DataFrame:
        """The gold table."""
        ...

    @property
    def questions(self) -> pl.DataFrame:
        """The questions table."""
        ...

    @property
    def steps(self) -> pl.DataFrame:
        """A row a prompt."""
        ...

    @property
    def events(self) -> pl.DataFrame:
        """What failed or was noted."""
        ...

    @property
    def boundaries(self) -> pl.DataFrame:
        """The boundaries the strategy decided on."""
        ...

    @property
    def checkpoints(self) -> pl.DataFrame:
        """The checkpoints the strategy made."""
        ...

    @property
    def signals(self) -> pl.DataFrame:
        """The signals of the dialogue."""
        ...

    def step(self, position: int) -> Context:
        """Return the prompt of a turn."""
        ...

    def ask(self, question_id: str) -> Context:
        """Return the prompt of a gold question."""
        ...

    def misses(self, question_id: str | None = None) -> pl.DataFrame:
        """Return at which stage each piece of evidence was met or lost."""
        ...

    def manifest(self) -> dict[str, Any]:
        """Return what one needs to make the run again."""
        ...


def check_run(given: object, who: str) -> None:
    """Refuse what is no replay; `who` asks.

    >>> check_run([], "Stepper")
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: Stepper: got [], expected a run, such as lab.replay() or hl.load_run() gives
    """
    known = {*dir(type(given)), *getattr(given, "__dict__", ())}
    if isinstance(given, type) or not known.issuperset(ASKED):
        raise HydralabError(
            f"{who}: got {brief(given)}, expected a run, such as lab.replay() or hl.load_run() gives"
        )
