"""Encoders behind an OpenAI-compatible `/v1/embeddings` endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hydralab.encoders.contract import Vectors
from hydralab.encoders.pooling import checked_rows, pooled_vectors
from hydralab.encoders.windows import cut_windows
from hydralab.errors import HydralabError
from hydralab.llms.openai_client import OPENAI_URL, openai_client, parse_server, read_key
from hydralab.optional import load_optional

__all__ = ["OpenAIEncoder", "parse_openai"]


@dataclass(frozen=True)
class OpenAIEncoder:
    """A model of a server that speaks OpenAI's embeddings protocol: OpenAI, vLLM, Ollama, TEI …

    The key is read from OPENAI_API_KEY when a request is made; servers that want none get "none".
    A request that times out, is rate-limited or meets a server error is repeated with back-off.

    Parameters
    ----------
    model
        The server's name for the model.
    url
        The base of the endpoint, `/v1` included.
    window
        Characters a window; at about one token a Chinese character it fits models of 2,048 tokens.
    batch_size
        Windows a request.
    timeout
        Seconds until a request counts as lost.
    retries
        How often a request is repeated.
    """

    model: str
    url: str = OPENAI_URL
    window: int = 1500
    batch_size: int = 64
    timeout: float = 60.0
    retries: int = 3

    @property
    def name(self) -> str:
        """The model and where it runs."""
        return f"openai:{self.model}@{self.url}"

    @property
    def dim(self) -> int:
        """The number of columns, learnt from a first request."""
        return _dim(self)

    @property
    def cache_key(self) -> str:
        """The model, the server and the window."""
        return f"{self.name}-w{self.window}"

    def windows(self, text: str) -> list[str]:
        """Cut a text into windows of at most `window` characters."""
        return cut_windows(text, self.window)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 unit rows of shape (n, dim).

        Raises
        ------
        HydralabError
            The server can't be reached, refuses, or answers something else than one row a text.
        """
        return pooled_vectors(
            texts,
            self._request,
            dim=self.dim,
            name=self.name,
            windows=self.windows,
            batch_size=self.batch_size,
        ).vectors

    def _request(self, texts: list[str]) -> list[list[float]]:
        openai = load_optional("openai", extra="llm", purpose=f"the encoder {self.name!r}")
        try:
            answer = _client(self).embeddings.create(model=self.model, input=texts, encoding_format="float")
        except openai.OpenAIError as error:
            raise HydralabError(
                f"encoder {self.name!r}: {type(error).__name__} from {self.url}: {error}"
            ) from error
        try:
            rows = {item.index: item.embedding for item in answer.data}
            return [rows[place] for place in range(len(texts))]
        except (AttributeError, KeyError, TypeError) as error:
            raise HydralabError(
                f"encoder {self.name!r}: {self.url} did not answer with one embedding for each of {len(texts)} texts"
            ) from error


def parse_openai(spec: str) -> OpenAIEncoder:
    """Return the encoder for "openai:MODEL" or "openai:MODEL@URL".

    >>> parse_openai("openai:bge-m3@http://localhost:8000/v1").model
    'bge-m3'
    """
    return OpenAIEncoder(*parse_server(spec, "encoder"))


def _client(encoder: OpenAIEncoder) -> Any:
    key, what = read_key("OPENAI_API_KEY"), f"encoder {encoder.name!r}"
    return openai_client(encoder.url, key, timeout=encoder.timeout, retries=encoder.retries, what=what)


@lru_cache(maxsize=32)
def _dim(encoder: OpenAIEncoder) -> int:
    probe = ["hydralab"]
    return int(checked_rows(encoder._request(probe), probe, dim=None, name=encoder.name).shape[1])
