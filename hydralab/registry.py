"""Named things that users can add to: readers, encoders, signals, triggers, indexes, strategies."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from typing import ClassVar, Generic, TypeVar, cast

from hydralab.errors import HydralabError, unknown_name

__all__ = ["Registry", "generation"]

T = TypeVar("T")
Entry = TypeVar("Entry")


class Registry(Generic[T]):
    """A table of names, filled by a decorator and by the entry-point group of third parties.

    Re-registering a name from the same module and qualified name replaces the entry, so a re-run
    notebook cell leaves no ghost; the same name from elsewhere is an error.

    >>> greetings: Registry = Registry("greeting")
    >>> @greetings.register("hello")
    ... def hello(): return "hello"
    >>> greetings["hello"]()
    'hello'
    >>> greetings["helo"]
    Traceback (most recent call last):
    ...
    hydralab.errors.UnknownNameError: unknown greeting 'helo'; known: 'hello'
    """

    replaced: ClassVar[int] = 0
    """How often a name of any registry was given to something else; see `generation`."""

    def __init__(self, what: str, *, group: str | None = None) -> None:
        self.what = what
        self._group = group
        self._entries: dict[str, T] = {}
        self._origins: dict[str, tuple[str, str]] = {}
        self._plugins_loaded = group is None

    def register(self, name: str) -> Callable[[Entry], Entry]:
        """Return a decorator that files its argument under `name`; to type checkers it stays what it was."""

        def file(entry: Entry) -> Entry:
            self.add(name, cast("T", entry))
            return entry

        return file

    def add(self, name: str, entry: T) -> None:
        """File `entry` under `name`."""
        origin = _origin(entry)
        present = self._origins.get(name, origin)
        if name in self._entries and present != origin:
            raise HydralabError(
                f"{self.what} {name!r} is already registered by {'.'.join(present)}; "
                f"{'.'.join(origin)} needs another name"
            )
        Registry.replaced += name in self._entries and self._entries[name] is not entry
        self._entries[name], self._origins[name] = entry, origin

    def __getitem__(self, name: str) -> T:
        self._load_plugins()
        try:
            return self._entries[name]
        except (KeyError, TypeError):  # what can't be hashed is no name either
            raise unknown_name(self.what, name, self._entries) from None

    def __contains__(self, name: object) -> bool:
        self._load_plugins()
        return isinstance(name, str) and name in self._entries

    def __iter__(self) -> Iterator[str]:
        self._load_plugins()
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        self._load_plugins()
        return len(self._entries)

    def __repr__(self) -> str:
        return f"Registry({self.what!r}: {', '.join(self)})"

    def _load_plugins(self) -> None:
        if self._plugins_loaded or self._group is None:
            return
        self._plugins_loaded = True
        for point in entry_points(group=self._group):
            try:
                self.add(point.name, point.load())
            except Exception as error:  # whatever a third party's module raises costs that plug-in only
                warnings.warn(
                    f"{self.what} {point.name!r} of {point.value} is left out: {error}", stacklevel=3
                )


def generation() -> int:
    """Return a number that changes whenever a registered name comes to stand for something else.

    Settings hold names, so they stay equal when a notebook cell that registers one is run again: what
    is kept by settings is to be kept by them and this number.

    >>> greetings, before = Registry("greeting"), generation()
    >>> greetings.add("hello", "Good day"); generation() - before
    0
    >>> greetings.add("hello", "Good evening"); generation() - before
    1
    """
    return Registry.replaced


def _origin(entry: object, depth: int = 2) -> tuple[str, str]:
    """Return where an entry comes from: of a function or class its own place, of a value that of the caller."""
    if hasattr(entry, "__qualname__"):
        return str(getattr(entry, "__module__", "?")), str(entry.__qualname__)
    return str(sys._getframe(depth).f_globals.get("__name__", "?")), type(entry).__qualname__
