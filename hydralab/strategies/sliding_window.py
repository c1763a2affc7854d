"""Send the newest rounds: what most chat applications do."""

from __future__ import annotations

from dataclasses import dataclass

from hydralab.errors import check_settings
from hydralab.packing import Context
from hydralab.strategies.newest_rounds import pack_newest
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

    name = "sliding_window"
    recall_config = None

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_settings(self)

    def observe(self, view: View) -> Observation:
        """Remember nothing beyond the turns."""
        return Observation()

    def context(self, view: View, query: str, budget: int) -> Context:
        """Return the window and the query."""
        return pack_newest(
            view,
            query,
            budget,
            strategy=self.name,
            rounds=self.rounds,
            tokens=self.tokens,
            system=self.system,
            reserve=self.reserve,
        )
