"""How a token budget is split among the sections of a prompt."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

from hydralab.errors import HydralabError

__all__ = ["DEFAULT_BUDGET", "BudgetError", "Ceilings", "Split"]

DEFAULT_BUDGET = 4_000
"""Tokens of a prompt where none are named."""


class BudgetError(HydralabError):
    """What must be sent does not fit the budget; both numbers are named."""


@dataclass(frozen=True)
class Ceilings:
    """The most tokens a section may take before what others leave flows to it."""

    recalled: int
    recent: int
    room: int


@dataclass(frozen=True)
class Split:
    """Shares of what is left after query, overhead and reserve, in percent; each is a ceiling.

    Let B be the budget, r the reserve for the reply, q what query and message overhead take. Then
    R = B − r − q is split. The system text is charged whole: with need s it takes s, and what it
    needs over its share comes off recent, then off recalled:

        over     = max(0, s − system/100 · R)
        recent   = max(0, recent/100 · R − over)
        recalled = max(0, recalled/100 · R − max(0, over − recent/100 · R))

    Only s > R is an error. What a section leaves flows on to recalled turns, then checkpoints,
    then memory, so nothing is wasted while there is something to recall.

    Worked example: B = 1,000, r = 0, q = 40 gives R = 960. With s = 130 the system is 34 over its
    96; recent may take 672 − 34 = 638; recalled 192. If the last three rounds take 300, then
    960 − 130 − 300 = 530 tokens are left for what is recalled.

    >>> Split().ceilings(960, system=130)
    Ceilings(recalled=192, recent=638, room=830)
    """

    system: float = 10
    recalled: float = 20
    recent: float = 70

    def __post_init__(self) -> None:
        """Refuse shares that can't be shares."""
        shares = (self.system, self.recalled, self.recent)
        if (
            not all(isinstance(share, Real) for share in shares)
            or min(shares) < 0
            or not 0 < sum(shares) <= 100 + 1e-9
        ):
            raise BudgetError(
                f"split: system {self.system!r}, recalled {self.recalled!r}, recent {self.recent!r}; "
                "expected shares of at least 0 that sum to at most 100"
            )

    def ceilings(self, room: int, *, system: int) -> Ceilings:
        """Return the ceilings for a room of `room` tokens of which the system text needs `system`.

        Raises
        ------
        BudgetError
            When the system text alone needs more than the room.
        """
        if system > room:
            raise BudgetError(f"the system text needs {system} tokens, but the budget leaves {max(room, 0)}")
        over = max(0.0, system - self.system / 100 * room)
        recent_share = self.recent / 100 * room
        recalled = max(0.0, self.recalled / 100 * room - max(0.0, over - recent_share))
        left = room - system
        return Ceilings(
            recalled=min(int(recalled), left), recent=min(int(max(0.0, recent_share - over)), left), room=left
        )
