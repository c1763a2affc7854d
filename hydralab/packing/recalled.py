"""Which recalled turns, checkpoints and facts fit the budget, and in what words they are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from hydralab.packing.blocks import block_pieces, tag_word
from hydralab.texts import Tokenizer

__all__ = ["Item", "Offer", "checkpoint_offers", "fill", "memory_offers", "turn_offers"]

SMALLEST_PIECE = 8
"""No item with its tags takes fewer tokens; below that there is no use in counting."""


@dataclass(frozen=True)
class Item:
    """One row of the prompt: a recalled turn, a checkpoint or a fact."""

    section: str
    item_id: str
    role: str | None
    label: str
    text: str
    order: float
    source_turn_ids: tuple[str, ...]
    speaker: str | None = None
    parts: str | None = None


@dataclass(frozen=True)
class Offer:
    """What one candidate would bring in: items that go together or not at all."""

    candidate: str
    kind: str
    score: float
    items: tuple[Item, ...]
    scores: Mapping[str, float | None] = field(default_factory=dict)


@dataclass
class Filled:
    """What was taken, what was not and why, and the tokens taken."""

    taken: list[tuple[Item, Offer]] = field(default_factory=list)
    refused: dict[str, tuple[Offer, str]] = field(default_factory=dict)
    tokens: int = 0


def turn_offers(candidates: pl.DataFrame, turns: pl.DataFrame) -> list[Offer]:
    """Return the offers of turn and round candidates, best first.

    A tool result comes with its call, and a call with its results.

    Parameters
    ----------
    candidates
        Candidates table.
    turns
        The turns of one dialogue that may be shown; speakers as they are to be written.
    """
    wanted = candidates.filter(pl.col("kind").is_in(("turn", "round")))
    if not wanted.height or not turns.height:
        return []
    needed = wanted["source_turn_ids"].explode().unique()
    unit = (turns["role"] != "tool").cum_sum()
    units = unit.filter(turns["turn_id"].is_in(needed.implode())).unique()
    rows = turns.with_columns(unit.alias("unit")).filter(pl.col("unit").is_in(units.implode()))
    by_unit: dict[int, list[Item]] = {}
    unit_of: dict[str, int] = {}
    for row in rows.iter_rows(named=True):
        by_unit.setdefault(row["unit"], []).append(_turn_item(row))
        unit_of[row["turn_id"]] = row["unit"]
    offers = []
    for row in wanted.sort("score", descending=True, maintain_order=True).iter_rows(named=True):
        found = sorted({unit_of[turn_id] for turn_id in row["source_turn_ids"] if turn_id in unit_of})
        if found:
            items = tuple(item for each in found for item in by_unit[each])
            offers.append(Offer(row["item_id"], row["kind"], row["score"], items, _scores(row)))
    return offers


def checkpoint_offers(candidates: pl.DataFrame, checkpoints: pl.DataFrame) -> list[Offer]:
    """Return the offers of checkpoint candidates, best first."""
    rows = {row["checkpoint_id"]: row for row in _chosen(checkpoints, "checkpoint_id", candidates)}
    return [
        Offer(
            row["item_id"],
            "checkpoint",
            row["score"],
            (_checkpoint_item(rows[row["item_id"]], row),),
            _scores(row),
        )
        for row in _ranked(candidates, "checkpoint")
        if row["item_id"] in rows
    ]


def memory_offers(candidates: pl.DataFrame, memories: pl.DataFrame) -> list[Offer]:
    """Return the offers of memory candidates, best first; superseded facts are not offered."""
    current = memories.filter(pl.col("superseded_by").is_null())
    rows = {row["memory_id"]: row for row in _chosen(current, "memory_id", candidates)}
    return [
        Offer(
            row["item_id"],
            "memory",
            row["score"],
            (_memory_item(rows[row["item_id"]], number),),
            _scores(row),
        )
        for number, row in enumerate(_ranked(candidates, "memory"))
        if row["item_id"] in rows
    ]


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
    """Take offers in their order while they fit `room` tokens and the limits a kind; best offers first.

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
        cost = _cost(new, filled, tokenizer) if left >= SMALLEST_PIECE * len(new) else left + 1
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
    open_blocks = {item.section for item, _ in filled.taken}
    cost = 0
    for item in items:
        piece = block_pieces(item.section, [(item.label, item.text)])[0]
        if item.section in open_blocks:
            piece = piece.split("\n", 1)[1].rsplit("\n", 2)[0] + "\n"
        open_blocks.add(item.section)
        cost += tokenizer.count(piece)
    return cost


def _turn_item(row: Mapping[str, Any]) -> Item:
    who = tag_word(row["speaker"] or row["role"])
    when = f" {row['time']:%Y-%m-%d}" if row["time"] is not None else ""
    return Item(
        section="recalled",
        item_id=row["turn_id"],
        role=row["role"],
        label=f"turn {row['position']} {who}{when}",
        text=row["text"],
        order=row["position"],
        source_turn_ids=(row["turn_id"],),
        speaker=row["speaker"],
        parts=row["parts"],
    )


def _checkpoint_item(row: Mapping[str, Any], candidate: Mapping[str, Any]) -> Item:
    text = f"{row['title']}\n{row['summary']}" if row["summary"] else row["title"] or ""
    return Item(
        section="checkpoint",
        item_id=row["checkpoint_id"],
        role=None,
        label=f"checkpoint turns {row['start']}-{row['end']}",
        text=text,
        order=row["start"],
        source_turn_ids=tuple(candidate["source_turn_ids"] or ()),
    )


def _memory_item(row: Mapping[str, Any], number: int) -> Item:
    return Item(
        section="memory",
        item_id=row["memory_id"],
        role=None,
        label=f"fact {tag_word(row['kind'] or 'fact')}",
        text=row["text"],
        order=number,
        source_turn_ids=tuple(row["source_turn_ids"] or ()),
    )


def _chosen(frame: pl.DataFrame, key: str, candidates: pl.DataFrame) -> list[dict[str, Any]]:
    return frame.filter(pl.col(key).is_in(candidates["item_id"].implode())).to_dicts()


def _ranked(candidates: pl.DataFrame, kind: str) -> list[dict[str, Any]]:
    return (
        candidates.filter(pl.col("kind") == kind)
        .sort("score", descending=True, maintain_order=True)
        .to_dicts()
    )


def _scores(row: Mapping[str, Any]) -> dict[str, float | None]:
    return {name: value for name, value in row.items() if isinstance(value, float) or (name == "score")}
