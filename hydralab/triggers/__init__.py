"""Triggers: where a new span starts, as an expression over signals.

True at turn t means that a new span starts at t; `find_boundaries` makes the boundaries table of it.
"""

from __future__ import annotations

from hydralab.triggers.building import col, cue, expr
from hydralab.triggers.decorating import segmenter, step_trigger, trigger
from hydralab.triggers.expressions import written_out
from hydralab.triggers.finding import find_boundaries, resolve_trigger
from hydralab.triggers.forms import TRIGGERS, get_trigger
from hydralab.triggers.learned import LearnedTrigger
from hydralab.triggers.learning import fit_trigger, learnable_signals
from hydralab.triggers.machine import StateMachine
from hydralab.triggers.parsing import parse_trigger
from hydralab.triggers.shipped import default_trigger
from hydralab.triggers.storing import from_json, to_json
from hydralab.triggers.tree import Placed, Trigger
from hydralab.triggers.trigger_checks import TRIGGER_CHECKS, check_trigger

__all__ = [
    "TRIGGERS",
    "TRIGGER_CHECKS",
    "LearnedTrigger",
    "Placed",
    "StateMachine",
    "Trigger",
    "check_trigger",
    "col",
    "cue",
    "default_trigger",
    "expr",
    "find_boundaries",
    "fit_trigger",
    "from_json",
    "get_trigger",
    "learnable_signals",
    "parse_trigger",
    "resolve_trigger",
    "segmenter",
    "step_trigger",
    "to_json",
    "trigger",
    "written_out",
]
