"""Methods that a store in front of another one leaves to it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

__all__ = ["delegate"]

P = ParamSpec("P")
R = TypeVar("R")


def delegate(
    method: Callable[Concatenate[Any, P], R], *, to: str = "store"
) -> Callable[Concatenate[Any, P], R]:
    """Return a method that calls the one of the same name behind, with its signature and docstring.

    Parameters
    ----------
    method
        As the protocol declares it.
    to
        The attribute that holds the store behind.

    >>> from hydralab.stores import MemoryStore, Store
    >>> class Front:
    ...     models = delegate(Store.models)
    ...     def __init__(self, store):
    ...         self.store = store
    >>> Front(MemoryStore()).models()
    {}
    """

    @wraps(method)
    def delegated(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        behind: Callable[P, R] = getattr(getattr(self, to), method.__name__)
        return behind(*args, **kwargs)

    return delegated
