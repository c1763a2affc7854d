"""What a chat model is: messages in; text, why it ended, and what it used out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import getattr_static
from typing import Any, Literal, Protocol

from hydralab.errors import HydralabError
from hydralab.texts import sendable

__all__ = [
    "FAILURES",
    "LLM",
    "OUTCOMES",
    "Delta",
    "Failure",
    "LLMError",
    "Message",
    "Outcome",
    "Reply",
    "Usage",
    "is_llm",
    "outcome_of",
    "sendable_messages",
]

Message = Mapping[str, Any]
"""A message as OpenAI's protocol has it: "role", "content", and for tools "tool_calls", "tool_call_id"."""

Outcome = Literal["ok", "cut", "empty", "refused"]
OUTCOMES: tuple[Outcome, ...] = ("ok", "cut", "empty", "refused")
"""How a reply ended: whole; cut off by its limit or a lost connection; without a word; declined."""

Failure = Literal[
    "timeout",
    "rate_limited",
    "unreachable",
    "server_error",
    "rejected",
    "refused",
    "malformed",
    "too_long",
    "failed",
]
FAILURES: tuple[Failure, ...] = (
    "timeout",
    "rate_limited",
    "unreachable",
    "server_error",
    "rejected",
    "refused",
    "malformed",
    "too_long",
    "failed",
)
"""Why there is no reply: no answer in time; too many requests; no server; its fault; a request it does not
take; one it declines to answer; an answer that isn't the protocol's; more tokens than the model reads; anything
else."""


class LLMError(HydralabError):
    """A chat model gave no reply.

    Parameters
    ----------
    message
        One sentence that names the model.
    kind
        One of `FAILURES`.
    """

    def __init__(self, message: str, kind: Failure = "failed") -> None:
        super().__init__(message)
        self.kind: Failure = kind


@dataclass(frozen=True)
class Usage:
    """Tokens that a reply took.

    Attributes
    ----------
    prompt, completion
        Tokens read and written.
    cached
        Tokens of the prompt that the server had in its prefix cache.
    estimated
        Whether the numbers are a count of hydralab's, as the server told none.
    """

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    estimated: bool = False


@dataclass(frozen=True)
class Reply:
    """What a chat model answered.

    Attributes
    ----------
    text
        The words; of a refusal what it said. Lone surrogates are replaced.
    outcome
        One of `OUTCOMES`.
    finish_reason
        As the server tells it ("stop", "length", "content_filter" …); None when it told none.
    model
        The name of what answered.
    usage
        Tokens.
    cost
        In the currency of the price table; None when the model has no price in it.
    retries
        How often the request was repeated before it was answered.
    milliseconds
        From the request to the last word.
    """

    text: str
    outcome: Outcome = "ok"
    finish_reason: str | None = "stop"
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    retries: int = 0
    milliseconds: float = 0.0

    def __post_init__(self) -> None:
        """Replace what no table can hold."""
        object.__setattr__(self, "text", sendable(self.text))


@dataclass(frozen=True)
class Delta:
    """A piece of a reply while it is written; the last one has no text but the whole reply."""

    text: str
    reply: Reply | None = None


class LLM(Protocol):
    """Anything with a name, a window, `complete` and `stream`.

    A model may also have ``acomplete`` and ``astream``, the same for asyncio; without them hydralab runs the
    others in a thread. `check_llm` tests the rest of the contract.
    """

    @property
    def name(self) -> str:
        """The name to show."""

    @property
    def window(self) -> int | None:
        """The most tokens that prompt and reply may have together; None when it isn't known."""

    def complete(
        self,
        messages: Sequence[Message],
        /,
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> Reply:
        """Return the reply to some messages.

        Raises
        ------
        LLMError
            There is none.
        """

    def stream(
        self,
        messages: Sequence[Message],
        /,
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> Iterator[Delta]:
        """Yield the reply piece by piece, and at last a `Delta` with the whole of it.

        Raises
        ------
        LLMError
            There is none, or it broke off with an error.
        """


def is_llm(thing: object) -> bool:
    """Tell whether something has what a chat model has, without asking it for any.

    >>> is_llm("openai:gpt-4o-mini")
    False
    """
    missing = object()
    parts = (getattr_static(thing, part, missing) for part in ("name", "window", "complete", "stream"))
    return not isinstance(thing, type) and all(part is not missing for part in parts)


def outcome_of(text: str, finish_reason: str | None) -> Outcome:
    """Return how a reply ended.

    >>> outcome_of("The budget is", "length"), outcome_of(" ", "stop"), outcome_of("", "content_filter")
    ('cut', 'empty', 'refused')
    """
    if finish_reason == "content_filter":
        return "refused"
    if not text.strip():
        return "empty"
    return "cut" if finish_reason in ("length", "max_tokens", None) else "ok"


def sendable_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return messages as they can be sent, lone surrogates replaced.

    Raises
    ------
    HydralabError
        There is none, or one lacks a role or is no mapping.

    >>> sendable_messages([{"role": "user", "content": "hi"}])
    [{'role': 'user', 'content': 'hi'}]
    """
    listed = [messages] if isinstance(messages, Mapping) else list(messages)
    for place, each in enumerate(listed):
        if not isinstance(each, Mapping) or not isinstance(each.get("role"), str):
            raise HydralabError(
                f"messages: entry {place} is {each!r:.80}, expected {{'role': 'user', 'content': …}}"
            )
    if not listed:
        raise HydralabError("messages: got none, expected at least one")
    return [{name: _sendable(value) for name, value in each.items()} for each in listed]


def _sendable(value: Any) -> Any:
    if isinstance(value, str):
        return sendable(value)
    if isinstance(value, Mapping):
        return {name: _sendable(each) for name, each in value.items()}
    return [_sendable(each) for each in value] if isinstance(value, list | tuple) else value
