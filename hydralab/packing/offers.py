"""What recall offers to a prompt: each candidate as the items it would bring in, and their words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import polars as pl

from hydralab.packing.blocks import tag_word
from hydralab.packing.tools import write_out

__all__ = ["Item", "Offer", "make_offers"]

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Item:
    """One row of the prompt: a recalled turn, a checkpoint or a fact.

    `least` is a number of tokens that its text takes at least; with tags it takes more. `date` is its day,
    where that is not the day of the newest turn.
    """

    section: str
    item_id: str
    role: str | None
    label: str
    text: str
    order: float
    source_turn_ids: tuple[str, ...]
    least: int = 0
    date: str | None = None
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


def make_offers(
    candidates: pl.DataFrame, turns: pl.DataFrame, checkpoints: pl.DataFrame, memories: pl.DataFrame
) -> list[Offer]:
    """Return an offer a candidate, best first.

    A tool result comes with its call, and a call with its results. Superseded facts are not offered.

    Parameters
    ----------
    candidates
        Candidates table.
    turns
        The turns of one dialogue that may be shown; speakers as they are to be written.
    checkpoints, memories
        The tables that candidates of these kinds point into.
    """
    rows = sorted(candidates.to_dicts(), key=lambda row: -row["score"])
    units = _turn_units(
        turns, {source for row in rows if _is_turns(row) for source in row["source_turn_ids"]}
    )
    spans = _by_id(
        checkpoints, "checkpoint_id", [row["item_id"] for row in rows if row["kind"] == "checkpoint"]
    )
    facts = _by_id(memories, "memory_id", [row["item_id"] for row in rows if row["kind"] == "memory"])
    names = [name for name, kind in candidates.schema.items() if kind == pl.Float64]
    offers = []
    for number, row in enumerate(rows):
        items = _items(row, number, units, spans, facts)
        if items:
            scores = {name: row[name] for name in names}
            offers.append(Offer(row["item_id"], row["kind"], row["score"], items, scores))
    return offers


def _is_turns(row: Row) -> bool:
    return row["kind"] in ("turn", "round")


def _items(
    row: Row,
    number: int,
    units: Mapping[str, tuple[Item, ...]],
    spans: Mapping[str, Row],
    facts: Mapping[str, Row],
) -> tuple[Item, ...]:
    if _is_turns(row):
        found = {item.item_id: item for source in row["source_turn_ids"] for item in units.get(source, ())}
        return tuple(found.values())
    if row["item_id"] in spans:
        return (_checkpoint_item(spans[row["item_id"]], row),)
    fact = facts.get(row["item_id"])
    return () if fact is None or fact["superseded_by"] is not None else (_memory_item(fact, number),)


def _turn_units(turns: pl.DataFrame, wanted: set[str]) -> dict[str, tuple[Item, ...]]:
    """Return turn id → the turns that go with it: itself, or a tool call and its results."""
    if not wanted or not turns.height:
        return {}
    chosen = turns["turn_id"].is_in(list(wanted)).arg_true().to_list()
    is_tool = (turns["role"] == "tool").to_list() if (turns["role"] == "tool").any() else None
    ranges = {row: _unit(row, is_tool) for row in chosen}
    needed = sorted({each for unit in ranges.values() for each in unit})
    today = turns["time"][-1]
    items = {row: _turn_item(turn, today) for row, turn in zip(needed, turns[needed].to_dicts(), strict=True)}
    return {items[row].item_id: tuple(items[each] for each in unit) for row, unit in ranges.items()}


def _unit(row: int, is_tool: list[bool] | None) -> range:
    if is_tool is None:
        return range(row, row + 1)
    start, stop = row, row + 1
    while start > 0 and is_tool[start]:
        start -= 1
    while stop < len(is_tool) and is_tool[stop]:
        stop += 1
    return range(start, stop)


def _turn_item(row: Row, today: datetime | None) -> Item:
    who = tag_word(row["speaker"] or row["role"])
    same_day = row["time"] is None or (today is not None and row["time"].date() == today.date())
    return Item(
        section="recalled",
        item_id=row["turn_id"],
        role=row["role"],
        label=f"turn {row['position']} {who}",
        text=write_out(row["text"], row["parts"]),
        order=row["position"],
        source_turn_ids=(row["turn_id"],),
        least=0 if row["parts"] else row["tokens"],
        date=None if same_day else f"{row['time']:%Y-%m-%d}",
        speaker=row["speaker"],
        parts=row["parts"],
    )


def _checkpoint_item(row: Row, candidate: Row) -> Item:
    text = f"{row['title']}\n{row['summary']}" if row["summary"] else row["title"] or ""
    return Item(
        section="checkpoint",
        item_id=row["checkpoint_id"],
        role=None,
        label=f"checkpoint turns {row['start']}-{row['end']}",
        text=text,
        order=row["start"],
        source_turn_ids=tuple(candidate["source_turn_ids"] or ()),
        least=row["tokens"] or 0,
    )


def _memory_item(row: Row, number: int) -> Item:
    return Item(
        section="memory",
        item_id=row["memory_id"],
        role=None,
        label=f"fact {tag_word(row['kind'] or 'fact')}",
        text=row["text"],
        order=number,
        source_turn_ids=tuple(row["source_turn_ids"] or ()),
        least=row["tokens"] or 0,
    )


def _by_id(frame: pl.DataFrame, key: str, ids: list[str]) -> dict[str, Row]:
    if not ids:
        return {}
    # Gathered by row number: a filter would go through every column of every row.
    return {row[key]: row for row in frame[frame[key].is_in(ids).arg_true()].to_dicts()}
