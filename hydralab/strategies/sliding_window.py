"""Send the newest rounds: what most chat applications do."""

from __future__ import annotations

from dataclasses import dataclass

from hydralab.packing import Context, Packing, Split, pack
from hydralab.strategies.view import STRATEGIES, Observation, View

__all__ = ["SlidingWindow"]


@STRATEGIES.register("sliding_window")
@dataclass(frozen=True)
class SlidingWindow:
    """The last rounds, whole, within a number of tokens.

    Attributes
    ----------
    rounds, tokens
        The most rounds and tokens of the window; 10 and 6,000 are what the literature uses.
    system
        The system text; None takes the dialogue's own system turns.
    reserve
        Tokens kept free for the reply.

    >>> SlidingWindow(rounds=4).rounds
    4
    """

    rounds: int = 10
    tokens: int = 6_000
    system: str | None = None
    reserve: int = 0

    @property
    def name(self) -> str:
        """What it is called in tables and plots."""
        return "sliding_window"

    @property
    def recall_config(self) -> None:
        """Nothing is recalled."""
        return

    def observe(self, view: View) -> Observation:
        """Remember nothing beyond the turns."""
        return Observation()

    def context(self, view: View, query: str, budget: int) -> Context:
        """Return the window and the query."""
        return pack(
            query,
            view.turns,
            budget=budget,
            packing=Packing(
                split=Split(system=0, recalled=0, recent=100),
                recent_rounds=self.rounds,
                recent_tokens=self.tokens,
                reserve=self.reserve,
                system=self.system,
            ),
            count=view.tokenizer,
            query_id=view.query_id,
            dialogue_id=view.dialogue_id,
            title=view.title,
            strategy=self.name,
        )
