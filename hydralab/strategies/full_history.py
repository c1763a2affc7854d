"""Send everything, as far as the budget reaches: the strategy that others are measured against."""

from __future__ import annotations

from dataclasses import dataclass

from hydralab.errors import check_settings
from hydralab.packing import Context
from hydralab.strategies.newest_rounds import pack_newest
from hydralab.strategies.view import STRATEGIES, Observation, View

__all__ = ["FullHistory"]


@STRATEGIES.register("full_history")
@dataclass(frozen=True)
class FullHistory:
    """All turns, whole rounds from the newest back, until the budget is full.

    Attributes
    ----------
    system
        The system text; None takes the dialogue's own system turns.
    reserve
        Tokens kept free for the reply.

    >>> FullHistory().name
    'full_history'
    """

    system: str | None = None
    reserve: int = 0

    name = "full_history"
    recall_config = None

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_settings(self)

    def observe(self, view: View) -> Observation:
        """Remember nothing beyond the turns."""
        return Observation()

    def context(self, view: View, query: str, budget: int) -> Context:
        """Return all turns that fit, and the query."""
        return pack_newest(
            view,
            query,
            budget,
            strategy=self.name,
            rounds=None,
            tokens=None,
            system=self.system,
            reserve=self.reserve,
        )
