"""Three tiers: a short window word for word, summaries of what left it, and long-term items past a judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import polars as pl

from hydralab.checkpoints import open_call
from hydralab.errors import check_kind, check_settings
from hydralab.llms import LLMSpec, optional_llm
from hydralab.packing import Context, Recalled, Split
from hydralab.recall import Recall, RecallResult
from hydralab.strategies.judging import Judge, ModelJudge, WordsJudge, judged
from hydralab.strategies.prompt_items import (
    latest_end,
    left_out,
    open_rounds,
    pack_offered,
    pin_summaries,
    summaries_of,
)
from hydralab.strategies.summaries import Told, summarise_turns, summary_row
from hydralab.strategies.view import STRATEGIES, Observation, View

__all__ = ["ThreeTier"]

WORDS_A_TOKEN = 0.7
JUDGED = 6
"""So many of the best long-term items are put before the judge."""


@STRATEGIES.register("three_tier")
@dataclass(frozen=True)
class ThreeTier:
    """The last turns word for word; a summary each few turns; long-term items that a judge lets through.

    A turn leaves the window only when a summary of it is stored: until then it stays word for word, and where a
    budget has no room for it, a summary of its own sentences is made for that prompt. (In the published form
    turns between two summaries can be in neither.)

    Attributes
    ----------
    llm
        Writes summaries and judges: anything that `hl.get_llm` takes. None, and where it fails, takes the most
        telling sentences, and judges by the words and names that query and item share.
    window
        Turns of the short window, rounded up to whole rounds, so that it starts with a user's.
    summary_turns, summary_tokens
        A summary covers so many turns, in at most so many tokens.
    summaries
        The newest so many summaries are in every prompt.
    recalled
        The most long-term items (older turns and summaries) in a prompt.
    tokens, pressure
        When turns that no summary covers have more than `pressure` of `tokens` tokens, all but the newest are
        summarised at once.
    recall
        How long-term items are scored.
    split
        Shares of the budget; summaries and long-term items together have that of what is recalled.
    system
        The system text; None takes the dialogue's own system turns.
    reserve
        Tokens kept free for the reply.
    prompts
        A folder with prompts of your own; see `hydralab.llms.prompting.prompt`.

    >>> ThreeTier(window=6).summary_turns
    5
    """

    llm: LLMSpec | None = None
    window: int = 8
    summary_turns: int = 5
    summary_tokens: int = 150
    summaries: int = 3
    recalled: int = 2
    tokens: int = 4_000
    pressure: float = 0.7
    recall: Recall = field(default_factory=lambda: Recall(turns=40, checkpoints=20, memories=0))
    split: Split = field(default_factory=lambda: Split(system=10, recalled=40, recent=50))
    system: str | None = None
    reserve: int = 0
    prompts: str | None = None

    name = "three_tier"

    def __post_init__(self) -> None:
        """Refuse what can't be meant, and resolve a model given by name."""
        check_settings(self, window=1, summary_turns=1, summary_tokens=16, tokens=1, pressure=0.0)
        check_kind("ThreeTier: recall", self.recall, Recall, "a Recall")
        object.__setattr__(self, "llm", optional_llm(self.llm))

    @property
    def recall_config(self) -> Recall:
        """How it recalls."""
        return self.recall

    def observe(self, view: View) -> Observation:
        """Summarise the oldest turns that no summary covers, when they are enough or too long."""
        waiting = view.after(latest_end(summaries_of(view, self.name)))
        before = waiting.head(waiting.height - 1)  # the newest turn may be the query
        pressed = int(before["tokens"].sum()) > self.pressure * self.tokens
        if not before.height or (before.height < self.summary_turns and not pressed):
            return Observation()
        count = before.height if pressed else self.summary_turns
        folded = before.head(_whole(before, count))
        return Observation(jobs=[partial(self._summarise, view, folded)]) if folded.height else Observation()

    def context(self, view: View, query: str, budget: int) -> Context:
        """Return the newest summaries, long-term items past the judge, the short window, and the query."""
        made = summaries_of(view, self.name)
        end = latest_end(made)
        start = min(max(view.at - self.window, 0), end + 1)
        pinned = made.tail(self.summaries)
        offers = [self._pin(view, pinned, budget), self._recall(view, query, pinned, start)]
        context = self._packed(view, query, budget, offers, open_rounds(view, start - 1))
        lost = left_out(view, context, end)
        if not lost.height:
            return context
        row = summary_row(
            lost,
            self._told(lost, view, model=False),
            trigger=self.name,
            at=view.at - 1,
            tokenizer=view.tokenizer,
        )
        pinned = pl.concat([pinned.tail(self.summaries - 1), row], how="vertical_relaxed")
        offers = [self._pin(view, pinned, budget), offers[1]]
        return self._packed(view, query, budget, offers, open_rounds(view, start - 1))

    def _packed(self, view: View, query: str, budget: int, offers: list[Recalled], rounds: int) -> Context:
        return pack_offered(
            view,
            query,
            budget,
            offers,
            strategy=self.name,
            recent_rounds=rounds,
            split=self.split,
            system=self.system,
            reserve=self.reserve,
        )

    def _pin(self, view: View, pinned: pl.DataFrame, budget: int) -> Recalled:
        return pin_summaries(view, pinned, most=int(self.split.recalled / 100 * (budget - self.reserve)))

    def _recall(self, view: View, query: str, pinned: pl.DataFrame, start: int) -> Recalled:
        """Return the best long-term items that a judge lets through."""
        if not self.recalled:
            return Recalled()
        recalled = view.recall(query)
        shown = [*pinned["checkpoint_id"].to_list(), *view.after(start - 1)["turn_id"].to_list()]
        found = recalled.candidates.filter(~pl.col("item_id").is_in(shown)).head(JUDGED)
        if not found.height:
            return Recalled()
        told = judged(self._judge, view, query, replace(recalled, found=RecallResult.of(found)))
        passed = found.filter(~pl.col("item_id").is_in(list(told.refused))).head(self.recalled)
        return replace(told, found=RecallResult.of(passed)) if passed.height else Recalled(events=told.events)

    @property
    def _judge(self) -> Judge:
        words = WordsJudge()
        return words if self.llm is None else ModelJudge(self.llm, JUDGED, words, self.prompts)

    def _told(self, turns: pl.DataFrame, view: View, *, model: bool) -> Told:
        return summarise_turns(
            turns,
            llm=optional_llm(self.llm) if model else None,
            tokenizer=view.tokenizer,
            words=int(self.summary_tokens * WORDS_A_TOKEN),
            tokens=self.summary_tokens,
            prompts=self.prompts,
        )

    def _summarise(self, view: View, folded: pl.DataFrame) -> Mapping[str, pl.DataFrame]:
        told = self._told(folded, view, model=True)
        row = summary_row(folded, told, trigger=self.name, at=view.at - 1, tokenizer=view.tokenizer)
        return {"checkpoints": row, "events": told.events}


def _whole(turns: pl.DataFrame, count: int) -> int:
    """Return at how many turns a cut leaves tool calls and results together; at most all but an open call."""
    if count == turns.height:
        return count
    cut = open_call(turns, count, turns.height)
    if cut > 0:
        return cut
    rest = turns["role"].slice(count).to_list()
    return next((row for row, role in enumerate(rest, start=count) if role != "tool"), turns.height)
