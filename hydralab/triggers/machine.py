"""A state machine over signals: a new span starts wherever the state changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hydralab.errors import HydralabError, brief, unknown_name
from hydralab.triggers.tree import Placed, Trigger

__all__ = ["StateMachine"]

Transition = tuple[str, str, Trigger]


@dataclass(frozen=True, repr=False, init=False)
class StateMachine(Trigger):
    """Fires where a transition is taken: where its condition is true while the machine is in its state.

    Parameters
    ----------
    states
        Names; the machine starts in the first.
    transitions
        (from, to, condition) each, or a mapping (from, to) → condition; a condition is a trigger
        without `.place()`. At most one is taken a turn, the first that holds in the order given. One
        from a state to itself starts a new span too.

    Notes
    -----
    Its look-ahead is the most of its conditions', and its score at a turn the most of the scores of the
    conditions that lead out of the present state.

    Raises
    ------
    HydralabError
        No state, a transition from or to an unknown one, or a condition that is no trigger.

    >>> from hydralab.triggers import col, cue
    >>> StateMachine(["ask", "work"], {("ask", "work"): cue("开始|go ahead"), ("work", "ask"): col.question > 0.5})
    hl.StateMachine(('ask', 'work'), (('ask', 'work', hl.cue('开始|go ahead')), ('work', 'ask', hl.col.question > 0.5)))
    """

    states: tuple[str, ...]
    transitions: tuple[Transition, ...]

    def __init__(
        self, states: Iterable[str], transitions: Iterable[Transition] | Mapping[tuple[str, str], Trigger]
    ) -> None:
        listed = (
            [(*ends, condition) for ends, condition in transitions.items()]
            if isinstance(transitions, Mapping)
            else transitions
        )
        if not isinstance(states, Iterable) or not isinstance(listed, Iterable):
            raise HydralabError(
                f"StateMachine: got {brief(states)} and {brief(transitions)}, expected names of states and transitions"
            )
        object.__setattr__(self, "states", tuple(states))
        object.__setattr__(self, "transitions", tuple(map(self._checked, listed)))
        if not self.states:
            raise HydralabError("StateMachine: no states, expected at least one")
        if len(set(self.states)) < len(self.states):
            raise HydralabError(f"StateMachine: states {self.states} repeat a name, expected each once")

    @property
    def parts(self) -> tuple[Trigger, ...]:
        """The conditions."""
        return tuple(condition for _, _, condition in self.transitions)

    def text(self) -> str:
        """Return the Python that makes this node."""
        listed = "".join(
            f"({source!r}, {target!r}, {part.text()}), " for source, target, part in self.transitions
        )
        inner = listed if len(self.transitions) == 1 else listed.removesuffix(", ")
        return f"hl.StateMachine({self.states!r}, ({inner.rstrip()}))"

    def record(self) -> dict[str, Any]:
        """Return this node as JSON values."""
        return {
            "states": list(self.states),
            "transitions": [[source, target, part.record()] for source, target, part in self.transitions],
        }

    def _checked(self, transition: Transition) -> Transition:
        if not isinstance(transition, (tuple, list)) or len(transition) != 3:
            raise HydralabError(f"StateMachine: transition {transition!r}, expected (from, to, condition)")
        source, target, condition = transition
        for state in (source, target):
            if state not in self.states:
                raise unknown_name("state", state, self.states)
        if not isinstance(condition, Trigger) or isinstance(condition, Placed):
            raise HydralabError(
                f"StateMachine: condition of {source!r} to {target!r} is {condition!r}, "
                "expected a trigger without .place()"
            )
        return source, target, condition
