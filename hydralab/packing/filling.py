"""Which of the offered items fit the budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from hydralab.packing.blocks import block_pieces
from hydralab.packing.offers import Item, Offer
from hydralab.texts import Tokenizer

__all__ = ["Filled", "date_once", "fill"]

TAGS = 6
"""An item's own tags take at least so many tokens."""


@dataclass
class Filled:
    """What was taken, what was refused and why, and the tokens taken."""

    taken: list[tuple[Item, Offer]] = field(default_factory=list)
    refused: dict[str, tuple[Offer, str]] = field(default_factory=dict)
    tokens: int = 0


def fill(
    offers: Sequence[Offer],
    filled: Filled,
    *,
    room: int,
    limits: Mapping[str, int | None],
    shown: set[str],
    tokenizer: Tokenizer,
    phrases: Mapping[str, str],
) -> Filled:
    """Take offers in their order while they fit `room` tokens and the limits a kind.

    An item that is in the prompt already costs nothing again.

    Parameters
    ----------
    offers
        In the order of preference; those taken before are passed over.
    filled
        What was taken so far; returned with more.
    room
        Tokens that may be taken in this pass.
    limits
        Kind → the most offers of it, None for no limit.
    shown
        Ids of items in the prompt already, recent turns among them; grows.
    phrases
        The sentences of `hydralab.packing.phrases` that give the reasons.
    """
    left = room
    taken_from = {offer.candidate: offer.kind for _, offer in filled.taken}
    counts = Counter(taken_from.values())
    for offer in offers:
        if offer.candidate in taken_from:
            continue
        new = [item for item in offer.items if item.item_id not in shown]
        if not new:
            filled.refused[offer.candidate] = (offer, phrases["shown"])
            continue
        limit = limits.get(offer.kind)
        if limit is not None and counts[offer.kind] >= limit:
            filled.refused[offer.candidate] = (offer, phrases["limit"].format(limit=limit))
            continue
        # Counting costs time, so what can't fit by what is known already is not counted.
        at_least = sum(item.least + TAGS for item in new)
        cost = _cost(new, filled, tokenizer) if at_least <= left else at_least
        if cost > left:
            filled.refused[offer.candidate] = (offer, phrases["full"])
            continue
        left -= cost
        filled.tokens += cost
        filled.refused.pop(offer.candidate, None)
        filled.taken += [(item, offer) for item in new]
        shown.update(item.item_id for item in new)
        counts[offer.kind] += 1
    return filled


def _cost(items: Sequence[Item], filled: Filled, tokenizer: Tokenizer) -> int:
    opened = {item.section for item, _ in filled.taken}
    days = {item.date for item, _ in filled.taken}
    cost = 0
    for item in items:
        dated = item.date is not None and item.date not in days
        days.add(item.date)
        piece = block_pieces(
            item.section, [(f"{item.label} {item.date}" if dated else item.label, item.text)]
        )[0]
        if item.section in opened:
            piece = piece.split("\n", 1)[1].rsplit("\n", 2)[0] + "\n"
        opened.add(item.section)
        cost += tokenizer.count(piece)
    return cost


def date_once(items: Sequence[tuple[Item, Offer]]) -> list[tuple[Item, Offer]]:
    """Write the day into the label of the first turn of each day; the items are in order."""
    dated, day = [], None
    for item, offer in items:
        new = item.date is not None and item.date != day
        day = item.date or day
        dated.append((replace(item, label=f"{item.label} {item.date}") if new else item, offer))
    return dated
