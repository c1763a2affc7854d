"""How a prompt is packed: shares, limits, and what nothing but want of room keeps out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hydralab.errors import HydralabError, brief, check_settings, check_value
from hydralab.packing.split import Split

__all__ = ["Packing"]


@dataclass(frozen=True)
class Packing:
    """How a prompt is packed.

    Attributes
    ----------
    split
        Shares of the sections.
    recent_rounds, recent_tokens
        The most rounds and tokens of newest turns; None for no limit of its own.
    reserve
        Tokens of the budget that are kept free for the reply.
    system
        The system text; None takes the dialogue's own system turns.
    limits
        Candidate kind (turn, round, checkpoint, memory, document) → the most of it; None or absent for as
        many as fit.
    least
        Candidates below this share of the best candidate's score are left out; 0 for none.
    drop_covered
        Leave out a checkpoint whose turns all stand in the prompt themselves.
    pinned
        Ids of candidates to which limits, `least` and `drop_covered` don't apply.
    stable_first
        Write what is recalled for the query right before it, behind the recent turns, and only what is pinned into
        the system message: a provider's prefix cache then holds all that stays from prompt to prompt.
    """

    split: Split = field(default_factory=Split)
    recent_rounds: int | None = 3
    recent_tokens: int | None = None
    reserve: int = 0
    system: str | None = None
    limits: Mapping[str, int | None] = field(default_factory=dict)
    least: float = 0.0
    drop_covered: bool = False
    pinned: tuple[str, ...] = ()
    stable_first: bool = False

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_settings(self)
        if not 0 <= self.least <= 1:
            raise HydralabError(f"Packing: least is {self.least}, expected a share of the best score, 0 to 1")
        if not isinstance(self.split, Split) or not isinstance(self.limits, Mapping):
            given = f"split {brief(self.split)} and limits {brief(self.limits)}"
            raise HydralabError(f"Packing: got {given}, expected an hl.Split and a number a kind")
        for kind, most in self.limits.items():
            check_value(f"Packing: limits[{kind!r}]", most, "int | None", least=0)
