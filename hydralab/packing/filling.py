"""Which of the offered items fit the budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from hydralab.packing.blocks import block_name, block_pieces
from hydralab.packing.counting import count_piece
from hydralab.packing.offers import Offer
from hydralab.packing.transcript import Item
from hydralab.texts import Tokenizer

__all__ = ["Filled", "date_once", "fill"]

TAGS = 6
"""An item's own tags take at least so many tokens."""

NOBODY: Mapping[str, str] = MappingProxyType({})

WORD_FOR_WORD = ("turn", "round", "document")
LEFT_TO = ("checkpoint", "memory")
"""Kinds that get what these leave, in this order."""


@dataclass
class Room:
    """The tokens that are left for what is recalled.

    `share` is the section's own part of the budget, which all kinds may take; `overflow` is what other
    sections left, which goes to recalled turns and passages first.
    """

    share: int
    overflow: int

    def holds(self, kind: str) -> int:
        """Return the tokens that an offer of this kind may take."""
        return self.share + self.overflow if kind in WORD_FOR_WORD else self.share

    def take(self, kind: str, tokens: int) -> None:
        """Take tokens, of the overflow first where the kind may."""
        flowed = min(self.overflow, tokens) if kind in WORD_FOR_WORD else 0
        self.overflow -= flowed
        self.share -= tokens - flowed


@dataclass
class Filled:
    """What was taken, and what was refused and why."""

    taken: list[tuple[Item, Offer]] = field(default_factory=list)
    refused: dict[str, tuple[Offer, str]] = field(default_factory=dict)


def fill(
    offers: Sequence[Offer],
    *,
    share: int,
    overflow: int,
    limits: Mapping[str, int | None],
    least: float = 0.0,
    drop_covered: bool = False,
    barred: Mapping[str, str] = NOBODY,
    pinned: Collection[str] = (),
    shown: Collection[str],
    tokenizer: Tokenizer,
    phrases: Mapping[str, str],
) -> Filled:
    """Take offers, best first, while they fit; one that is too long does not bar those behind it.

    Turns and passages may take the section's share and what other sections left; checkpoints and facts the share.
    What is then left goes to further checkpoints, and then to facts.

    Parameters
    ----------
    offers
        Best first.
    share, overflow
        Tokens: the section's own part, and what the other sections left.
    limits
        Kind → the most offers of it, None for no limit.
    least
        Offers below this share of the best score are refused; 0 for none.
    drop_covered
        Refuse a checkpoint whose turns all get into the prompt, and give its room to others.
    pinned
        Ids of candidates that nothing but want of room keeps out.
    barred
        Candidate → why it is refused whatever room there is.
    shown
        Ids of items in the prompt already; they cost nothing again.
    phrases
        The sentences of `hydralab.packing.phrases` that give the reasons.
    """
    refused = _too_weak([offer for offer in offers if offer.candidate not in pinned], least, phrases)
    refused |= {each.candidate: (each, barred[each.candidate]) for each in offers if each.candidate in barred}
    while True:
        room, filled, counts, present = Room(share, overflow), Filled(), Counter[str](), set(shown)
        wanted = [offer for offer in offers if offer.candidate not in refused]
        for offer in wanted:
            within = {} if offer.candidate in pinned else limits
            _consider(offer, room, filled, counts, within, present, tokenizer, phrases)
        room = Room(room.share + room.overflow, 0)
        for kind in LEFT_TO:
            for offer in [each for each, _ in filled.refused.values() if each.kind == kind]:
                within = {} if offer.candidate in pinned else limits
                _consider(offer, room, filled, counts, within, present, tokenizer, phrases)
        covered = _covered(filled, present, pinned) if drop_covered else []
        if not covered:
            return replace(filled, refused={**filled.refused, **refused})
        refused |= {offer.candidate: (offer, phrases["covered"]) for offer in covered}


def _too_weak(
    offers: Sequence[Offer], least: float, phrases: Mapping[str, str]
) -> dict[str, tuple[Offer, str]]:
    best = max((offer.score for offer in offers), default=0.0)
    if least <= 0 or best <= 0:
        return {}
    return {
        offer.candidate: (offer, phrases["weak"].format(score=offer.score, best=best))
        for offer in offers
        if offer.score < least * best
    }


def _covered(filled: Filled, present: set[str], pinned: Collection[str]) -> list[Offer]:
    """Return the checkpoints that say of turns in the prompt what these say themselves."""
    return [
        offer
        for item, offer in filled.taken
        if offer.kind == "checkpoint"
        and offer.candidate not in pinned
        and item.source_turn_ids
        and present.issuperset(item.source_turn_ids)
    ]


def _consider(
    offer: Offer,
    room: Room,
    filled: Filled,
    counts: Counter[str],
    limits: Mapping[str, int | None],
    shown: set[str],
    tokenizer: Tokenizer,
    phrases: Mapping[str, str],
) -> None:
    new = [item for item in offer.items if item.item_id not in shown]
    limit = limits.get(offer.kind)
    # Counting costs time, so what can't fit by what is known already is not counted.
    cost = sum(item.least + TAGS for item in new)
    if new and cost <= room.holds(offer.kind):
        cost = _cost(new, filled, tokenizer)
    if not new:
        reason = phrases["shown"]
    elif limit is not None and counts[offer.kind] >= limit:
        reason = phrases["limit"].format(limit=limit)
    elif cost > room.holds(offer.kind):
        reason = phrases["full"]
    else:
        room.take(offer.kind, cost)
        counts[offer.kind] += 1
        shown.update(item.item_id for item in new)
        filled.taken += [(item, offer) for item in new]
        filled.refused.pop(offer.candidate, None)
        return
    filled.refused[offer.candidate] = (offer, reason)


def _cost(items: Sequence[Item], filled: Filled, tokenizer: Tokenizer) -> int:
    opened = {block_name(item.section, item.label) for item, _ in filled.taken}
    days = {item.date for item, _ in filled.taken}
    cost = 0
    for item in items:
        dated = item.date is not None and item.date not in days
        days.add(item.date)
        piece = block_pieces(
            item.section, [(f"{item.label} {item.date}" if dated else item.label, item.text)]
        )[0]
        name = block_name(item.section, item.label)
        if name in opened:
            piece = piece.split("\n", 1)[1].rsplit("\n", 2)[0] + "\n"
        opened.add(name)
        cost += count_piece(tokenizer, piece)
    return cost


def date_once(items: Sequence[tuple[Item, Offer]]) -> list[tuple[Item, Offer]]:
    """Write the day into the label of the first turn of each day; the items are in order.

    Once a day, as `fill` charges it, also where the days of the turns go to and fro.
    """
    dated, days = [], set[str]()
    for item, offer in items:
        if item.date is not None and item.date not in days:
            days.add(item.date)
            dated.append((replace(item, label=f"{item.label} {item.date}"), offer))
        else:
            dated.append((item, offer))
    return dated
