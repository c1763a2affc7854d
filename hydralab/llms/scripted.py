"""A chat model that says what it was told to: for demos, tests, and rules in the place of a model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from hydralab.errors import HydralabError
from hydralab.llms.contract import Delta, LLMError, Message, Reply, Usage, outcome_of, sendable_messages
from hydralab.texts import tokenizer

__all__ = ["Scripted"]

PIECES = re.compile(r"\S+\s*|\s+")

Script = Callable[[Sequence[Message]], "str | Reply | Exception"]


@dataclass(frozen=True, eq=False)
class Scripted:
    """Answers by a function of the messages, or from a list in its order.

    Parameters
    ----------
    script
        A function from messages to a text or a `Reply`; or a list of texts, replies and exceptions, of which
        each call takes the next. An exception is raised. The function may be called from several threads.
    name
        The name to show.
    window
        The most tokens of prompt and reply together, counted by cl100k_base; a longer prompt is refused.

    >>> Scripted(["Hello."]).complete([{"role": "user", "content": "Hi"}]).text
    'Hello.'
    >>> Scripted(lambda messages: messages[-1]["content"].upper()).complete([{"role": "user", "content": "hi"}]).text
    'HI'
    """

    script: Script | Sequence[str | Reply | Exception] = field(repr=False)
    name: str = "scripted"
    window: int | None = None
    _left: Iterator[str | Reply | Exception] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        """Start at the head of a list."""
        if isinstance(self.script, str) or not (callable(self.script) or isinstance(self.script, Sequence)):
            raise HydralabError(
                f"Scripted: got {self.script!r:.80}, expected a function or a list of replies"
            )
        if not callable(self.script):
            object.__setattr__(self, "_left", iter(tuple(self.script)))

    def complete(
        self,
        messages: Sequence[Message],
        /,
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> Reply:
        """Return the next reply, cut off at `max_tokens`."""
        started = perf_counter()
        sent = sendable_messages(messages)
        counter = tokenizer()
        asked = counter.count_messages(sent)
        if self.window is not None and asked >= self.window:
            raise LLMError(
                f"chat model {self.name!r}: {asked} tokens, expected under {self.window}", "too_long"
            )
        said = self._next(sent)
        reply = said if isinstance(said, Reply) else Reply(said, outcome_of(said, "stop"))
        if max_tokens is not None and counter.count(reply.text) > max_tokens:
            text = counter.truncate(reply.text, max_tokens)
            reply = replace(reply, text=text, outcome=outcome_of(text, "length"), finish_reason="length")
        return replace(
            reply,
            model=reply.model or self.name,
            usage=Usage(asked, counter.count(reply.text), estimated=True),
            cost=0.0 if reply.cost is None else reply.cost,
            milliseconds=(perf_counter() - started) * 1e3,
        )

    def stream(
        self,
        messages: Sequence[Message],
        /,
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> Iterator[Delta]:
        """Yield the next reply word by word."""
        reply = self.complete(messages, max_tokens=max_tokens, temperature=temperature)
        for piece in PIECES.findall(reply.text):
            yield Delta(piece)
        yield Delta("", reply)

    def _next(self, messages: Sequence[Message]) -> str | Reply:
        if callable(self.script):
            said = self.script(messages)
        else:
            assert self._left is not None
            try:
                said = next(self._left)
            except StopIteration:
                raise LLMError(
                    f"chat model {self.name!r}: all {len(self.script)} replies are used up, expected a longer list"
                ) from None
        if isinstance(said, Exception):
            raise said
        if not isinstance(said, str | Reply):
            raise LLMError(
                f"chat model {self.name!r}: the script gave {type(said).__name__}, expected a text or a Reply",
                "malformed",
            )
        return said
