"""Named signals of a lab, written to its settings and made again from them."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from hydralab.errors import HydralabError
from hydralab.frames import build, event
from hydralab.signals.base import Signal
from hydralab.signals.storing import signal_from_json, signal_to_json
from hydralab.stores.settings import LAB, Settings

__all__ = ["keep_signals", "kept_signals"]

SIGNAL = "signal:"
"""What the name of a setting begins with that holds a named signal."""


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
