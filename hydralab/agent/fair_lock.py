"""One at a time, in the order of asking: for threads and asyncio alike."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from threading import Lock, get_ident

from hydralab.errors import HydralabError

__all__ = ["FairLock"]


class FairLock:
    """A lock that threads and asyncio tasks wait for in one line; who waits in asyncio blocks no thread.

    >>> lock = FairLock()
    >>> with lock.held():
    ...     lock.is_held
    True
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._line: deque[Future[None]] = deque()
        self.is_held = False
        self._thread: int | None = None
        self._loops: list[int] = []
        """Threads whose loops hold it or wait for it: to wait in one of them would stop its loop for ever."""

    @contextmanager
    def held(self) -> Iterator[None]:
        """Wait for one's turn, and let the next one in at the end.

        Raises
        ------
        HydralabError
            This thread holds it already, or its loop holds it or waits for it, so that it would wait for itself.
        """
        if self._thread == get_ident() or get_ident() in self._loops:
            raise HydralabError(
                "agent: a chat of this agent is under way in this thread; expected it, or its stream, "
                "to be finished or closed first"
            )
        turn = self._stand_in_line()
        try:
            turn.result()
        except BaseException:
            self._give_up(turn)
            raise
        self._thread = get_ident()
        try:
            yield
        finally:
            self._thread = None
            self._let_next_in()

    @asynccontextmanager
    async def aheld(self) -> AsyncIterator[None]:
        """Do what `held` does, for asyncio."""
        turn, thread = self._stand_in_line(), get_ident()
        self._loops.append(thread)
        try:
            try:
                await asyncio.wrap_future(turn)
            except BaseException:
                self._give_up(turn)
                raise
            try:
                yield
            finally:
                self._let_next_in()
        finally:
            self._loops.remove(thread)

    def _stand_in_line(self) -> Future[None]:
        turn: Future[None] = Future()
        with self._lock:
            if self.is_held:
                self._line.append(turn)
            else:
                self.is_held = True
                turn.set_result(None)
        return turn

    def _let_next_in(self) -> None:
        with self._lock:
            while self._line:
                turn = self._line.popleft()
                if turn.set_running_or_notify_cancel():
                    turn.set_result(None)
                    return
            self.is_held = False

    def _give_up(self, turn: Future[None]) -> None:
        """Leave the line; whose turn has come meanwhile hands it on."""
        if not turn.cancel():
            self._let_next_in()
