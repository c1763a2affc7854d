"""What a strategy puts into a prompt of itself, in the form in which recall offers things."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import polars as pl

from hydralab.checkpoints import prompt_text
from hydralab.frames import build
from hydralab.llms.prompting import prompt_language
from hydralab.packing import Context, Packing, Recalled, Split
from hydralab.strategies.summaries import shortened
from hydralab.strategies.view import View

__all__ = [
    "PromptItems",
    "latest_end",
    "left_out",
    "open_rounds",
    "pack_offered",
    "pack_with_summary",
    "pin_summaries",
    "summaries_of",
    "with_words",
]

REASONS = {"en": "a summary that goes with every prompt", "zh": "每个提示都带的摘要"}
TAGS = 24
"""Tokens that the tags around an item take at most."""


@dataclass(frozen=True)
class PromptItems:
    """How a prompt tells of what it has no room for.

    Attributes
    ----------
    lost
        Turns that the summary is to tell of beside its own; None for none.
    alone
        Whether nothing else is recalled beside the summary.
    share
        The part of its tokens that the summary may take.
    """

    lost: pl.DataFrame | None = None
    alone: bool = False
    share: float = 1.0


def summaries_of(view: View, trigger: str) -> pl.DataFrame:
    """Return the summaries that a strategy has made, oldest first."""
    made = view.checkpoints
    return made.filter(pl.col("trigger") == trigger).sort("end") if made.height else made


def with_words(summaries: pl.DataFrame) -> pl.DataFrame:
    """Return the summaries that say something; those of turns that were forgotten have lost their words."""
    return summaries.filter(pl.col("summary").fill_null("") != "")


def latest_end(summaries: pl.DataFrame) -> int:
    """Return the position of the last turn that is summarised; −1 when none is."""
    return int(summaries["end"][-1]) if summaries.height else -1


def open_rounds(view: View, after: int) -> int:
    """Return in how many rounds the turns after a position lie."""
    rest = view.after(after)["round"]
    return int(rest[-1] - rest[0]) + 1 if len(rest) else 0


def left_out(view: View, context: Context, end: int) -> pl.DataFrame:
    """Return the turns after a position that a prompt does not hold; those before it are summarised."""
    waiting = view.after(end).filter(pl.col("role") != "system")
    if not waiting.height:
        return waiting
    return waiting.filter(~pl.col("turn_id").is_in(context.kept["item_id"].to_list()))


def pin_summaries(view: View, summaries: pl.DataFrame, *, most: int) -> Recalled:
    """Offer summaries to the prompt, the newest first.

    Parameters
    ----------
    most
        Tokens for all of them: a summary that is longer than its part is summarised again.
    """
    summaries = with_words(summaries)
    if not summaries.height:
        return Recalled()
    each = max(most // summaries.height - TAGS, 1)
    cut = [
        {**row, "summary": short, "tokens": view.tokenizer.count(prompt_text(row["title"], short))}
        for row in summaries.iter_rows(named=True)
        for short in [shortened(row["summary"], each, view.tokenizer)]
    ]
    offered = [
        {
            "query_id": view.query_id,
            "dialogue_id": view.dialogue_id,
            "item_id": row["checkpoint_id"],
            "kind": "checkpoint",
            "score": 1.0 + row["start"] / max(view.at, 1),
            "rank": place + 1,
            "tokens": row["tokens"],
            "source_turn_ids": view.between(row["start"], row["end"])["turn_id"].to_list(),
        }
        for place, row in enumerate(reversed(cut))
    ]
    table = pl.DataFrame(cut, schema=summaries.schema, orient="row")
    reasons = {row["checkpoint_id"]: REASONS[prompt_language(row["summary"])] for row in cut}
    found = Recalled.of(build("candidates", offered), checkpoints=table)
    return replace(found, explain=lambda names: {name: reasons[name] for name in names})


def pack_offered(
    view: View,
    query: str,
    budget: int,
    offers: Sequence[Recalled],
    *,
    strategy: str,
    recent_rounds: int,
    split: Split,
    system: str | None,
    reserve: int,
    stable_first: bool = False,
) -> Context:
    """Return the prompt of the newest rounds and of everything offered, each offer before the next.

    Parameters
    ----------
    stable_first
        Whether all but the first offer stands right before the query; see `hydralab.packing.Packing`.
    """
    tables = [each.candidates for each in offers if each.candidates.height]
    events = [happened for each in offers for happened in each.events]
    recalled = Recalled(events=events)
    if tables:
        recalled = Recalled.of(
            pl.concat(tables, how="diagonal_relaxed"),
            checkpoints=_joined([each.checkpoints for each in offers]),
            memories=_joined([each.memories for each in offers]),
        )
        recalled = replace(
            recalled,
            explain=partial(_explained, offers),
            documents=_joined([each.documents for each in offers]),
            events=events,
        )
    packing = Packing(
        split=split,
        recent_rounds=recent_rounds,
        reserve=reserve,
        system=system,
        pinned=tuple(offers[0].found.item_ids) if stable_first and offers else (),
        stable_first=stable_first,
    )
    return view.pack(query, budget, strategy=strategy, recalled=recalled, packing=packing)


def pack_with_summary(view: View, packed: Callable[[PromptItems], Context], end: int) -> Context:
    """Return a prompt that tells of every turn, word for word or in a summary, if any within the budget does.

    Where the summary finds no room, nothing else is offered beside it, and then it is made shorter.

    Parameters
    ----------
    packed
        How to tell of turns → the prompt.
    end
        The last turn that the summary stored tells of.
    """
    first = _with_lost(view, packed, end, PromptItems())
    if not _untold(view, first):
        return first
    for share in (1.0, 0.5, 0.25):
        context = _with_lost(view, packed, end, PromptItems(alone=True, share=share))
        if not _untold(view, context):
            return context
    return first


def _with_lost(
    view: View, packed: Callable[[PromptItems], Context], end: int, telling: PromptItems
) -> Context:
    """Return a prompt whose summary tells also of the turns that have no room beside it."""
    context, known = packed(telling), 0
    # A longer summary can push out turns that had room beside the shorter one.
    while (lost := left_out(view, context, end)).height > known:
        context, known = packed(replace(telling, lost=lost)), lost.height
    return context


def _untold(view: View, context: Context) -> bool:
    """Tell whether a turn is neither in a prompt itself nor in a summary in it; a fact of it is neither."""
    told = {
        turn for row in context.kept_rows if row["section"] != "memory" for turn in row["source_turn_ids"]
    }
    return not told.issuperset(view.turns.filter(pl.col("role") != "system")["turn_id"].to_list())


def _explained(offers: Sequence[Recalled], names: Sequence[str]) -> dict[str, str]:
    """Return item id → why it is there, as the offer that brought it says."""
    told: dict[str, str] = {}
    for offer in offers:
        own = [name for name in names if name in set(offer.found.item_ids)]
        if offer.explain is not None and own:
            told |= offer.explain(own)
    return told


def _joined(tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Put tables below each other; of rows of one key the first stays, as that is the one made for the prompt."""
    both = pl.concat(tables, how="vertical_relaxed")
    return both.unique(subset=both.columns[0], keep="first", maintain_order=True)
