"""The encoder and the tokenizer that a store was left with, written to its settings and made again from them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hydralab.encoders.contract import Encoder
from hydralab.encoders.memory_only import OffDisk
from hydralab.encoders.names import get_encoder
from hydralab.errors import HydralabError
from hydralab.stores.settings import Settings
from hydralab.texts import Tokenizer
from hydralab.texts import tokenizer as get_tokenizer

__all__ = ["kept_encoder", "kept_tokenizer"]


def kept_encoder(
    settings: Settings, given: str | Encoder | Callable[[list[str]], Any] | None
) -> tuple[Encoder, str]:
    """Return the encoder that was given, or the one the lab was left with, or "use"; and how to write it down.

    Raises
    ------
    HydralabError
        An unknown encoder, or the lab was left with one that its name doesn't make again.
    """
    spec = _recalled(settings, "encoder", "use") if given is None else given
    encoder = get_encoder(spec)
    if settings.encrypted:
        encoder = OffDisk(encoder)
    return encoder, _written(spec, encoder.name)


def kept_tokenizer(settings: Settings, given: str | Tokenizer | None) -> tuple[Tokenizer, str]:
    """Return the tokenizer that was given, or the one the lab was left with, or cl100k_base; and how to write it.

    Raises
    ------
    HydralabError
        An unknown tokenizer, or the lab was left with one that its name doesn't make again.
    """
    spec = _recalled(settings, "tokenizer", "cl100k_base") if given is None else given
    tokenizer = get_tokenizer(spec) if isinstance(spec, str) else spec
    if not isinstance(tokenizer, Tokenizer):
        raise HydralabError(f"tokenizer: got {spec!r}, expected a name or a tokenizer")
    return tokenizer, _written(spec, tokenizer.name)


def _recalled(settings: Settings, what: str, otherwise: str) -> str:
    text = settings.get(what)
    if text is None:
        return otherwise
    kept = json.loads(text)
    if kept["spec"] is None:
        raise HydralabError(
            f"this lab was left with the {what} {kept['name']!r}, which its name doesn't make again; pass {what}="
        )
    return str(kept["spec"])


def _written(spec: object, name: str) -> str:
    return json.dumps({"name": name, "spec": spec if isinstance(spec, str) else None}, ensure_ascii=False)
