"""The errors hydralab raises, and the sentence that names what was meant instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from difflib import SequenceMatcher
from math import inf
from numbers import Integral, Real
from reprlib import Repr
from typing import Any

__all__ = [
    "FrameError",
    "HydralabError",
    "MissingExtraError",
    "ReadError",
    "StoreError",
    "UnknownNameError",
    "brief",
    "broken_promises",
    "check_kind",
    "check_settings",
    "check_value",
    "known_names",
]

_KINDS: dict[str, tuple[type, str]] = {
    "int": (Integral, "a whole number"),
    "float": (Real, "a number"),
    "str": (str, "a text"),
}

LONGEST_NAME = 80
LONGEST_NUMBER = 4096

_brief = Repr()
_brief.maxstring = _brief.maxother = LONGEST_NAME


class HydralabError(ValueError):
    """Bad input or bad state, told in one sentence: what, where, and what was expected."""


class FrameError(HydralabError):
    """A table does not have the columns, types, ids or order that its schema declares."""


class ReadError(HydralabError):
    """A file is no dialogue that any reader knows, or none of its records could be read."""


class StoreError(HydralabError):
    """A store cannot be opened, read or written, or what it holds contradicts what it is given."""


class UnknownNameError(HydralabError, KeyError):
    """A name that no registry entry has; the message lists the known ones, nearest first."""

    __str__ = HydralabError.__str__


class MissingExtraError(HydralabError, ImportError):
    """An optional package is not installed; the message says which extra brings it."""


def brief(value: object) -> str:
    """Return a value as it reads in Python, its middle left out when it is long.

    >>> brief("a" * 10_000) == f"'{'a' * 37}...{'a' * 38}'"
    True
    """
    if isinstance(value, int) and value.bit_length() > LONGEST_NUMBER:
        return f"a number of {value.bit_length():,} bits"  # Python refuses to write it out
    return " ".join(_brief.repr(value).split())


def check_value(what: str, value: Any, kind: str, *, least: float | None = None) -> None:
    """Refuse a value of another kind, or a number below the least.

    Parameters
    ----------
    what
        What it is for, as the sentence names it.
    kind
        As an annotation has it: "int", "float" or "str", or with " | None". A truth value is no number.
    least
        Of a number; NaN is below every one.

    >>> check_value("get_index: dim", 0, "int", least=1)
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: get_index: dim is 0, expected a whole number of at least 1
    """
    name, *others = kind.split(" | ")
    expected, words = _KINDS[name]
    fits = isinstance(value, expected) and not isinstance(value, bool)
    if fits and expected is not str:
        fits = bool(value >= (-inf if least is None else least))
    if fits or (value is None and "None" in others):
        return
    bound = "" if least is None or expected is str else f" of at least {least}"
    none = (", or None" if bound else " or None") if "None" in others else ""
    raise HydralabError(f"{what} is {brief(value)}, expected {words}{bound}{none}")


def check_kind(what: str, value: Any, kind: type | tuple[type, ...], words: str) -> None:
    """Refuse a value of another class than a function takes.

    Parameters
    ----------
    what
        What it is for, as the sentence names it.
    words
        What was expected, in words.

    >>> check_kind("plot_budget: context", 5, str, "what lab.hydrate returns")
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: plot_budget: context is 5, expected what lab.hydrate returns
    """
    if not isinstance(value, kind):
        raise HydralabError(f"{what} is {brief(value)}, expected {words}")


def check_settings(settings: Any, where: str | None = None, /, **least: float) -> None:
    """Check the fields of a dataclass that are declared int, float or str, or one of these or None.

    Parameters
    ----------
    where
        How the sentence names it; its class when None.
    least
        Field → the least number it may be; 0 for an int that is not among them.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Window:
    ...     rounds: int = 10
    ...     def __post_init__(self): check_settings(self, rounds=1)
    >>> Window(rounds="a")
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: Window: rounds is 'a', expected a whole number of at least 1
    """
    for each in fields(settings):
        kind = str(getattr(each.type, "__name__", each.type))
        name, *others = kind.split(" | ")
        if name in _KINDS and others in ([], ["None"]):
            lowest = least.get(each.name, 0 if name == "int" else None)
            what = f"{where or type(settings).__name__}: {each.name}"
            check_value(what, getattr(settings, each.name), kind, least=lowest)


def broken_promises(checks: Mapping[str, Callable[..., object]], *given: Any) -> list[str]:
    """Run the checks of a contract on what was given and tell those that failed, and how.

    >>> def _is_even(number): assert number % 2 == 0, f"{number} is odd"
    >>> broken_promises({"even": _is_even}, 3), broken_promises({"even": _is_even}, "a")
    (['even: 3 is odd'], ['even: TypeError: not all arguments converted during string formatting'])
    """
    broken: list[str] = []
    for name, check in checks.items():
        try:
            check(*given)
        except (AssertionError, HydralabError) as error:
            broken.append(f"{name}: {error}")
        except Exception as error:  # whatever code of the user's raises refutes it
            broken.append(f"{name}: {type(error).__name__}: {error}")
    return broken


def known_names(given: object, known: Iterable[str]) -> list[str]:
    """Return the known names, those that read most like the given one first.

    >>> known_names("shfit", ["depth", "shift", "tokens"])[0]
    'shift'
    """
    start = str(given)[:LONGEST_NAME].lower()
    likeness = {name: SequenceMatcher(None, start, name.lower()).ratio() for name in known}
    return sorted(likeness, key=lambda name: (-likeness[name], name))


def unknown_name(what: str, given: object, known: Iterable[str]) -> UnknownNameError:
    """Build the error for a name that is not registered.

    >>> print(unknown_name("encoder", "usem", ["minilm", "use"]))
    unknown encoder 'usem'; known: 'use', 'minilm'
    """
    names = ", ".join(repr(name) for name in known_names(given, known))
    return UnknownNameError(f"unknown {what} {brief(given)}; known: {names or 'none'}")
