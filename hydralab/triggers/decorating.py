"""Triggers made of functions by a decorator, and filed by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, overload

from hydralab.errors import HydralabError
from hydralab.triggers.forms import (
    TRIGGERS,
    Form,
    Growing,
    Named,
    Segmenter,
    SignalFunction,
    Stated,
    StepTrigger,
    parameters_of,
)
from hydralab.triggers.tree import Trigger
from hydralab.triggers.values import checked_lookahead

__all__ = ["segmenter", "step_trigger", "trigger"]

Function = Callable[..., Any]
Decorator = Callable[[Function], Trigger]


@overload
def trigger(
    function: Function,
    /,
    *,
    name: str | None = None,
    lookahead: Stated | None = None,
    reads: tuple[str, ...] | None = None,
) -> Trigger: ...
@overload
def trigger(
    *,
    name: str | None = None,
    lookahead: Stated | None = None,
    reads: tuple[str, ...] | None = None,
) -> Decorator: ...
def trigger(
    function: Function | None = None,
    /,
    *,
    name: str | None = None,
    lookahead: Stated | None = None,
    reads: tuple[str, ...] | None = None,
) -> Trigger | Decorator:
    """Make a trigger of a function of the signals, and file it by name.

    Parameters
    ----------
    function
        f(signals, …) → a trigger, a Polars expression or a Boolean column, given the signals and
        turns of one dialogue as one table. Parameters of its own are keyword-only with defaults.
    name
        Name in `TRIGGERS`; the function's when None.
    lookahead
        Turns ahead that it reaches beyond what its signals do; None counts as the whole dialogue.
    reads
        Names of the signals it reads; the default set when None. They are all it is given.

    Returns
    -------
    Trigger
        To be used as it is, or by `get_trigger` with other parameters.

    >>> import polars as pl
    >>> @trigger(lookahead=0, reads=("tokens",))
    ... def outburst(signals, *, at_least=400):
    ...     return pl.col("tokens") > at_least
    >>> outburst.lookahead
    0
    """
    if function is None:
        return lambda made: trigger(made, name=name, lookahead=lookahead, reads=reads)
    stated: Stated = "all" if lookahead is None else lookahead
    return _file(SignalFunction(function, stated, None if reads is None else tuple(reads)), name)


@overload
def step_trigger(
    function: Function,
    /,
    *,
    init: Any = None,
    name: str | None = None,
    reads: tuple[str, ...] = (),
    vectors: bool = False,
) -> Trigger: ...
@overload
def step_trigger(
    *,
    init: Any = None,
    name: str | None = None,
    reads: tuple[str, ...] = (),
    vectors: bool = False,
) -> Decorator: ...
def step_trigger(
    function: Function | None = None,
    /,
    *,
    init: Any = None,
    name: str | None = None,
    reads: tuple[str, ...] = (),
    vectors: bool = False,
) -> Trigger | Decorator:
    """Make a trigger of a function that goes turn by turn and carries a state; file it by name.

    Causal by construction: a step sees its own turn and what earlier ones left in the state. It looks
    ahead as far as the signals it reads.

    Parameters
    ----------
    function
        f(state, row, …) → (state, fire, score): whether a new span starts at this turn, and how
        likely that is, from 0 to 1. Parameters of its own are keyword-only with defaults.
    init
        The state before the first turn; a copy is handed to each dialogue.
    name
        Name in `TRIGGERS`; the function's when None.
    reads
        Names of the signals in a row, beside the columns of turns; unknown values are None.
    vectors
        Whether a row has the turn's vector, as "vector".

    >>> @step_trigger(init=0, reads=("question",))
    ... def each_third_question(asked, row):
    ...     asked += row["question"]
    ...     return (0, True, 1.0) if asked == 3 else (asked, False, asked / 3)
    >>> each_third_question
    hl.get_trigger('each_third_question')
    """
    if function is None:
        return lambda made: step_trigger(made, init=init, name=name, reads=reads, vectors=vectors)
    return _file(StepTrigger(function, init, 0, tuple(reads), vectors), name)


@overload
def segmenter(
    function: Function,
    /,
    *,
    name: str | None = None,
    lookahead: Stated = "all",
    vectors: bool = True,
    growing: Growing | None = None,
) -> Trigger: ...
@overload
def segmenter(
    *,
    name: str | None = None,
    lookahead: Stated = "all",
    vectors: bool = True,
    growing: Growing | None = None,
) -> Decorator: ...
def segmenter(
    function: Function | None = None,
    /,
    *,
    name: str | None = None,
    lookahead: Stated = "all",
    vectors: bool = True,
    growing: Growing | None = None,
) -> Trigger | Decorator:
    """Make a trigger of a function that cuts a dialogue as a whole; file it by name.

    Parameters
    ----------
    function
        f(turns, vectors, …) → the positions of the first turns of new spans, or a Boolean column a
        turn, or a pair (fires, scores) of columns a turn, or a boundaries table. Parameters of its own
        are keyword-only with defaults.
    name
        Name in `TRIGGERS`; the function's when None.
    lookahead
        Turns after a boundary that it depends on, or what makes them of the parameters. Without a
        number it can't decide while a dialogue runs.
    vectors
        Whether it needs the vectors of the turns; otherwise it is handed None.
    growing
        What does the same as a dialogue grows, at a cost a turn that does not grow with it: made of the same
        parameters, then called with all turns and vectors so far, it returns fires and scores of the rows that
        were decided since it was called last. Without it a live dialogue is cut anew at every turn.

    >>> @segmenter(lookahead=0, vectors=False)
    ... def after_the_greeting(turns, vectors):
    ...     return [2] if turns.height > 2 else []
    >>> after_the_greeting.lookahead
    0
    """
    if function is None:
        return lambda made: segmenter(made, name=name, lookahead=lookahead, vectors=vectors, growing=growing)
    return _file(Segmenter(function, lookahead, vectors, growing=growing), name)


def _file(form: Form, name: str | None) -> Trigger:
    if not callable(form.function):
        raise HydralabError(f"a trigger is made of a function, got {form.function!r}")
    name = name or form.function.__name__
    for parameter, default in parameters_of(form).items():
        if default is inspect.Parameter.empty:
            raise HydralabError(f"trigger {name!r}: parameter {parameter!r} has no default, expected one")
    if not callable(form.stated):
        checked_lookahead(f"trigger {name!r}", form.stated)
    TRIGGERS.add(name, form)
    return Named(name)
