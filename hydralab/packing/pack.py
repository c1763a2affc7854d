"""Pack a prompt: system text and recalled items, recent turns, query, under a token budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from numbers import Integral

import polars as pl

from hydralab.errors import HydralabError, check_kind
from hydralab.frames import check_table
from hydralab.packing.blocks import BLOCKS, escape
from hydralab.packing.charging import charge_early, charge_late, charge_opening
from hydralab.packing.context import Context
from hydralab.packing.draft import Draft, context_rows
from hydralab.packing.filling import Filled, date_once, fill
from hydralab.packing.offers import Offer, make_offers
from hydralab.packing.phrases import phrases_for
from hydralab.packing.policy import Packing
from hydralab.packing.recalled import Recalled
from hydralab.packing.recent import Recent, charge_recent, choose_recent
from hydralab.packing.split import BudgetError
from hydralab.packing.transcript import Excerpt, Item, Row, Transcript
from hydralab.texts import Tokenizer, sendable
from hydralab.texts import tokenizer as get_tokenizer

__all__ = ["pack"]

MOST_REFUSED = 30
"""So many of the best refused candidates are listed in the context table, and of the turns before recent ones."""


def pack(
    query: str,
    turns: pl.DataFrame | Excerpt,
    *,
    budget: int,
    recalled: Recalled | None = None,
    packing: Packing | None = None,
    tokenizer: Tokenizer | str = "cl100k_base",
    query_id: str = "query",
    dialogue_id: str = "",
    title: str = "",
    strategy: str = "",
) -> Context:
    """Pack the prompt for one query.

    Parameters
    ----------
    query
        Sent byte for byte as the last user message; only lone surrogates, which can't be sent, are replaced.
    turns
        The turns of one dialogue that came before the query, `tokens` counted by `tokenizer`: their table,
        or an excerpt of a `Transcript`, which saves going through the table for every prompt.
    budget
        Tokens for everything sent, message overhead and `packing.reserve` included.
    recalled
        Candidates with their tables. Turns among the recent ones are not written twice.
    packing
        Split, recent rounds, reserve, limits.
    tokenizer
        The tokenizer of the model that will read the prompt.

    Returns
    -------
    Context
        Its tokens are at most `budget − reserve`, counted on its messages.

    Raises
    ------
    BudgetError
        When query, or system text and query, can't fit at all (it names both numbers), or budget or
        reserve is no number of tokens.
    HydralabError
        The query is no text, or the turns are of several dialogues.

    >>> from hydralab.frames import empty
    >>> ctx = pack("And the date?", empty("turns"), budget=100)
    >>> ctx.tokens, ctx.messages
    (11, [{'role': 'user', 'content': 'And the date?'}])
    """
    packing = Packing() if packing is None else packing
    recalled = Recalled() if recalled is None else recalled
    check_kind("pack: packing", packing, Packing, "a Packing or None")
    check_kind("pack: recalled", recalled, Recalled, "a Recalled or None")
    counter = get_tokenizer(tokenizer) if isinstance(tokenizer, str) else tokenizer
    if not isinstance(query, str):
        raise HydralabError(f"query: got {type(query).__name__}, expected a text")
    if packing.system is not None and not isinstance(packing.system, str):
        raise HydralabError(f"system: got {type(packing.system).__name__}, expected a text or None")
    query = sendable(query)
    most = _most(budget, packing.reserve)
    seen = turns if isinstance(turns, Excerpt) else _transcript(turns).before(None)
    available = most
    while True:
        draft = _draft(query, seen, available, recalled, packing, counter)
        context = Context(
            rows=context_rows(draft),
            reasons=recalled.explain,
            query=query,
            query_id=query_id,
            dialogue_id=dialogue_id,
            budget=budget,
            reserve=packing.reserve,
            tokens=draft.tokens,
            at=seen.at,
            title=title,
            strategy=strategy,
            events=recalled.events,
        )
        # What a chat template adds is known only when the whole prompt is rendered.
        exact = draft.tokens if counter.render is None else counter.count_messages(context.messages)
        if exact <= most:
            if exact == draft.tokens:
                return context
            charged = replace(draft, query_tokens=draft.query_tokens + exact - draft.tokens)
            return replace(context, rows=context_rows(charged), tokens=exact)
        # What was charged piece by piece can be more in the whole: the query alone is tried last.
        alone = charge_recent([], query, counter)[1]
        available = max(available - (exact - most), min(available - 1, alone))


def _transcript(turns: pl.DataFrame) -> Transcript:
    check_table("turns", turns)
    if (dialogues := turns["dialogue_id"].n_unique()) > 1:
        raise HydralabError(f"pack: turns of {dialogues} dialogues, expected those of one")
    return Transcript(turns)


def _most(budget: int, reserve: int) -> int:
    for name, given in (("budget", budget), ("reserve", reserve)):
        if not isinstance(given, Integral) or isinstance(given, bool):
            raise BudgetError(f"{name} is {given!r}, expected a whole number of tokens")
    if reserve < 0:
        raise BudgetError(f"reserve is {reserve}, expected at least 0 tokens")
    if reserve and reserve >= budget:
        raise BudgetError(f"the reserve of {reserve} tokens leaves nothing of a budget of {budget}")
    return budget - reserve


def _draft(
    query: str, turns: Excerpt, available: int, recalled: Recalled, packing: Packing, counter: Tokenizer
) -> Draft:
    phrases = phrases_for(query)
    system = _system(turns, packing)
    _, query_tokens = charge_recent([], query, counter)
    if query_tokens > available:
        raise BudgetError(f"the query needs {query_tokens} tokens, but the budget leaves {max(available, 0)}")
    room = available - query_tokens
    plain_tokens = charge_opening(system, counter)
    told = "instructions_documents" if "document" in recalled.found.kinds else "instructions"
    opening = "\n".join(text for text in (system, phrases[told]) if text)
    opening_tokens = charge_opening(opening, counter)
    if not len(recalled.found) or opening_tokens > room:
        recalled, opening, opening_tokens = Recalled(), system, plain_tokens
    ceilings = packing.split.ceilings(room, system=opening_tokens)
    ceiling = (
        ceilings.recent if packing.recent_tokens is None else min(ceilings.recent, packing.recent_tokens)
    )
    room = available - opening_tokens
    chosen = choose_recent(turns, query, counter, rounds=packing.recent_rounds, ceiling=ceiling, room=room)
    recent = turns.rows(chosen.start)
    left = room - int(chosen.charges.sum()) - chosen.query_tokens
    filled = _recall(recalled, turns, recent, min(ceilings.recalled, left), left, packing, counter, phrases)
    by_section = [sorted((p for p in filled.taken if p[0].section == name), key=_by_order) for name in BLOCKS]
    ordered = [pair for pairs in by_section for pair in date_once(pairs)]
    early, late = _early_and_late(ordered, packing, recent)
    written = opening if ordered or (packing.stable_first and recent) else system
    opening_charge, item_charges = charge_early(written, early, counter)
    query_charge = chosen.query_tokens
    if late:
        late_charges, query_charge = charge_late(late, recent, query, counter)
        item_charges = [*item_charges, *late_charges]
    crowded_out, unlisted = _crowded_out(turns, chosen, filled)
    return Draft(
        opening=written,
        opening_tokens=opening_charge,
        items=[*early, *late],
        item_tokens=item_charges,
        recent=recent,
        recent_tokens=chosen.charges,
        query=query,
        query_tokens=query_charge,
        refused=_listed(filled, phrases["shown"]),
        crowded_out=crowded_out,
        unlisted=unlisted,
        early=len(early),
    )


def _recall(
    recalled: Recalled,
    turns: Excerpt,
    recent: Sequence[Row],
    share: int,
    room: int,
    packing: Packing,
    counter: Tokenizer,
    phrases: Mapping[str, str],
) -> Filled:
    offers = make_offers(recalled.found, turns, recalled.checkpoints, recalled.memories, recalled.documents)
    return fill(
        offers,
        share=share,
        overflow=room - share,
        limits=packing.limits,
        least=packing.least,
        drop_covered=packing.drop_covered,
        pinned=packing.pinned,
        barred=recalled.refused,
        shown={turn["turn_id"] for turn in recent},
        tokenizer=counter,
        phrases=phrases,
    )


def _by_order(pair: tuple[Item, Offer]) -> float:
    return pair[0].order


def _listed(filled: Filled, shown: str) -> list[tuple[Offer, str]]:
    """Return the best of what was refused; a turn that is in the prompt anyway is none of it."""
    refused = [pair for pair in filled.refused.values() if pair[1] != shown or pair[0].kind != "turn"]
    return sorted(refused, key=lambda pair: -pair[0].score)[:MOST_REFUSED]


def _crowded_out(turns: Excerpt, chosen: Recent, filled: Filled) -> tuple[list[Row], int]:
    """Return the turns that recent had no room for and that do not come up as candidates.

    The newest of them, newest first, and the number of those before: a row for each turn of a long dialogue
    in each of its prompts would be quadratic.
    """
    offers = [offer for _, offer in filled.taken] + [offer for offer, _ in filled.refused.values()]
    row_of = turns.whole.row_of
    offered = {row_of.get(item.item_id, -1) for offer in offers for item in offer.items}
    rows = range(chosen.asked, chosen.start)
    newest = list(islice((row for row in reversed(rows) if row not in offered), MOST_REFUSED))
    others = len(rows) - sum(row in rows for row in offered) - len(newest)
    return [turns.row(row) for row in newest], others


def _early_and_late(
    ordered: Sequence[tuple[Item, Offer]], packing: Packing, recent: Sequence[Row]
) -> tuple[Sequence[tuple[Item, Offer]], Sequence[tuple[Item, Offer]]]:
    """Return what goes into the system message, and what in front of the query, if anything stands between them."""
    if not packing.stable_first or not recent:
        return ordered, ()
    pinned = [offer.candidate in packing.pinned for _, offer in ordered]
    early = [pair for pair, stays in zip(ordered, pinned, strict=True) if stays]
    return early, [pair for pair, stays in zip(ordered, pinned, strict=True) if not stays]


def _system(turns: Excerpt, packing: Packing) -> str:
    if packing.system is not None:
        return sendable(packing.system)
    # Written by whoever wrote the dialogue, so it must not forge the blocks that follow it.
    return escape(turns.system)
