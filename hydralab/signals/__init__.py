"""Signals: columns on turns, computed from vectors, text, time or tokens.

A signal declares its look-ahead, range, unit and source; one of a gap sits on the turn to its right.
"""

from __future__ import annotations

from hydralab.signals.base import SIGNALS, Signal
from hydralab.signals.compute import DEFAULT_SIGNALS, compute_signals, default_signals, get_signal
from hydralab.signals.depth import Depth
from hydralab.signals.gap_seconds import GapSeconds
from hydralab.signals.intent import Intent
from hydralab.signals.measuring import measure_intents, measure_sentiment
from hydralab.signals.priors import measure_prior, prior
from hydralab.signals.sentiment import Sentiment
from hydralab.signals.shift import Shift, ShiftRaw
from hydralab.signals.text_flags import CueWord, Question, RefersBack
from hydralab.signals.tokens import Tokens
from hydralab.signals.turn_length import TurnLength

__all__ = [
    "DEFAULT_SIGNALS",
    "SIGNALS",
    "CueWord",
    "Depth",
    "GapSeconds",
    "Intent",
    "Question",
    "RefersBack",
    "Sentiment",
    "Shift",
    "ShiftRaw",
    "Signal",
    "Tokens",
    "TurnLength",
    "compute_signals",
    "default_signals",
    "get_signal",
    "measure_intents",
    "measure_prior",
    "measure_sentiment",
    "prior",
]
