"""Values as a trigger keeps them: plain Python, so that its text and its JSON can be read again."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from hydralab.errors import HydralabError, brief
from hydralab.signals.base import Lookahead

__all__ = ["checked_lookahead", "plain"]


def plain(value: Any) -> Any:
    """Return NumPy's numbers as Python's, and lists at any depth as tuples, so that a trigger can be a key.

    >>> plain([np.int64(3), np.float32(0.5)])
    (3, 0.5)
    """
    if isinstance(value, (list, tuple)):
        return tuple(map(plain, value))
    return value.item() if isinstance(value, np.generic) else value


def checked_lookahead(what: str, given: Any) -> Lookahead:
    """Return a look-ahead, or refuse what is none; a truth value is no number of turns.

    >>> checked_lookahead("expr", True)
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: expr: lookahead is True, expected a number of turns from 0, or 'all'
    """
    if isinstance(given, str) and given == "all":
        return "all"
    if isinstance(given, Integral) and not isinstance(given, bool) and int(given) >= 0:
        return int(given)
    raise HydralabError(f"{what}: lookahead is {brief(given)}, expected a number of turns from 0, or 'all'")
