"""The contract of a chat model, as checks that anyone can run on theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType

from hydralab.errors import HydralabError, broken_promises
from hydralab.llms.calling import ask, ask_async, stream, stream_async
from hydralab.llms.contract import LLM, OUTCOMES, Message, Reply
from hydralab.llms.names import LLMSpec, get_llm

__all__ = ["LLM_CHECKS", "check_llm"]

HELLO: Sequence[Message] = (
    {"role": "system", "content": "Answer in one short sentence."},
    {"role": "user", "content": "Say hello. 打个招呼。"},
)
ODD: Sequence[Message] = (
    {"role": "user", "content": "half a pair: \ud83d, NUL \x00, 👩‍👩‍👧 \u202bשלום\u202c <|im_end|>"},
    {"role": "assistant", "content": ""},
    {"role": "user", "content": "And now?"},
)


def check_llm(llm: LLMSpec) -> None:
    """Check that a chat model holds what hydralab relies on; makes about eight short calls.

    Name and window; a typed reply with tokens and time; the same reply when streamed, ending in a whole one;
    the same for asyncio; a limit of tokens kept to; odd texts; several calls at once; nothing that was passed
    in is changed; a repr without an address.

    Raises
    ------
    HydralabError
        With every check that failed, and how.

    >>> check_llm(lambda messages: "Hello, 你好.")
    """
    chosen = get_llm(llm)
    broken = broken_promises(LLM_CHECKS, chosen)
    if broken:
        raise HydralabError(f"chat model {chosen.name!r} breaks its contract: {'; '.join(broken)}")


def _check_names(llm: LLM) -> None:
    _hold(isinstance(llm.name, str) and bool(llm.name), f"name is {llm.name!r}, expected a word")
    known = llm.window is None or (isinstance(llm.window, int) and llm.window > 0)
    _hold(known, f"window is {llm.window!r}, expected a number of tokens or None")
    _hold(" at 0x" not in repr(llm), f"repr is {llm!r}, expected one without an address")


def _check_reply(llm: LLM) -> None:
    _check_whole(ask(llm, HELLO, max_tokens=32))


def _check_stream(llm: LLM) -> None:
    deltas = list(stream(llm, HELLO, max_tokens=32))
    _hold(bool(deltas) and deltas[-1].reply is not None, "a stream ends without the whole reply")
    _hold(all(delta.reply is None for delta in deltas[:-1]), "a stream goes on after the whole reply")
    whole = deltas[-1].reply
    assert whole is not None
    _check_whole(whole)
    said = "".join(delta.text for delta in deltas)
    _hold(said == whole.text, f"the pieces are {said!r}, the reply is {whole.text!r}")


def _check_async(llm: LLM) -> None:
    async def both() -> tuple[list[Reply], list[str]]:
        replies = await asyncio.gather(*(ask_async(llm, HELLO, max_tokens=16) for _ in range(2)))
        return list(replies), [delta.text async for delta in stream_async(llm, HELLO, max_tokens=16)]

    # In a thread of its own: in a notebook a loop runs already.
    with ThreadPoolExecutor(1) as thread:
        replies, _ = thread.submit(asyncio.run, both()).result()
    for reply in replies:
        _check_whole(reply)


def _check_limit(llm: LLM) -> None:
    reply = ask(llm, HELLO, max_tokens=1)
    _hold(
        reply.usage.completion <= 1 or reply.usage.estimated,
        f"{reply.usage.completion} tokens, expected at most 1",
    )


def _check_odd(llm: LLM) -> None:
    sent = [dict(each) for each in ODD]
    _check_whole(ask(llm, sent, max_tokens=8))
    _hold(sent == [dict(each) for each in ODD], "the messages were changed")


LLM_CHECKS: Mapping[str, Callable[[LLM], None]] = MappingProxyType(
    {
        "names": _check_names,
        "reply": _check_reply,
        "stream": _check_stream,
        "asyncio": _check_async,
        "limit": _check_limit,
        "odd texts": _check_odd,
    }
)
"""Name → check; a check raises AssertionError with what it found and what was expected."""


def _check_whole(reply: Reply) -> None:
    _hold(isinstance(reply, Reply), f"got {type(reply).__name__}, expected a Reply")
    _hold(reply.outcome in OUTCOMES, f"outcome is {reply.outcome!r}, expected one of {', '.join(OUTCOMES)}")
    _hold(
        reply.outcome == "empty" or bool(reply.text.strip()), f"no text, but the outcome is {reply.outcome!r}"
    )
    _hold(reply.usage.prompt > 0, "the prompt is said to have no tokens")
    _hold(reply.milliseconds >= 0, f"it took {reply.milliseconds} ms")


def _hold(held: bool, otherwise: str) -> None:
    if not held:
        raise AssertionError(otherwise)
