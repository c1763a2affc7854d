"""The parameters of a trigger that sliders move: their ranges, values to try, and a trigger with another value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hydralab.errors import unknown_name
from hydralab.widgets.controls import Controls

__all__ = ["parameters_of", "spread", "with_value"]

MOST_SPAN = 40
STEPS = 20
THRESHOLD = "threshold "
UNKNOWN = {"low": 0.0, "high": 1.0, "step": 0.01}


def parameters_of(
    controls: Controls | None, turns: int, choices: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the parameters of a trigger that can be swept: name, words, range, step, values to try, present one.

    Parameters
    ----------
    controls
        None where no slider can say the trigger: it has no parameters.
    turns
        Length of the dialogue.
    choices
        Ranges and steps of signals.

    >>> [each["name"] for each in parameters_of(Controls(), 100, [])]
    ['threshold 0', 'min_turns', 'max_turns']
    """
    if controls is None:
        return []
    known = {choice["name"]: choice for choice in choices}
    longest = max(min(turns, MOST_SPAN), 4)
    ranges = [
        (f"{THRESHOLD}{number}", f"threshold of {rule.signal}", known.get(rule.signal, UNKNOWN), rule.value)
        for number, rule in enumerate(controls.rules)
    ]
    lengths = [
        ("min_turns", "shortest span", {"low": 1, "high": longest, "step": 1}, controls.min_turns),
        ("max_turns", "longest span", {"low": 2, "high": 2 * longest, "step": 1}, controls.max_turns),
    ]
    return [
        {
            "name": name,
            "words": words,
            "value": value,
            "low": low,
            "high": high,
            "values": spread(low, high, step),
        }
        for name, words, choice, value in (*ranges, *lengths)
        for low, high, step in [(choice["low"], choice["high"], choice["step"])]
    ]


def spread(low: float, high: float, step: float, steps: int = STEPS) -> list[float]:
    """Return values from the lowest to the highest, about evenly, each some steps away from the lowest.

    >>> spread(1, 4, 1), spread(0.0, 1.0, 0.01, 4)
    ([1, 2, 3, 4], [0.0, 0.25, 0.5, 0.75, 1.0])
    """
    room = max(round((high - low) / step), 0)
    counts = sorted({round(room * number / steps) for number in range(steps + 1)})
    return [round(low + count * step, 6) for count in counts]


def with_value(controls: Controls, parameter: str, value: float) -> Controls:
    """Return controls with another value of a parameter; the two lengths of a span never cross.

    >>> with_value(Controls(), "min_turns", 50).max_turns
    50
    """
    least, most = controls.min_turns, controls.max_turns
    if parameter == "min_turns":
        return replace(
            controls, min_turns=int(value), max_turns=None if most is None else max(most, int(value))
        )
    if parameter == "max_turns":
        return replace(controls, min_turns=min(least, int(value)), max_turns=int(value))
    names = [f"{THRESHOLD}{number}" for number in range(len(controls.rules))]
    if parameter not in names:
        raise unknown_name("parameter of a trigger", parameter, ["min_turns", "max_turns", *names])
    rules = list(controls.rules)
    number = names.index(parameter)
    rules[number] = replace(rules[number], value=value)
    return replace(controls, rules=tuple(rules))
