"""Encoder, tokenizer and named signals of a lab, written to its settings and made again from them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from hydralab.encoders import Encoder, get_encoder
from hydralab.errors import HydralabError
from hydralab.frames import build, event
from hydralab.signals import Signal
from hydralab.signals.storing import signal_from_json, signal_to_json
from hydralab.stores.settings import LAB, Settings
from hydralab.texts import Tokenizer
from hydralab.texts import tokenizer as get_tokenizer

__all__ = ["keep_signals", "kept_encoder", "kept_signals", "kept_tokenizer"]

SIGNAL = "signal:"
"""What the name of a setting begins with that holds a named signal."""


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


def kept_signals(settings: Settings) -> tuple[dict[str, Signal], pl.DataFrame]:
    """Return the named signals, and an events row for each that can't be made again."""
    signals: dict[str, Signal] = {}
    events = []
    for name, text in settings.all().items():
        if name.startswith(SIGNAL):
            column = name.removeprefix(SIGNAL)
            try:
                signals[column] = signal_from_json(text)
            except HydralabError as error:
                events.append(event("signals", "failed", item_id=column, detail=f"left out: {error}"))
    return signals, build("events", events)


def keep_signals(settings: Settings, signals: Mapping[str, Signal]) -> pl.DataFrame:
    """Write named signals down, and return an events row for each that can't be."""
    events = []
    for column, signal in signals.items():
        try:
            settings.write({(LAB, f"{SIGNAL}{column}"): signal_to_json(signal)})
        except HydralabError as error:
            events.append(event("signals", "failed", item_id=column, detail=f"not stored: {error}"))
    return build("events", events)


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
