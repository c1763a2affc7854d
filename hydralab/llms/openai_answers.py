"""What comes back from a server that speaks OpenAI's chat protocol, gathered; and what its failures mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hydralab.llms.contract import Failure, Usage

__all__ = ["Gathered", "failure_kind"]

TOO_LONG = ("context_length_exceeded", "context length", "maximum context", "context window", "context size")
DECLINED = ("content_filter", "data_inspection_failed", "content_policy_violation")
"""What providers call a prompt that they won't answer."""


@dataclass
class Gathered:
    """What has come of an answer so far."""

    started: float
    said: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    finish_reason: str | None = None
    usage: Usage | None = None
    model: str = ""

    def add(self, chunk: Any) -> str:
        """Take a chunk of a stream and return the text in it."""
        self.note(chunk)
        if not chunk.choices:
            return ""
        self.finish_reason = chunk.choices[0].finish_reason or self.finish_reason
        return self.say(chunk.choices[0].delta)

    def note(self, answer: Any) -> None:
        """Take model and usage of an answer or a chunk."""
        self.model = getattr(answer, "model", None) or self.model
        told = getattr(answer, "usage", None)
        if told is not None and isinstance(getattr(told, "prompt_tokens", None), int):
            details = getattr(told, "prompt_tokens_details", None)
            cached = getattr(details, "cached_tokens", None) or 0
            self.usage = Usage(told.prompt_tokens, getattr(told, "completion_tokens", None) or 0, cached)

    def say(self, message: Any) -> str:
        """Take the words of a message or of a piece of one, and return them."""
        if refusal := getattr(message, "refusal", None):
            self.refusal.append(refusal)
        content = message.content
        if isinstance(content, list):
            content = "".join(part.get("text", "") for part in content)
        if content is not None and not isinstance(content, str):
            raise TypeError(f"content is {type(content).__name__}, expected a text")
        self.said.append(content or "")
        return self.said[-1]


def failure_kind(openai: Any, error: Exception) -> Failure:
    """Return of which kind an exception of the openai package is."""
    said = f"{getattr(error, 'code', '')} {error}".lower()
    if isinstance(error, openai.BadRequestError):
        if any(words in said for words in TOO_LONG):
            return "too_long"
        return "refused" if any(words in said for words in DECLINED) else "rejected"
    kinds: tuple[tuple[type, Failure], ...] = (
        (openai.APITimeoutError, "timeout"),
        (openai.APIConnectionError, "unreachable"),
        (openai.RateLimitError, "rate_limited"),
        (openai.InternalServerError, "server_error"),
        (openai.APIStatusError, "rejected"),
        (openai.APIResponseValidationError, "malformed"),
        (openai.APIError, "server_error"),
    )
    return next((kind for raised, kind in kinds if isinstance(error, raised)), "failed")
