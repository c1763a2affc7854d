"""The sliders of a trigger and the trigger, each made from the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import reduce
from operator import and_, or_
from typing import Any

from hydralab.errors import HydralabError
from hydralab.triggers import Trigger, cue
from hydralab.triggers.tree import Align, AllOf, AnyOf, Comparison, Cue, Placed

__all__ = ["Controls", "Rule", "controls_of"]


@dataclass(frozen=True)
class Rule:
    """A signal and the value it is compared with, in the signal's unit."""

    signal: str
    value: float
    operator: str = ">"


@dataclass(frozen=True)
class Controls:
    """What the sliders and boxes say.

    Attributes
    ----------
    rules
        Signals with their thresholds.
    cue
        A regular expression that a user's turn has to match; "" for none.
    every
        Whether all of them have to hold (and), not one (or).
    min_turns, max_turns
        The shortest and the longest span; None for no limit.
    align
        Whether a span may start within a round.

    >>> Controls(cue="换个话题|另外").trigger()
    ((hl.col.shift > 0.8) | hl.cue('换个话题|另外')).place(min_turns=4, max_turns=40)
    """

    rules: tuple[Rule, ...] = (Rule("shift", 0.8),)
    cue: str = ""
    every: bool = False
    min_turns: int = 4
    max_turns: int | None = 40
    align: Align = "round"

    @classmethod
    def of_json(cls, given: Mapping[str, Any]) -> Controls:
        """Return the controls that a browser sent."""
        return cls(**{**given, "rules": tuple(Rule(**rule) for rule in given["rules"])})

    def to_json(self) -> dict[str, Any]:
        """Return the controls for the browser."""
        return {**asdict(self), "rules": [asdict(rule) for rule in self.rules]}

    def trigger(self) -> Trigger:
        """Return the trigger.

        Raises
        ------
        HydralabError
            Neither a signal nor a cue, a cue that is no regular expression, or a longest span that is
            shorter than the shortest.
        """
        parts: list[Trigger] = [Comparison(rule.signal, rule.operator, rule.value) for rule in self.rules]  # type: ignore[arg-type]
        parts += [cue(self.cue)] if self.cue else []
        if not parts:
            raise HydralabError("trigger: neither a signal nor a cue, expected at least one of them")
        joined = reduce(and_ if self.every else or_, parts)
        return joined.place(min_turns=self.min_turns, max_turns=self.max_turns, align=self.align)


def controls_of(trigger: Trigger) -> Controls | None:
    """Return the controls that make a trigger, None when no controls can.

    >>> from hydralab.triggers import col
    >>> controls_of((col.depth > 0.2).place(min_turns=3)).rules
    (Rule(signal='depth', value=0.2, operator='>'),)
    >>> controls_of(~(col.depth > 0.2)) is None
    True
    """
    if not isinstance(trigger, Placed):
        return None
    joined = trigger.trigger
    parts = joined.parts if isinstance(joined, AllOf | AnyOf) else (joined,)
    rules = tuple(
        Rule(part.signal, part.threshold, part.operator) for part in parts if isinstance(part, Comparison)
    )
    cues = [part.pattern for part in parts if isinstance(part, Cue)]
    if not rules and not cues:
        return None
    controls = Controls(
        rules=rules,
        cue="".join(cues),
        every=isinstance(joined, AllOf),
        min_turns=trigger.min_turns,
        max_turns=trigger.max_turns,
        align=trigger.align,
    )
    return controls if controls.trigger() == trigger else None
