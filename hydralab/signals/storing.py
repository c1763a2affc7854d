"""Signals as JSON: by the name of their class in the registry, with their settings."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

from hydralab.errors import HydralabError
from hydralab.signals.base import SIGNALS, Signal

__all__ = ["signal_from_json", "signal_to_json"]


def signal_to_json(signal: Signal) -> str:
    """Return a signal as JSON text.

    Raises
    ------
    HydralabError
        The signal's class is in no registry, or a setting is nothing that JSON has.

    >>> from hydralab.signals import Shift
    >>> signal_to_json(Shift(window=6, lag=3))
    '{"signal": "shift", "window": 6, "lag": 3, "prior": "use"}'
    """
    name = next((known for known in SIGNALS if _class_of(SIGNALS[known]) is type(signal)), None)
    if name is None or not is_dataclass(signal):
        raise HydralabError(
            f"signal {signal!r} can't be written down: expected a frozen dataclass that is registered by "
            "hydralab.signals.SIGNALS.register(name)"
        )
    settings = {field.name: getattr(signal, field.name) for field in fields(signal)}
    try:
        return json.dumps({"signal": name, **settings}, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise HydralabError(f"signal {signal!r} can't be written down: {error}") from error


def signal_from_json(text: str) -> Signal:
    """Read a signal from what `signal_to_json` gives.

    Raises
    ------
    HydralabError
        Text that is no JSON or none of a signal, or a signal that isn't registered.

    >>> signal_from_json('{"signal": "shift_raw", "window": 2, "lag": 1}')
    ShiftRaw(window=2, lag=1)
    """
    try:
        settings = json.loads(text)
        made = _class_of(SIGNALS[settings.pop("signal")])
        return made(**settings)
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        if isinstance(error, HydralabError):
            raise
        raise HydralabError(f"signal JSON: {text[:80]!r} is no signal") from error


def _class_of(entry: Callable[..., Signal]) -> Callable[..., Any]:
    return entry.func if isinstance(entry, partial) else entry
