"""Calls of chat models: each is noted, with its tokens, cost and time, whether it was answered or not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from hydralab.errors import HydralabError
from hydralab.frames import event
from hydralab.llms.contract import LLM, Delta, Failure, LLMError, Message, Outcome, Reply, Usage

__all__ = ["Call", "ask", "ask_async", "call_event", "record_calls", "stream", "stream_async"]


@dataclass(frozen=True)
class Call:
    """One call of a chat model.

    Attributes
    ----------
    model
        The name of what answered, or was asked.
    outcome
        One of `OUTCOMES`, or of `FAILURES` when there was no reply; "cut" also of a stream that was closed
        before its end.
    usage, cost, retries, milliseconds
        As in `Reply`; of a failure and of a stream closed early zeros, None, 0 and the time it took.
    detail
        What a failure said, or that the stream was closed.
    """

    model: str
    outcome: Outcome | Failure
    usage: Usage
    cost: float | None
    retries: int
    milliseconds: float
    detail: str = ""


_CALLS: ContextVar[tuple[list[Call], ...]] = ContextVar("hydralab_calls", default=())


@contextmanager
def record_calls() -> Iterator[list[Call]]:
    """Gather the calls of chat models made through hydralab while this is open.

    Asyncio tasks and `asyncio.to_thread` are part of it. A thread that you start yourself is so when it runs in
    a copy of the context, one a thread.

    >>> from hydralab.llms.scripted import Scripted
    >>> with record_calls() as calls:
    ...     _ = ask(Scripted(["Hello."]), [{"role": "user", "content": "Hi"}])
    >>> [(call.outcome, call.cost) for call in calls]
    [('ok', 0.0)]
    >>> from contextvars import copy_context
    >>> from threading import Thread
    >>> with record_calls() as calls:
    ...     asked = lambda: ask(Scripted(["Hello."]), [{"role": "user", "content": "Hi"}])
    ...     thread = Thread(target=copy_context().run, args=(asked,))
    ...     thread.start()
    ...     thread.join()
    >>> len(calls)
    1
    """
    calls: list[Call] = []
    token = _CALLS.set((*_CALLS.get(), calls))
    try:
        yield calls
    finally:
        _CALLS.reset(token)


def ask(
    llm: LLM, messages: Sequence[Message], *, max_tokens: int | None = None, temperature: float | None = None
) -> Reply:
    """Return the reply of a chat model, and note the call.

    Raises
    ------
    LLMError
        There is no reply, whatever the model raised.

    >>> from hydralab.llms.scripted import Scripted
    >>> ask(Scripted(["Hello."]), [{"role": "user", "content": "Hi"}]).text
    'Hello.'
    """
    with _noted(llm) as note:
        return note(llm.complete(messages, max_tokens=max_tokens, temperature=temperature))


async def ask_async(
    llm: LLM, messages: Sequence[Message], *, max_tokens: int | None = None, temperature: float | None = None
) -> Reply:
    """Return the reply of a chat model, for asyncio; a model without `acomplete` runs in a thread."""
    options: dict[str, Any] = {"max_tokens": max_tokens, "temperature": temperature}
    with _noted(llm) as note:
        if hasattr(llm, "acomplete"):
            return note(await llm.acomplete(messages, **options))
        return note(await asyncio.to_thread(llm.complete, messages, **options))


def stream(
    llm: LLM, messages: Sequence[Message], *, max_tokens: int | None = None, temperature: float | None = None
) -> Generator[Delta, None, None]:
    """Yield the reply of a chat model piece by piece, and note the call.

    >>> from hydralab.llms.scripted import Scripted
    >>> [delta.text for delta in stream(Scripted(["Hello there."]), [{"role": "user", "content": "Hi"}])]
    ['Hello ', 'there.', '']
    """
    with _noted(llm) as note:
        for delta in llm.stream(messages, max_tokens=max_tokens, temperature=temperature):
            if delta.reply is not None:
                note(delta.reply)
            yield delta


async def stream_async(
    llm: LLM, messages: Sequence[Message], *, max_tokens: int | None = None, temperature: float | None = None
) -> AsyncGenerator[Delta, None]:
    """Yield the reply of a chat model piece by piece, for asyncio; one without `astream` runs in a thread."""
    options: dict[str, Any] = {"max_tokens": max_tokens, "temperature": temperature}
    with _noted(llm) as note:
        pieces = (
            llm.astream(messages, **options) if hasattr(llm, "astream") else _threaded(llm, messages, options)
        )
        async for delta in pieces:
            if delta.reply is not None:
                note(delta.reply)
            yield delta


def call_event(
    stage: str, call: Call, *, dialogue_id: str | None = None, item_id: str | None = None
) -> dict[str, Any]:
    """Return a call as a row of the events table.

    Its status is "ok", "retried" (answered after repeats), "salvaged" (cut off) or "failed".

    >>> call_event("chat", Call("m", "ok", Usage(12, 3), 0.5, 1, 80.0))["detail"]
    'm: ok, 12 + 3 tokens, cost 0.500000, 1 retry'
    """
    status = {"ok": "retried" if call.retries else "ok", "cut": "salvaged"}.get(call.outcome, "failed")
    parts = [f"{call.model}: {call.outcome}"]
    if call.usage.prompt or call.usage.completion:
        about = "about " if call.usage.estimated else ""
        parts.append(f"{about}{call.usage.prompt} + {call.usage.completion} tokens")
    if call.usage.cached:
        parts.append(f"{call.usage.cached} of them cached")
    if call.cost:
        parts.append(f"cost {call.cost:.6f}")
    if call.retries:
        parts.append(f"{call.retries} {'retry' if call.retries == 1 else 'retries'}")
    if call.detail:
        parts.append(call.detail)
    return event(
        stage,
        status,
        detail=", ".join(parts),
        dialogue_id=dialogue_id,
        item_id=item_id,
        milliseconds=call.milliseconds,
    )


@contextmanager
def _noted(llm: LLM) -> Iterator[Any]:
    started = perf_counter()
    answered = False

    def note(reply: Reply) -> Reply:
        nonlocal answered
        if not isinstance(reply, Reply):
            raise LLMError(
                f"chat model {llm.name!r}: got {type(reply).__name__}, expected a Reply", "malformed"
            )
        model = reply.model or llm.name
        answered = True
        _record(Call(model, reply.outcome, reply.usage, reply.cost, reply.retries, reply.milliseconds))
        return reply

    try:
        yield note
    except (GeneratorExit, asyncio.CancelledError):  # whoever asked wants no more of it; it is paid for
        if not answered:
            _record(Call(llm.name, "cut", Usage(), None, 0, _since(started), "closed before its end"))
        raise
    except HydralabError as error:
        _record_failure(llm, error, started)
        raise
    except Exception as error:  # whatever a user's function or another model raises is a failed call
        told = LLMError(f"chat model {llm.name!r}: {type(error).__name__}: {error}")
        _record_failure(llm, told, started)
        raise told from error


def _record(call: Call) -> None:
    for calls in _CALLS.get():
        calls.append(call)


def _record_failure(llm: LLM, error: HydralabError, started: float) -> None:
    kind = error.kind if isinstance(error, LLMError) else "failed"
    _record(Call(llm.name, kind, Usage(), None, 0, _since(started), str(error)))


def _since(started: float) -> float:
    return (perf_counter() - started) * 1e3


async def _threaded(llm: LLM, messages: Sequence[Message], options: dict[str, Any]) -> AsyncIterator[Delta]:
    pieces = llm.stream(messages, **options)
    while (delta := await asyncio.to_thread(next, pieces, None)) is not None:
        yield delta
