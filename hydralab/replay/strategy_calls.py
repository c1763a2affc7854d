"""A strategy called for a moment of a dialogue; what it raises, or gives that is none, is told with its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import polars as pl

from hydralab.errors import HydralabError
from hydralab.frames import event
from hydralab.packing import Context
from hydralab.strategies import Job, Observation, Strategy, View

__all__ = ["do_job", "make_context", "observe_turn"]


def observe_turn(strategy: Strategy, view: View, position: int) -> Observation:
    """Return what a strategy wants remembered after a turn.

    Raises
    ------
    HydralabError
        The strategy raised, or gave no observation.
    """
    with _named(strategy, view, f"observe of turn {position}"):
        observation = strategy.observe(view)
        if not isinstance(observation, Observation):
            raise TypeError(f"got {type(observation).__name__}, expected an Observation")
        return observation


def make_context(strategy: Strategy, view: View, query: str, budget: int) -> Context:
    """Return a strategy's prompt for a query.

    Raises
    ------
    HydralabError
        The strategy raised, or gave no context or one over the budget.
    """
    with _named(strategy, view, f"context at {view.at}"):
        context = strategy.context(view, query, budget)
        if not isinstance(context, Context):
            raise TypeError(f"got {type(context).__name__}, expected a Context")
        if context.tokens + context.reserve > budget:
            kept = f" and {context.reserve:,} for the reply" if context.reserve else ""
            raise ValueError(f"a prompt of {context.tokens:,} tokens{kept}, expected at most {budget:,}")
        return context


def do_job(
    job: Job, strategy: Strategy, dialogue_id: str, turn_id: str
) -> tuple[Mapping[str, pl.DataFrame], list[dict[str, Any]]]:
    """Return what a job made, and events: one that fails costs what it would have made and leaves an event."""
    try:
        return job(), []
    except Exception as error:
        detail = f"a job of {strategy.name!r} raised {type(error).__name__}: {error}"
        return {}, [event("observe", "failed", detail=detail, dialogue_id=dialogue_id, item_id=turn_id)]


@contextmanager
def _named(strategy: Strategy, view: View, where: str) -> Iterator[None]:
    try:
        yield
    except HydralabError:
        raise
    except Exception as error:
        raise HydralabError(
            f"strategy {strategy.name!r}, {where}, dialogue {view.dialogue_id!r}: {type(error).__name__}: {error}"
        ) from error
