"""What a strategy sees of a dialogue at one moment, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

import polars as pl

from hydralab.errors import HydralabError, brief
from hydralab.packing import Context, Excerpt, Packing, Recalled, pack
from hydralab.packing.phrases import phrases_for
from hydralab.packing.pinning import with_pinned
from hydralab.recall import Recall
from hydralab.registry import Registry
from hydralab.texts import Tokenizer
from hydralab.triggers import Trigger

__all__ = ["STRATEGIES", "Job", "Observation", "Strategy", "View", "check_kind", "resolve_strategy"]

Job = Callable[[], Mapping[str, pl.DataFrame]]
"""Work for a model: run inline in replay, in the background in a live dialogue; returns rows to append."""


@dataclass(frozen=True)
class View:
    """The tables of one dialogue as of one moment; nothing in it comes from later.

    Attributes
    ----------
    turns
        Turns with position < `at`: all of them, or those that a prompt can need (see `hydralab.TieredDialogue`).
    excerpt
        The same turns in the form that `pack` is quickest with.
    boundaries, checkpoints, memories
        Rows decided by then; memories of the same user from earlier dialogues are among them.
    at
        Position of the turn that is being answered, or would come next.
    recall
        Query → what recall offers to the prompt.
    decide
        Trigger → its boundaries decided by then.
    user_id
        Whose dialogue it is; None when it isn't known.
    pinned
        Ids of checkpoints and memories that are to be in every prompt as long as they fit; `pack` sees to it.
    """

    dialogue_id: str
    title: str
    at: int
    turns: pl.DataFrame
    excerpt: Excerpt = field(repr=False)
    boundaries: pl.DataFrame
    checkpoints: pl.DataFrame
    memories: pl.DataFrame
    tokenizer: Tokenizer = field(repr=False)
    recall: Callable[[str], Recalled] = field(repr=False)
    decide: Callable[[Trigger], pl.DataFrame] = field(repr=False)
    query_id: str = "query"
    user_id: str | None = None
    pinned: tuple[str, ...] = ()

    def after(self, position: int) -> pl.DataFrame:
        """Return the turns after a position."""
        return self.turns.slice(self._row(position + 1))

    def between(self, start: int, end: int) -> pl.DataFrame:
        """Return the turns from one position to another, both included."""
        first = self._row(start)
        return self.turns.slice(first, self._row(end + 1) - first)

    def _row(self, position: int) -> int:
        """Return in which row a position lies; they differ where a view holds only the turns that are needed."""
        return int(self.turns["position"].search_sorted(position))

    def pack(
        self,
        query: str,
        budget: int,
        *,
        strategy: str = "",
        recalled: Recalled | None = None,
        packing: Packing | None = None,
    ) -> Context:
        """Return the prompt of a query that follows `turns`, by `hydralab.packing.pack`, under this view's names."""
        if self.pinned:
            recalled = with_pinned(
                recalled or Recalled(),
                self.pinned,
                self.checkpoints,
                self.memories,
                self.turns["turn_id"],
                reason=phrases_for(query)["pinned"],
            )
            packing = replace(packing or Packing(), pinned=self.pinned)
        return pack(
            query,
            self.excerpt,
            budget=budget,
            recalled=recalled,
            packing=packing,
            tokenizer=self.tokenizer,
            query_id=self.query_id,
            dialogue_id=self.dialogue_id,
            title=self.title,
            strategy=strategy,
        )


@dataclass(frozen=True)
class Observation:
    """What a strategy wants remembered after a turn: rows a table, and work for a model."""

    rows: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    jobs: Sequence[Job] = ()


@runtime_checkable
class Strategy(Protocol):
    """How a dialogue is remembered and a prompt is made of it.

    A strategy is a frozen dataclass of settings; it keeps nothing that its tables don't hold, so a
    replay and a live dialogue run the same code and a step can be computed again at any time. One with a true
    attribute `across_dialogues` is also given the facts of the same user's earlier dialogues.
    """

    @property
    def name(self) -> str:
        """What it is called in tables and plots."""
        ...

    @property
    def recall_config(self) -> Recall | None:
        """How it recalls; None when it recalls nothing, so that nothing is indexed for it."""
        ...

    def observe(self, view: View) -> Observation:
        """Take note of the newest turn, `view.turns[-1]`, and return what is to be remembered."""
        ...

    def context(self, view: View, query: str, budget: int) -> Context:
        """Return the prompt for a query that follows `view.turns`."""
        ...


MEMBERS = ("name", "recall_config", "observe", "context")
"""What a strategy has."""


def check_kind(given: Any) -> None:
    """Refuse what is no strategy, and one that can't be told from another by its settings.

    >>> check_kind("hydration")
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: strategy: got 'hydration', expected a strategy such as hl.Hydration()
    """
    missing = [member for member in MEMBERS if not hasattr(given, member)]
    if isinstance(given, type) or len(missing) == len(MEMBERS):
        raise HydralabError(f"strategy: got {brief(given)}, expected a strategy such as hl.Hydration()")
    if missing:
        raise HydralabError(
            f"strategy: {brief(given)} has no {' and no '.join(missing)}, expected {', '.join(MEMBERS)}"
        )
    try:
        hash(given)
    except TypeError as error:
        raise HydralabError(f"strategy {given.name!r}: {error}, expected a frozen dataclass") from error


STRATEGIES: Registry[Callable[..., Strategy]] = Registry("strategy", group="hydralab.strategies")
"""Strategies by name: a class, or what else makes one; its settings are keywords that all have defaults."""


def resolve_strategy(given: Strategy | str) -> Strategy:
    """Return a strategy given as itself or by a registered name, with its defaults.

    >>> resolve_strategy("sliding_window").rounds
    10
    """
    chosen = STRATEGIES[given]() if isinstance(given, str) else given
    check_kind(chosen)
    return chosen
