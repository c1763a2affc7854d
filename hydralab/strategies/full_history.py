"""Send everything, as far as the budget reaches: the strategy that others are measured against."""

from __future__ import annotations

from dataclasses import dataclass

from hydralab.packing import Context, Packing, Split, pack
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

    @property
    def name(self) -> str:
        """What it is called in tables and plots."""
        return "full_history"

    @property
    def recall_config(self) -> None:
        """Nothing is recalled."""
        return

    def observe(self, view: View) -> Observation:
        """Remember nothing beyond the turns."""
        return Observation()

    def context(self, view: View, query: str, budget: int) -> Context:
        """Return all turns that fit, and the query."""
        return pack(
            query,
            view.turns,
            budget=budget,
            packing=Packing(
                split=Split(system=0, recalled=0, recent=100),
                recent_rounds=None,
                reserve=self.reserve,
                system=self.system,
            ),
            count=view.tokenizer,
            query_id=view.query_id,
            dialogue_id=view.dialogue_id,
            title=view.title,
            strategy=self.name,
        )
