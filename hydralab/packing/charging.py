"""What each part of a prompt is charged, such that the charges add up to what is sent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hydralab.packing.blocks import BLOCKS, block_pieces
from hydralab.packing.counting import count_piece
from hydralab.packing.offers import Offer
from hydralab.packing.recent import charge_recent, role_overhead
from hydralab.packing.transcript import Item, Row
from hydralab.texts import Tokenizer

__all__ = ["charge_early", "charge_late", "charge_opening"]


def charge_opening(opening: str, counter: Tokenizer) -> int:
    """Return what an opening alone is charged."""
    return count_piece(counter, f"{opening}\n") + role_overhead(counter, "system") if opening else 0


def charge_early(
    opening: str, ordered: Sequence[tuple[Item, Offer]], counter: Tokenizer
) -> tuple[int, list[int]]:
    """Return what the opening and each written item are charged; they add up to the system message."""
    pieces = [f"{opening}\n"] if opening else []
    for section in BLOCKS:
        pieces += block_pieces(
            section, [(item.label, item.text) for item, _ in ordered if item.section == section]
        )
    if not pieces:
        return 0, []
    pieces[-1] = pieces[-1].removesuffix("\n")
    own = [count_piece(counter, piece) for piece in pieces]
    if sum(own) != counter.count("".join(pieces)):
        # A tokenizer that merges over line breaks: charge what each piece adds to those before it.
        own = np.diff([0, *(counter.count("".join(pieces[: i + 1])) for i in range(len(pieces)))]).tolist()
    own[0] += role_overhead(counter, "system")
    return (own[0], own[1:]) if opening else (0, own)


def charge_late(
    late: Sequence[tuple[Item, Offer]], recent: Sequence[Row], query: str, counter: Tokenizer
) -> tuple[list[int], int]:
    """Return what items in front of the query are charged, and what is left of its message for the query itself."""
    pieces = [
        piece
        for section in BLOCKS
        for piece in block_pieces(
            section, [(item.label, item.text) for item, _ in late if item.section == section]
        )
    ]
    charges = [count_piece(counter, piece) for piece in pieces]
    whole = charge_recent(recent, "".join(pieces) + query, counter)[1]
    return charges, whole - sum(charges)
