"""A prompt of the newest rounds alone."""

from __future__ import annotations

from hydralab.packing import Context, Packing, Split
from hydralab.strategies.view import View

__all__ = ["pack_newest"]


def pack_newest(
    view: View,
    query: str,
    budget: int,
    *,
    strategy: str,
    rounds: int | None,
    tokens: int | None,
    system: str | None,
    reserve: int,
) -> Context:
    """Return the prompt of the newest whole rounds that fit, nothing recalled.

    Parameters
    ----------
    rounds, tokens
        The most of both; None for no limit but the budget.
    """
    packing = Packing(
        split=Split(system=0, recalled=0, recent=100),
        recent_rounds=rounds,
        recent_tokens=tokens,
        reserve=reserve,
        system=system,
    )
    return view.pack(query, budget, strategy=strategy, packing=packing)
