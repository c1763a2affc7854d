"""Triggers as JSON: functions by their registered name, everything else written out."""

from __future__ import annotations

import json
from functools import reduce
from operator import and_, or_
from typing import Any

from hydralab.errors import HydralabError, check_kind
from hydralab.triggers.building import Column, cue, expr
from hydralab.triggers.forms import get_trigger
from hydralab.triggers.machine import StateMachine
from hydralab.triggers.tree import Trigger

__all__ = ["from_json", "to_json"]

OPERATORS = {
    ">": Column.__gt__,
    ">=": Column.__ge__,
    "<": Column.__lt__,
    "<=": Column.__le__,
}


def to_json(trigger: Trigger) -> str:
    """Return a trigger as JSON text.

    >>> from hydralab.triggers import col
    >>> to_json(col.shift > 0.8)
    '{"signal": "shift", "operator": ">", "threshold": 0.8}'
    """
    check_kind("to_json: trigger", trigger, Trigger, "a trigger")
    return json.dumps(trigger.record(), ensure_ascii=False)


def from_json(text: str) -> Trigger:
    """Read a trigger from what `to_json` gives.

    Raises
    ------
    HydralabError
        Text that is no JSON, or none of a trigger.

    >>> from_json('{"signal": "shift", "operator": ">", "threshold": 0.8}')
    hl.col.shift > 0.8
    """
    try:
        record = json.loads(text)
    except (TypeError, json.JSONDecodeError, RecursionError) as error:
        raise HydralabError(f"trigger JSON: {error}") from error
    try:
        return _read(record)
    except (KeyError, TypeError, AttributeError) as error:
        if isinstance(error, HydralabError):
            raise
        raise HydralabError(f"trigger JSON: {str(record)[:80]} is no trigger") from error


def _read(record: dict[str, Any]) -> Trigger:
    match record:
        case {"signal": str(name), "operator": str(operator), "threshold": threshold}:
            return OPERATORS[operator](Column(name), threshold)
        case {"cue": pattern, "role": role, "cut": cut}:
            return cue(pattern, role=role, cut=cut)
        case {"expr": code, "lookahead": lookahead, "source": source}:
            return expr(code, lookahead=lookahead, source=source)
        case {"all": [_, _, *_] as parts}:
            return reduce(and_, map(_read, parts))
        case {"any": [_, _, *_] as parts}:
            return reduce(or_, map(_read, parts))
        case {"not": part}:
            return ~_read(part)
        case {"name": name, "parameters": parameters}:
            return get_trigger(name, **parameters)
        case {"states": states, "transitions": transitions}:
            return StateMachine(
                states, [(source, target, _read(part)) for source, target, part in transitions]
            )
        case {"place": part, **settings}:
            return _read(part).place(**settings)
    raise HydralabError(f"trigger JSON: {str(record)[:80]} is no trigger")
