"""Pack a prompt: system text and recalled items, recent turns, query, under a token budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from numbers import Integral
from typing import Any, Self

import numpy as np
import polars as pl

from hydralab.errors import HydralabError, brief, check_kind, check_settings, check_value
from hydralab.frames import check_table, empty
from hydralab.packing.blocks import BLOCKS, block_pieces, escape
from hydralab.packing.context import Context
from hydralab.packing.counting import count_piece
from hydralab.packing.draft import Draft, Explain, context_rows
from hydralab.packing.filling import Filled, date_once, fill
from hydralab.packing.offers import Offer, make_offers
from hydralab.packing.phrases import phrases_for
from hydralab.packing.recent import Recent, charge_recent, choose_recent, role_overhead
from hydralab.packing.split import BudgetError, Split
from hydralab.packing.transcript import Excerpt, Item, Row, Transcript
from hydralab.recall import RecallResult
from hydralab.texts import Tokenizer, sendable
from hydralab.texts import tokenizer as get_tokenizer

__all__ = ["Packing", "Recalled", "pack"]

MOST_REFUSED = 30
"""So many of the best refused candidates are listed in the context table, and of the turns before recent ones."""


@dataclass(frozen=True)
class Packing:
    """How a prompt is packed.

    Attributes
    ----------
    split
        Shares of the sections.
    recent_rounds, recent_tokens
        The most rounds and tokens of newest turns; None for no limit of its own.
    reserve
        Tokens of the budget that are kept free for the reply.
    system
        The system text; None takes the dialogue's own system turns.
    limits
        Candidate kind (turn, round, checkpoint, memory, document) → the most of it; None or absent for as
        many as fit.
    least
        Candidates below this share of the best candidate's score are left out; 0 for none.
    drop_covered
        Leave out a checkpoint whose turns all stand in the prompt themselves.
    pinned
        Ids of candidates to which limits, `least` and `drop_covered` don't apply.
    stable_first
        Write what is recalled for the query right before it, behind the recent turns, and only what is pinned into
        the system message: a provider's prefix cache then holds all that stays from prompt to prompt.
    """

    split: Split = field(default_factory=Split)
    recent_rounds: int | None = 3
    recent_tokens: int | None = None
    reserve: int = 0
    system: str | None = None
    limits: Mapping[str, int | None] = field(default_factory=dict)
    least: float = 0.0
    drop_covered: bool = False
    pinned: tuple[str, ...] = ()
    stable_first: bool = False

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_settings(self)
        if not 0 <= self.least <= 1:
            raise HydralabError(f"Packing: least is {self.least}, expected a share of the best score, 0 to 1")
        if not isinstance(self.split, Split) or not isinstance(self.limits, Mapping):
            given = f"split {brief(self.split)} and limits {brief(self.limits)}"
            raise HydralabError(f"Packing: got {given}, expected an hl.Split and a number a kind")
        for kind, most in self.limits.items():
            check_value(f"Packing: limits[{kind!r}]", most, "int | None", least=0)


@dataclass(frozen=True)
class Recalled:
    """What recall offers to a prompt: candidates, the tables they point into, and their reasons.

    `explain` is asked only for candidates that come up for the prompt; `refused` says, by item id, which of them
    are not to be put into it, and why; `events` are rows of what failed while it was chosen.
    """

    found: RecallResult = field(default_factory=RecallResult)
    checkpoints: pl.DataFrame = field(default_factory=lambda: empty("checkpoints"))
    memories: pl.DataFrame = field(default_factory=lambda: empty("memories"))
    explain: Explain | None = None
    documents: pl.DataFrame = field(default_factory=lambda: empty("documents"))
    refused: Mapping[str, str] = field(default_factory=dict)
    events: Sequence[dict[str, Any]] = ()

    @classmethod
    def of(
        cls,
        candidates: pl.DataFrame,
        checkpoints: pl.DataFrame | None = None,
        memories: pl.DataFrame | None = None,
    ) -> Self:
        """Return what a candidates table offers, with the tables that it points into."""
        return cls(
            RecallResult.of(candidates),
            empty("checkpoints") if checkpoints is None else checkpoints,
            empty("memories") if memories is None else memories,
        )

    @property
    def candidates(self) -> pl.DataFrame:
        """The candidates table."""
        return self.found.frame


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
    plain_tokens = _opening_tokens(system, counter)
    told = "instructions_documents" if "document" in recalled.found.kinds else "instructions"
    opening = "\n".join(text for text in (system, phrases[told]) if text)
    opening_tokens = _opening_tokens(opening, counter)
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
    opening_charge, item_charges = _charges(written, early, counter)
    query_charge = chosen.query_tokens
    if late:
        late_charges, query_charge = _charge_late(late, recent, query, counter)
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


def _charges(
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


def _early_and_late(
    ordered: Sequence[tuple[Item, Offer]], packing: Packing, recent: Sequence[Row]
) -> tuple[Sequence[tuple[Item, Offer]], Sequence[tuple[Item, Offer]]]:
    """Return what goes into the system message, and what in front of the query, if anything stands between them."""
    if not packing.stable_first or not recent:
        return ordered, ()
    pinned = [offer.candidate in packing.pinned for _, offer in ordered]
    early = [pair for pair, stays in zip(ordered, pinned, strict=True) if stays]
    return early, [pair for pair, stays in zip(ordered, pinned, strict=True) if not stays]


def _charge_late(
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


def _system(turns: Excerpt, packing: Packing) -> str:
    if packing.system is not None:
        return sendable(packing.system)
    # Written by whoever wrote the dialogue, so it must not forge the blocks that follow it.
    return escape(turns.system)


def _opening_tokens(opening: str, counter: Tokenizer) -> int:
    return count_piece(counter, f"{opening}\n") + role_overhead(counter, "system") if opening else 0
