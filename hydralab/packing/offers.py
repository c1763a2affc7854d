"""What recall offers to a prompt: each candidate as the items it would bring in, and their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from hydralab.packing.blocks import PASSAGE, tag_word
from hydralab.packing.transcript import Excerpt, Item, Row
from hydralab.recall import RecallResult

__all__ = ["Offer", "make_offers"]

CHECKPOINT_COLUMNS = ("checkpoint_id", "start", "end", "title", "summary", "tokens")
DOCUMENT_COLUMNS = ("passage_id", "passage", "title", "heading", "text", "tokens")
MEMORY_COLUMNS = ("memory_id", "kind", "text", "source_turn_ids", "tokens", "superseded_by")

LONGEST_LABEL = 80
BEFORE_TURNS = -1_000_000
"""The order of passages: a block of their own, before that of the turns, the best first."""


@dataclass(frozen=True)
class Offer:
    """What one candidate would bring in: items that go together or not at all."""

    candidate: str
    kind: str
    score: float
    items: tuple[Item, ...]
    scores: Mapping[str, float | None] = field(default_factory=dict)


def make_offers(
    found: RecallResult,
    turns: Excerpt,
    checkpoints: pl.DataFrame,
    memories: pl.DataFrame,
    documents: pl.DataFrame,
) -> list[Offer]:
    """Return an offer a candidate, best first.

    A tool result comes with its call, and a call with its results. Superseded facts are not offered.

    Parameters
    ----------
    found
        Candidates, best first.
    turns
        The turns of one dialogue that may be shown.
    checkpoints, memories, documents
        The tables that candidates of these kinds point into.
    """
    names = list(found.scores)
    every_score = [
        dict(zip(names, values, strict=True)) for values in zip(*found.scores.values(), strict=True)
    ]
    spans = _by_id(checkpoints, CHECKPOINT_COLUMNS, found, "checkpoint")
    facts = _by_id(memories, MEMORY_COLUMNS, found, "memory")
    passages = _by_id(documents, DOCUMENT_COLUMNS, found, "document")
    offers = []
    listed = zip(found.item_ids, found.kinds, found.sources, every_score, strict=True)
    for number, (item_id, kind, held, scores) in enumerate(listed):
        if kind == "turn" and len(held) == 1:
            items = turns.unit(held[0])
        elif kind in ("turn", "round"):
            items = tuple({item.item_id: item for source in held for item in turns.unit(source)}.values())
        elif item_id in spans:
            items = (_checkpoint_item(spans[item_id], held),)
        elif item_id in passages:
            items = (_passage_item(passages[item_id], number),)
        else:
            items = _memory_items(facts.get(item_id), number)
        if items:
            offers.append(Offer(item_id, kind, scores["score"] or 0.0, items, scores))
    return offers


def _checkpoint_item(row: Row, sources: Sequence[str]) -> Item:
    text = f"{row['title']}\n{row['summary']}" if row["summary"] else row["title"] or ""
    return Item(
        section="checkpoint",
        item_id=row["checkpoint_id"],
        role=None,
        label=f"checkpoint turns {row['start']}-{row['end']}",
        text=text,
        order=row["start"],
        source_turn_ids=tuple(sources),
        least=row["tokens"] or 0,
    )


def _passage_item(row: Row, number: int) -> Item:
    where = " › ".join(each for each in (row["title"], row["heading"]) if each)
    return Item(
        section="recalled",
        item_id=row["passage_id"],
        role=None,
        label=f"{PASSAGE} {tag_word(where)[:LONGEST_LABEL]}".rstrip(),
        text=row["text"],
        order=BEFORE_TURNS + number,
        source_turn_ids=(),
        least=row["tokens"] or 0,
    )


def _memory_items(row: Row | None, number: int) -> tuple[Item, ...]:
    if row is None or row["superseded_by"] is not None:
        return ()
    fact = Item(
        section="memory",
        item_id=row["memory_id"],
        role=None,
        label=f"fact {tag_word(row['kind'] or 'fact')}",
        text=row["text"],
        order=number,
        source_turn_ids=() if row["source_turn_ids"] is None else tuple(row["source_turn_ids"]),
        least=row["tokens"] or 0,
    )
    return (fact,)


def _by_id(frame: pl.DataFrame, names: Sequence[str], found: RecallResult, kind: str) -> dict[str, Row]:
    """Return the rows that the candidates of a kind point to, by id, which is the first column."""
    wanted = {item_id for item_id, own in zip(found.item_ids, found.kinds, strict=True) if own == kind}
    if not wanted:
        return {}
    # Looked up cell by cell: for the few of a prompt a filter over the table costs ten times as much.
    columns = {name: frame[name] for name in names}
    listed = enumerate(columns[names[0]].to_list())
    rows = {item_id: row for row, item_id in listed if item_id in wanted}
    return {item_id: {name: column[row] for name, column in columns.items()} for item_id, row in rows.items()}
