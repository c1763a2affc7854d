"""The errors hydralab raises, and the sentence that names what was meant instead."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

__all__ = [
    "FrameError",
    "HydralabError",
    "MissingExtraError",
    "ReadError",
    "StoreError",
    "UnknownNameError",
    "known_names",
]


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


def known_names(given: object, known: Iterable[str]) -> list[str]:
    """Return the known names, those that read most like the given one first.

    >>> known_names("shfit", ["depth", "shift", "tokens"])[0]
    'shift'
    """
    likeness = {name: SequenceMatcher(None, str(given).lower(), name.lower()).ratio() for name in known}
    return sorted(likeness, key=lambda name: (-likeness[name], name))


def unknown_name(what: str, given: object, known: Iterable[str]) -> UnknownNameError:
    """Build the error for a name that is not registered.

    >>> print(unknown_name("encoder", "usem", ["minilm", "use"]))
    unknown encoder 'usem'; known: 'use', 'minilm'
    """
    names = ", ".join(repr(name) for name in known_names(given, known))
    return UnknownNameError(f"unknown {what} {given!r}; known: {names or 'none'}")
