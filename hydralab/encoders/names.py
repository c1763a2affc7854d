"""Encoders by name, and everything else that can stand for one."""

from __future__ import annotations

from collections.abc import Callable
from os.path import isdir
from typing import Any, cast

from hydralab.encoders.callables import encoder_of
from hydralab.encoders.contract import Encoder, is_encoder
from hydralab.encoders.e5 import E5
from hydralab.encoders.hugging_face import HuggingFace, minilm
from hydralab.encoders.openai_server import parse_openai
from hydralab.encoders.use_multilingual import Use
from hydralab.errors import HydralabError
from hydralab.registry import Registry

__all__ = ["ENCODERS", "PREFIXES", "get_encoder"]

ENCODERS: Registry[Any] = Registry("encoder", group="hydralab.encoders")
"""Name → an encoder, or a class or function that makes one when called without arguments."""

PREFIXES: dict[str, Callable[[str], Encoder]] = {"openai:": parse_openai}
"""What a spec begins with that names more than an encoder → what makes one of the whole spec."""

ENCODERS.add("use", Use)
ENCODERS.add("minilm", minilm)
ENCODERS.add("e5", E5)


def get_encoder(spec: str | Encoder | Callable[[list[str]], Any] = "use") -> Encoder:
    """Return the encoder that `spec` stands for. Models load when they are first used.

    Parameters
    ----------
    spec
        A name of `ENCODERS` ("use", "minilm", "e5", those of plug-ins); "openai:MODEL@URL" for a
        server with an OpenAI-compatible endpoint; "slow_topics:PATH" for what `SlowTopics.save` wrote; a
        folder or a Hugging Face id ("BAAI/bge-m3"); a function from a list of texts to rows of numbers; an
        encoder, which is returned as it is.

    Raises
    ------
    UnknownNameError
        No encoder has this name; the message lists those there are.
    MissingExtraError
        The package it needs isn't installed; the message says which extra brings it.

    >>> get_encoder("use").dim
    512
    """
    if not isinstance(spec, str):
        return cast(Encoder, spec) if is_encoder(spec) else encoder_of(cast(Callable[[list[str]], Any], spec))
    if spec in ENCODERS:
        entry = ENCODERS[spec]
        return _checked(spec, entry if is_encoder(entry) else entry())
    for prefix, make in PREFIXES.items():
        if spec.startswith(prefix):
            return make(spec)
    if "/" in spec or isdir(spec):
        return HuggingFace(spec)
    unknown: Encoder = ENCODERS[spec]
    return unknown


def _checked(name: str, made: Any) -> Encoder:
    if is_encoder(made):
        return cast(Encoder, made)
    raise HydralabError(
        f"encoder {name!r} is registered as {type(made).__name__}, which lacks name, dim or encode"
    )
