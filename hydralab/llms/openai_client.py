"""How a server that speaks OpenAI's protocol is named and reached, by chat models and encoders alike."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any

from hydralab.errors import HydralabError
from hydralab.optional import load_optional

__all__ = ["OPENAI_URL", "openai_client", "parse_server", "read_key"]

OPENAI_URL = "https://api.openai.com/v1"


def parse_server(spec: str, what: str) -> tuple[str, str]:
    """Return model and base of the endpoint for "openai:MODEL" or "openai:MODEL@URL".

    Parameters
    ----------
    what
        What is named, for the error.

    >>> parse_server("openai:qwen3-8b@http://localhost:8000/v1/", "chat model")
    ('qwen3-8b', 'http://localhost:8000/v1')
    """
    model, at, url = spec.removeprefix("openai:").rpartition("@http")
    if not at:
        model, url = spec.removeprefix("openai:"), ""
    if not model:
        raise HydralabError(f"{what} {spec!r} names no model; expected 'openai:MODEL@URL'")
    if not at and "@" in model:  # else what was meant for a server of one's own would go to OpenAI
        raise HydralabError(
            f"{what} {spec!r}: {model.rpartition('@')[2]!r} is no URL, expected one that begins with http:// or https://"
        )
    return model, f"http{url}".rstrip("/") if at else OPENAI_URL


def read_key(variable: str) -> str:
    """Return the key that an environment variable holds; "none" for servers that want none."""
    return os.environ.get(variable) or "none"


@lru_cache(maxsize=16)
def openai_client(url: str, key: str, *, timeout: float, retries: int, what: str) -> Any:
    """Return a client of the openai package, made once for the same settings.

    Parameters
    ----------
    timeout
        Seconds without a byte until a request counts as lost.
    retries
        How often a request that timed out, was rate-limited (Retry-After is kept to) or met a server error is
        repeated, with exponential back-off and jitter.
    what
        What wants it, for the error that names the missing package.
    """
    openai = load_optional("openai", extra="llm", purpose=f"the {what}")
    return openai.OpenAI(base_url=url, api_key=key, timeout=timeout, max_retries=retries)
