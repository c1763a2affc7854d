"""Chat models behind an OpenAI-compatible `/v1/chat/completions` endpoint."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from hydralab.errors import HydralabError, check_settings
from hydralab.llms.contract import (
    Delta,
    LLMError,
    Message,
    Reply,
    Usage,
    outcome_of,
    sendable_messages,
)
from hydralab.llms.openai_answers import Gathered, failure_kind
from hydralab.llms.openai_client import OPENAI_URL, openai_client, parse_server, read_key
from hydralab.llms.prices import cost_of
from hydralab.optional import load_optional
from hydralab.texts import tokenizer

__all__ = ["OpenAIChat", "parse_openai_chat"]


@dataclass(frozen=True)
class OpenAIChat:
    """A model of a server that speaks OpenAI's chat protocol: OpenAI, vLLM, Ollama, llama.cpp, DeepSeek …

    The key is read from the environment when a request is made; servers that want none get "none". A request
    that times out, is rate-limited (Retry-After is kept to) or meets a server error is repeated by the openai
    package, with exponential back-off and jitter, at most `retries` times.

    Parameters
    ----------
    model
        The server's name for the model.
    url
        The base of the endpoint, `/v1` included.
    window
        Tokens that the model reads and writes; None when it isn't known.
    timeout
        Seconds without a byte until a request counts as lost.
    retries
        How often a request is repeated.
    key
        The environment variable that holds the key.
    options
        Further fields of the request, such as {"response_format": {"type": "json_object"}}.

    >>> OpenAIChat("qwen3-8b", "http://localhost:8000/v1").name
    'openai:qwen3-8b@http://localhost:8000/v1'
    """

    model: str
    url: str = OPENAI_URL
    window: int | None = None
    timeout: float = 60.0
    retries: int = 3
    key: str = "OPENAI_API_KEY"
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_settings(self, window=1, timeout=0.001)

    @property
    def name(self) -> str:
        """The model and where it runs."""
        return f"openai:{self.model}@{self.url}"

    def complete(
        self,
        messages: Sequence[Message],
        /,
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> Reply:
        """Return the server's reply.

        Raises
        ------
        LLMError
            With the kind of failure, after the repeats.
        """
        started = perf_counter()
        request = self._request(messages, max_tokens, temperature)
        with self._told():
            answer = _client(self).chat.completions.with_raw_response.create(**request)
            return self._reply(answer.parse(), request, answer.retries_taken, started)

    def stream(
        self,
        messages: Sequence[Message],
        /,
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> Iterator[Delta]:
        """Yield the reply as the server writes it. What was begun is not repeated.

        Raises
        ------
        LLMError
            With the kind of failure.
        """
        gathered = Gathered(perf_counter())
        request = self._request(messages, max_tokens, temperature) | STREAMED
        with self._told():
            answer = _client(self).chat.completions.with_raw_response.create(**request)
            for chunk in answer.parse():
                if piece := gathered.add(chunk):
                    yield Delta(piece)
        yield Delta("", self._gathered_reply(gathered, request, answer.retries_taken))

    async def acomplete(
        self,
        messages: Sequence[Message],
        /,
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> Reply:
        """Return the server's reply; as `complete`, for asyncio."""
        started = perf_counter()
        request = self._request(messages, max_tokens, temperature)
        with self._told():
            async with _async_client(self) as client:
                answer = await client.chat.completions.with_raw_response.create(**request)
                return self._reply(answer.parse(), request, answer.retries_taken, started)

    async def astream(
        self,
        messages: Sequence[Message],
        /,
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> AsyncIterator[Delta]:
        """Yield the reply as the server writes it; as `stream`, for asyncio."""
        gathered = Gathered(perf_counter())
        request = self._request(messages, max_tokens, temperature) | STREAMED
        with self._told():
            async with _async_client(self) as client:
                answer = await client.chat.completions.with_raw_response.create(**request)
                async for chunk in answer.parse():
                    if piece := gathered.add(chunk):
                        yield Delta(piece)
        yield Delta("", self._gathered_reply(gathered, request, answer.retries_taken))

    def _request(
        self, messages: Sequence[Message], max_tokens: int | None, temperature: float | None
    ) -> dict[str, Any]:
        request: dict[str, Any] = {"model": self.model, "messages": sendable_messages(messages)}
        if max_tokens is not None:
            # OpenAI's newer models refuse the old name, and most other servers know no other.
            request["max_completion_tokens" if self.url == OPENAI_URL else "max_tokens"] = max_tokens
        if temperature is not None:
            request["temperature"] = temperature
        return request | dict(self.options)

    def _reply(self, answer: Any, request: Mapping[str, Any], retries: int, started: float) -> Reply:
        gathered = Gathered(started)
        gathered.note(answer)
        if isinstance(answer, str):  # what the openai package makes of another content type
            raise LLMError(f"{self._where()} answered with no JSON: {answer[:80]!r}", "malformed")
        if answer.choices:
            choice = answer.choices[0]
            gathered.finish_reason = choice.finish_reason
            gathered.say(choice.message)
        else:
            gathered.finish_reason = "stop"
        return self._gathered_reply(gathered, request, retries)

    def _gathered_reply(self, gathered: Gathered, request: Mapping[str, Any], retries: int) -> Reply:
        text = "".join(gathered.said)
        outcome = outcome_of(text, gathered.finish_reason)
        if gathered.refusal:
            text, outcome = "".join(gathered.refusal), "refused"
        usage = gathered.usage or _estimated(request["messages"], text)
        model = gathered.model or self.model
        return Reply(
            text=text,
            outcome=outcome,
            finish_reason=gathered.finish_reason,
            model=model,
            usage=usage,
            cost=_cost(model, self.model, usage),
            retries=retries,
            milliseconds=(perf_counter() - gathered.started) * 1e3,
        )

    def _where(self) -> str:
        return f"chat model {self.model!r}: {self.url}"

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn whatever goes wrong with a server into an `LLMError` that says what."""
        openai = load_optional("openai", extra="llm", purpose=f"the chat model {self.name!r}")
        try:
            yield
        except openai.OpenAIError as error:
            said = " ".join(str(error).split())[:300]
            raise LLMError(
                f"{self._where()}: {type(error).__name__}: {said}", failure_kind(openai, error)
            ) from error
        except HydralabError:
            raise
        except (ValueError, AttributeError, TypeError, KeyError, IndexError) as error:
            raise LLMError(
                f"{self._where()} did not answer as OpenAI's chat protocol has it: "
                f"{type(error).__name__}: {error}",
                "malformed",
            ) from error


STREAMED: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}


def _cost(told: str, asked: str, usage: Usage) -> float | None:
    cost = cost_of(told, usage)
    return cost_of(asked, usage) if cost is None else cost


def _estimated(messages: Sequence[Message], text: str) -> Usage:
    counter = tokenizer()
    return Usage(counter.count_messages(list(messages)), counter.count(text), estimated=True)


def parse_openai_chat(spec: str) -> OpenAIChat:
    """Return the chat model for "openai:MODEL" or "openai:MODEL@URL".

    >>> parse_openai_chat("openai:qwen3-8b@http://localhost:8000/v1/").url
    'http://localhost:8000/v1'
    """
    return OpenAIChat(*parse_server(spec, "chat model"))


def _client(chat: OpenAIChat) -> Any:
    key, what = read_key(chat.key), f"chat model {chat.name!r}"
    return openai_client(chat.url, key, timeout=chat.timeout, retries=chat.retries, what=what)


def _async_client(chat: OpenAIChat) -> Any:
    """Return a client of its own: its connections belong to one event loop."""
    openai = load_optional("openai", extra="llm", purpose=f"the chat model {chat.name!r}")
    return openai.AsyncOpenAI(
        base_url=chat.url, api_key=read_key(chat.key), timeout=chat.timeout, max_retries=chat.retries
    )
