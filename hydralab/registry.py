"""Named things that users can add to: readers, encoders, signals, triggers, indexes, strategies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from typing import Generic, TypeVar

from hydralab.errors import HydralabError, unknown_name

__all__ = ["Registry"]

T = TypeVar("T")


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

    def __init__(self, what: str, *, group: str | None = None) -> None:
        self.what = what
        self._group = group
        self._entries: dict[str, T] = {}
        self._plugins_loaded = group is None

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that files its argument under `name`."""

        def file(entry: T) -> T:
            self.add(name, entry)
            return entry

        return file

    def add(self, name: str, entry: T) -> None:
        """File `entry` under `name`."""
        present = self._entries.get(name)
        if present is not None and _origin(present) != _origin(entry):
            raise HydralabError(
                f"{self.what} {name!r} is already registered by {'.'.join(_origin(present))}; "
                f"{'.'.join(_origin(entry))} needs another name"
            )
        self._entries[name] = entry

    def __getitem__(self, name: str) -> T:
        self._load_plugins()
        try:
            return self._entries[name]
        except KeyError:
            raise unknown_name(self.what, name, self._entries) from None

    def __contains__(self, name: object) -> bool:
        self._load_plugins()
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        self._load_plugins()
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        self._load_plugins()
        return len(self._entries)

    def _load_plugins(self) -> None:
        if self._plugins_loaded:
            return
        self._plugins_loaded = True
        for point in entry_points(group=self._group):
            self.add(point.name, point.load())


def _origin(entry: object) -> tuple[str, str]:
    named = entry if hasattr(entry, "__qualname__") else type(entry)
    return str(getattr(named, "__module__", "?")), str(getattr(named, "__qualname__", "?"))
