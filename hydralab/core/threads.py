"""Products of small arrays on one thread: where other work has the cores, waiting for a second one costs more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

__all__ = ["one_thread"]

_lock = Lock()
_limits: list[Any] = []
"""What undoes the limit; then one entry for everybody who wants it."""


@contextmanager
def one_thread() -> Iterator[None]:
    """Have the process's matrix products computed on one thread each while this is open.

    A product of some dozen rows takes a tenth of a millisecond; one that is shared out waits until a second
    core is free, up to some twenty where the machine is at work. Several threads may have this open at once:
    the last one to close it undoes it.

    >>> import numpy as np
    >>> with one_thread():
    ...     (np.ones((2, 2)) @ np.ones((2, 2))).tolist()
    [[2.0, 2.0], [2.0, 2.0]]
    """
    with _lock:
        _limits.append(None if _limits else _controller().limit(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _lock:
            if len(_limits) > 1:
                _limits.pop()
            else:
                _limits.pop().restore_original_limits()


@cache
def _controller() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
