"""Encoders by name, and everything else that can stand for one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hydralab.encoders.contract import Encoder
from hydralab.encoders.use import Use
from hydralab.errors import HydralabError
from hydralab.registry import Registry

__all__ = ["ENCODERS", "get_encoder"]

ENCODERS: Registry[Any] = Registry("encoder", group="hydralab.encoders")
"""Name → encoder, or what makes one when called without arguments."""

ENCODERS.add("use", Use)


def get_encoder(spec: str | Encoder | Callable[[list[str]], Any] = "use") -> Encoder:
    """Return an encoder for a name, a function or an encoder."""
    if not isinstance(spec, str):
        if not isinstance(spec, Encoder):
            raise HydralabError(f"expected an encoder, got {type(spec).__name__}")
        return spec
    entry = ENCODERS[spec]
    encoder: Encoder = entry() if isinstance(entry, type) or not isinstance(entry, Encoder) else entry
    return encoder
