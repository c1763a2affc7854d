"""Work that nobody waits for, one piece after the other, in a thread that is there as long as there is work."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Condition, Thread, current_thread

__all__ = ["MOST_WAITING", "Background", "Work"]

MOST_WAITING = 64


@dataclass(frozen=True)
class Work:
    """A piece of work.

    Attributes
    ----------
    do
        Does it; what it returns is awaited where it can be. It must not raise.
    put_aside
        Called in its place when there is too much to do.
    """

    do: Callable[[], Awaitable[None] | None]
    put_aside: Callable[[], None]


class Background:
    """A bounded queue and the thread with an event loop that works it off.

    The thread ends with the queue, so nothing is left behind by an agent that is no more used; a process ends
    when its work is done.

    Parameters
    ----------
    name
        Of the thread.
    most
        So many pieces may wait: one more, and the one that has waited longest is put aside.

    >>> background, done = Background("example"), []
    >>> background.submit(Work(lambda: done.append(1), lambda: None))
    >>> background.drain(), done
    (True, [1])
    """

    def __init__(self, name: str, most: int = MOST_WAITING) -> None:
        self._name = name
        self._most = most
        self._waiting: deque[Work] = deque()
        self._first: deque[Work] = deque()
        self._changed = Condition()
        self._thread: Thread | None = None
        self._idle: list[Future[None]] = []

    def submit(self, work: Work, *, first: bool = False) -> None:
        """Add a piece of work behind what waits; or before all of it, and then it is never put aside."""
        aside = None
        with self._changed:
            if first:
                self._first.append(work)
            else:
                if len(self._waiting) >= self._most:
                    aside = self._waiting.popleft()
                self._waiting.append(work)
            if self._thread is None:
                self._start()
        if aside is not None:
            aside.put_aside()

    def drain(self, timeout: float | None = None) -> bool:
        """Wait until all is done; tell whether it was within `timeout` seconds."""
        if current_thread() is self._thread:
            return False  # asked by the work itself
        with self._changed:
            return self._changed.wait_for(lambda: self._thread is None, timeout)

    async def adrain(self) -> None:
        """Do what `drain` does, for asyncio."""
        with self._changed:
            if self._thread is None:
                return
            idle: Future[None] = Future()
            self._idle.append(idle)
        await asyncio.wrap_future(idle)

    def _run(self) -> None:
        try:
            asyncio.run(self._work_off())
        finally:
            self._end()

    async def _work_off(self) -> None:
        while (work := self._next()) is not None:
            result = work.do()
            if result is not None:
                await result

    def _next(self) -> Work | None:
        with self._changed:
            waiting = self._first or self._waiting
            return waiting.popleft() if waiting else None

    def _end(self) -> None:
        """Tell those who wait that all is done; what came at the last moment gets a thread of its own."""
        with self._changed:
            self._thread = None
            if self._first or self._waiting:
                self._start()
                return
            idle, self._idle = self._idle, []
            self._changed.notify_all()
        for each in idle:
            if each.set_running_or_notify_cancel():
                each.set_result(None)

    def _start(self) -> None:
        self._thread = Thread(target=self._run, name=self._name)
        self._thread.start()
