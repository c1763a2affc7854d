"""How a chat model is asked: at once or piece by piece, waiting or with asyncio; the same script drives all four."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterator, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any, TypeVar

from hydralab.llms import (
    LLM,
    Call,
    Delta,
    LLMError,
    Message,
    Reply,
    ask,
    ask_async,
    record_calls,
    stream,
    stream_async,
)

__all__ = ["Calls", "Question", "Script", "run", "run_async", "run_stream", "run_stream_async"]

Value = TypeVar("Value")


class Calls:
    """Notes the calls of chat models made in a context of its own, which lasts as long as the object.

    A generator may be resumed from other threads and tasks than it was begun in, so what it does runs in here.
    """

    def __init__(self) -> None:
        self._context = copy_context()
        self._recording = record_calls()
        self.made: list[Call] = self._context.run(self._recording.__enter__)

    def close(self) -> None:
        """Note no more."""
        self._context.run(self._recording.__exit__, None, None, None)

    def run(self, function: Callable[..., Value], *arguments: Any, **named: Any) -> Value:
        """Call a function."""
        return self._context.run(function, *arguments, **named)

    async def run_async(self, coroutine: Coroutine[Any, Any, Value]) -> Value:
        """Await a coroutine."""
        return await asyncio.create_task(coroutine, context=self._context)


@dataclass
class Question:
    """What a script wants a model to be asked.

    Attributes
    ----------
    messages
        The prompt.
    max_tokens
        The most tokens of the answer.
    shown
        Whether the answer is the one that is streamed.
    said
        What of it has been said so far.
    """

    llm: LLM
    messages: Sequence[Message]
    max_tokens: int
    calls: Calls
    shown: bool = True
    said: list[str] = field(default_factory=list)


Script = Generator[Question, Reply, Reply]
"""Yields questions, is sent the replies, and returns the reply for the user."""


def run(script: Script) -> Reply:
    """Run a script to its end."""
    try:
        asked = _advance(script.send, None)
        while isinstance(asked, Question):
            try:
                reply = asked.calls.run(ask, asked.llm, asked.messages, max_tokens=asked.max_tokens)
            except BaseException as error:
                asked = _advance(script.throw, error)
            else:
                asked = _advance(script.send, reply)
        return asked
    finally:
        script.close()


async def run_async(script: Script) -> Reply:
    """Do what `run` does, for asyncio: the script's own work is done in a thread."""
    try:
        asked = await _in_thread(_advance, script.send, None)
        while isinstance(asked, Question):
            try:
                reply = await asked.calls.run_async(
                    ask_async(asked.llm, asked.messages, max_tokens=asked.max_tokens)
                )
            except BaseException as error:
                asked = await _in_thread(_advance, script.throw, error)
            else:
                asked = await _in_thread(_advance, script.send, reply)
        return asked
    finally:
        script.close()


def run_stream(script: Script) -> Generator[Delta, None, None]:
    """Run a script, and yield the reply for the user piece by piece; the last piece has the whole of it."""
    shown = False
    try:
        asked = _advance(script.send, None)
        while isinstance(asked, Question):
            try:
                pieces = asked.calls.run(stream, asked.llm, asked.messages, max_tokens=asked.max_tokens)
                reply = None
                try:
                    while (delta := asked.calls.run(next, pieces, None)) is not None:
                        reply = delta.reply or reply
                        asked.said.append(delta.text)
                        if asked.shown and delta.text:
                            shown = True
                            yield Delta(delta.text)
                finally:
                    asked.calls.run(pieces.close)
                answer = _whole(asked, reply)
            except BaseException as error:
                asked = _advance(script.throw, error)
            else:
                asked = _advance(script.send, answer)
    finally:
        script.close()
    yield from _ending(asked, shown)


async def run_stream_async(script: Script) -> AsyncGenerator[Delta, None]:
    """Do what `run_stream` does, for asyncio."""
    shown = False
    try:
        asked = await _in_thread(_advance, script.send, None)
        while isinstance(asked, Question):
            try:
                pieces = stream_async(asked.llm, asked.messages, max_tokens=asked.max_tokens)
                reply = None
                try:
                    while (delta := await asked.calls.run_async(_next(pieces))) is not None:
                        reply = delta.reply or reply
                        asked.said.append(delta.text)
                        if asked.shown and delta.text:
                            shown = True
                            yield Delta(delta.text)
                finally:
                    await asked.calls.run_async(_closed(pieces))
                answer = _whole(asked, reply)
            except BaseException as error:
                next_or_raised = await _in_thread(_thrown, script, error)
                if isinstance(next_or_raised, BaseException):
                    raise next_or_raised from None
                asked = next_or_raised
            else:
                asked = await _in_thread(_advance, script.send, answer)
    finally:
        script.close()
    for delta in _ending(asked, shown):
        yield delta


def _advance(step: Callable[[Any], Question], value: Any) -> Question | Reply:
    """Let a script go on to its next question, or to its end."""
    try:
        return step(value)
    except StopIteration as done:
        reply: Reply = done.value
        return reply


def _thrown(script: Script, error: BaseException) -> Question | Reply | BaseException:
    """Let a script meet an error, and return what it raises: that a stream is closed can't be told by a future."""
    try:
        return _advance(script.throw, error)
    except BaseException as raised:
        return raised


async def _in_thread(function: Callable[..., Value], *arguments: Any) -> Value:
    """Run a function in a thread; who is cancelled meanwhile waits for its end, as it may be writing."""
    work = asyncio.ensure_future(asyncio.to_thread(function, *arguments))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.wait([work])
        raise


async def _next(pieces: AsyncGenerator[Delta, None]) -> Delta | None:
    return await anext(pieces, None)


async def _closed(pieces: AsyncGenerator[Delta, None]) -> None:
    await pieces.aclose()


def _whole(asked: Question, reply: Reply | None) -> Reply:
    if reply is None:
        raise LLMError(
            f"chat model {asked.llm.name!r}: its stream ended without the whole reply", "malformed"
        )
    return reply


def _ending(reply: Reply, shown: bool) -> Iterator[Delta]:
    if not shown and reply.text:
        yield Delta(reply.text)
    yield Delta("", reply)
