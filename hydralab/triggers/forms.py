"""What a trigger's name can stand for: a function of signals, of steps or of a whole dialogue, or a tree."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError, brief, unknown_name
from hydralab.registry import Registry
from hydralab.signals import DEFAULT_SIGNALS
from hydralab.signals.base import Lookahead
from hydralab.triggers.tree import Trigger
from hydralab.triggers.values import plain

__all__ = [
    "TRIGGERS",
    "Form",
    "Growing",
    "Named",
    "Segmenter",
    "SignalFunction",
    "StepTrigger",
    "get_trigger",
    "parameters_of",
]

Growing = Callable[..., Callable[[pl.DataFrame, NDArray[np.float32]], tuple[NDArray[Any], NDArray[Any]]]]
"""Makes of a segmenter's parameters what is called as a dialogue grows, with all turns and vectors so far; it
returns fires and scores of the rows that were decided since it was called last."""

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
    growing: Growing | None = None

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


@dataclass(frozen=True, repr=False)
class Named(Trigger):
    """A registered function with its parameters, in order of name."""

    name: str
    parameters: tuple[tuple[str, Any], ...] = ()

    @property
    def settings(self) -> Mapping[str, Any]:
        """The parameters by name."""
        return dict(self.parameters)

    @property
    def form(self) -> Form:
        """The registered function, as it stands now."""
        entry = TRIGGERS[self.name]
        if isinstance(entry, Trigger):
            raise HydralabError(
                f"trigger {self.name!r} has become an expression; get it again by hl.get_trigger"
            )
        return entry

    @property
    def reads(self) -> tuple[str, ...]:
        """The signals that the function declares; the default ones when it declares none."""
        reads = self.form.reads
        return tuple(DEFAULT_SIGNALS) if reads is None else reads

    @property
    def reach(self) -> Lookahead:
        """What the function declares, for its parameters."""
        stated = self.form.stated
        return stated({**parameters_of(self.form), **self.settings}) if callable(stated) else stated

    def text(self) -> str:
        """Return the Python that makes this node."""
        given = "".join(f", {name}={value!r}" for name, value in self.parameters)
        return f"hl.get_trigger({self.name!r}{given})"

    def record(self) -> dict[str, Any]:
        """Return this node as JSON values."""
        return {"name": self.name, "parameters": self.settings}


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
