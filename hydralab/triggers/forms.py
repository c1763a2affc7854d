"""Triggers made of functions: of signals, step by step, or over the whole dialogue; filed by name."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from hydralab.errors import HydralabError, brief, unknown_name
from hydralab.registry import Registry
from hydralab.signals.base import Lookahead
from hydralab.triggers.tree import Named, Trigger
from hydralab.triggers.values import checked_lookahead, plain

__all__ = [
    "TRIGGERS",
    "Form",
    "Segmenter",
    "SignalFunction",
    "StepTrigger",
    "get_trigger",
    "segmenter",
    "step_trigger",
    "trigger",
]

Stated = Lookahead | Callable[[Mapping[str, Any]], Lookahead]
"""A look-ahead, or what makes it of the parameters."""


@dataclass(frozen=True)
class SignalFunction:
    """f(signals, **parameters) → a trigger, a Polars expression, or a Boolean column."""

    function: Callable[..., Any]
    stated: Stated = "all"
    reads: tuple[str, ...] | None = None
    needs_vectors: bool = False

    def __post_init__(self) -> None:
        _take_name(self, self.function)


@dataclass(frozen=True)
class StepTrigger:
    """f(state, row, **parameters) → (state, fire, score), called turn by turn."""

    function: Callable[..., Any]
    init: Any = None
    stated: Stated = 0
    reads: tuple[str, ...] | None = ()
    needs_vectors: bool = False

    def __post_init__(self) -> None:
        _take_name(self, self.function)


@dataclass(frozen=True)
class Segmenter:
    """f(turns, vectors, **parameters) → boundaries of one dialogue."""

    function: Callable[..., Any]
    stated: Stated = "all"
    needs_vectors: bool = True
    reads: tuple[str, ...] | None = ()

    def __post_init__(self) -> None:
        _take_name(self, self.function)


Form = SignalFunction | StepTrigger | Segmenter
"""What a name can stand for, beside a tree."""


class TriggerRegistry(Registry[Form | Trigger]):
    """Names of triggers; a decorated function stands in it already when its entry point is loaded."""

    def add(self, name: str, entry: Form | Trigger) -> None:
        """File a function or a tree under a name."""
        if entry != Named(name):
            super().add(name, entry)


TRIGGERS = TriggerRegistry("trigger", group="hydralab.triggers")
"""Name → function or tree; `get_trigger` makes a trigger of it."""


def get_trigger(name: str, **parameters: Any) -> Trigger:
    """Return a registered trigger.

    Parameters
    ----------
    name
        One of `TRIGGERS`.
    parameters
        Those of the registered function, by keyword; values that JSON has.

    Raises
    ------
    UnknownNameError
        No trigger or no parameter of that name; the message lists the known ones, nearest first.

    >>> get_trigger("every", n=12)
    hl.get_trigger('every', n=12)
    """
    entry = TRIGGERS[name]
    if isinstance(entry, Trigger):
        if parameters:
            raise HydralabError(
                f"trigger {name!r} is an expression and takes no parameters, got {', '.join(parameters)}"
            )
        return entry
    known = parameters_of(entry)
    for given, value in parameters.items():
        if given not in known:
            raise unknown_name(f"parameter of trigger {name!r}:", given, known)
        _check_value(name, given, plain(value))
    return Named(name, tuple((given, plain(parameters[given])) for given in sorted(parameters)))


def parameters_of(form: Form) -> dict[str, Any]:
    """Return the keyword parameters of a registered function and their defaults.

    >>> parameters_of(TRIGGERS["every"])
    {'n': 10}
    """
    signature = inspect.signature(form.function)
    return {
        name: parameter.default
        for name, parameter in signature.parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }


def trigger(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    lookahead: Stated | None = None,
    reads: tuple[str, ...] | None = None,
) -> Any:
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
        return partial(trigger, name=name, lookahead=lookahead, reads=reads)
    stated: Stated = "all" if lookahead is None else lookahead
    return _file(SignalFunction(function, stated, None if reads is None else tuple(reads)), name)


def step_trigger(
    function: Callable[..., Any] | None = None,
    /,
    *,
    init: Any = None,
    name: str | None = None,
    reads: tuple[str, ...] = (),
    vectors: bool = False,
) -> Any:
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
    ... def third_question(asked, row):
    ...     asked += row["question"]
    ...     return (0, True, 1.0) if asked == 3 else (asked, False, asked / 3)
    >>> third_question
    hl.get_trigger('third_question')
    """
    if function is None:
        return partial(step_trigger, init=init, name=name, reads=reads, vectors=vectors)
    return _file(StepTrigger(function, init, 0, tuple(reads), vectors), name)


def segmenter(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    lookahead: Stated = "all",
    vectors: bool = True,
) -> Any:
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

    >>> @segmenter(lookahead=0, vectors=False)
    ... def after_the_greeting(turns, vectors):
    ...     return [2] if turns.height > 2 else []
    >>> after_the_greeting.lookahead
    0
    """
    if function is None:
        return partial(segmenter, name=name, lookahead=lookahead, vectors=vectors)
    return _file(Segmenter(function, lookahead, vectors), name)


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


def _take_name(form: Form, function: Callable[..., Any]) -> None:
    """Let the registry see the function's origin, so that a re-run cell replaces and a stranger clashes."""
    for name in ("__module__", "__qualname__", "__doc__"):
        object.__setattr__(form, name, getattr(function, name, None))


def _check_value(trigger_name: str, parameter: str, value: Any) -> None:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise HydralabError(
            f"trigger {trigger_name!r}: parameter {parameter!r} is {brief(value)}, expected a value that JSON has"
        ) from error
    if _holds_dict(value):
        raise HydralabError(
            f"trigger {trigger_name!r}: parameter {parameter!r} holds a dict, expected a plain value or list"
        )


def _holds_dict(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, (list, tuple)) and any(map(_holds_dict, value)))
