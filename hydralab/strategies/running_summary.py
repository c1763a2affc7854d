"""Keep the newest rounds, and a running summary of all before them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import polars as pl

from hydralab.errors import HydralabError, check_settings
from hydralab.llms import LLMSpec, optional_llm
from hydralab.packing import Context, Recalled, Split
from hydralab.strategies.prompt_items import (
    PromptItems,
    latest_end,
    open_rounds,
    pack_offered,
    pack_with_summary,
    pin_summaries,
    summaries_of,
)
from hydralab.strategies.summaries import Told, summarise_turns, summary_row
from hydralab.strategies.view import STRATEGIES, Observation, View

__all__ = ["RunningSummary"]


@STRATEGIES.register("running_summary")
@dataclass(frozen=True)
class RunningSummary:
    """Once there are more rounds than some number, all but the last few become a summary.

    The summary before is merged into each new one, which has the same length, so it never outgrows its share.
    Turns stay word for word until their summary is stored; of those that a budget has no room for, the summary
    in that prompt tells too, in their own sentences. A budget that holds the query and next to nothing else has
    no room for a summary either.

    Attributes
    ----------
    llm
        Writes the summaries: anything that `hl.get_llm` takes. None takes the most telling sentences of the
        dialogue; so does a model that fails, with an event that says so.
    after_rounds, keep_rounds
        With more rounds than `after_rounds` not in the summary, all but the last `keep_rounds` enter it.
    words
        The most words of the summary; of Chinese, characters.
    split
        Shares of the budget; the summary has that of what is recalled.
    system
        The system text; None takes the dialogue's own system turns.
    reserve
        Tokens kept free for the reply.
    prompts
        A folder with prompts of your own; see `hydralab.llms.prompting.prompt`.

    >>> RunningSummary(keep_rounds=3).words
    200
    """

    llm: LLMSpec | None = None
    after_rounds: int = 8
    keep_rounds: int = 5
    words: int = 200
    split: Split = field(default_factory=lambda: Split(system=10, recalled=30, recent=60))
    system: str | None = None
    reserve: int = 0
    prompts: str | None = None

    name = "running_summary"
    recall_config = None

    def __post_init__(self) -> None:
        """Refuse what can't be meant, and resolve a model given by name."""
        check_settings(self, keep_rounds=1, words=10)
        if self.after_rounds < self.keep_rounds:
            raise HydralabError(
                f"RunningSummary: after_rounds is {self.after_rounds}, expected at least "
                f"keep_rounds, {self.keep_rounds}"
            )
        object.__setattr__(self, "llm", optional_llm(self.llm))

    def observe(self, view: View) -> Observation:
        """Merge the oldest rounds into the summary when there are too many."""
        summaries = summaries_of(view, self.name)
        end = latest_end(summaries)
        if open_rounds(view, end) <= self.after_rounds:
            return Observation()
        rest = view.turns.slice(end + 1)
        folded = rest.filter(pl.col("round") <= rest["round"][-1] - self.keep_rounds)
        before = summaries["summary"][-1] if summaries.height else ""
        return Observation(jobs=[partial(self._fold, view, folded, before)])

    def context(self, view: View, query: str, budget: int) -> Context:
        """Return the summary, all rounds that are not in it, and the query."""
        end = latest_end(summaries_of(view, self.name))

        def packed(telling: PromptItems) -> Context:
            return pack_offered(
                view,
                query,
                budget,
                [self.offer(view, budget - self.reserve, telling)],
                strategy=self.name,
                recent_rounds=open_rounds(view, end),
                split=self.split,
                system=self.system,
                reserve=self.reserve,
            )

        return pack_with_summary(view, packed, end)

    def offer(self, view: View, budget: int, telling: PromptItems) -> Recalled:
        """Return the newest summary as what is offered to the prompt.

        Parameters
        ----------
        budget
            Tokens of the prompt.
        telling
            Which turns the prompt has no room for, of which the summary offered tells too, and its length.
        """
        lost = telling.lost
        summaries = summaries_of(view, self.name).tail(1)
        if lost is not None:
            before = summaries["summary"][0] if summaries.height else ""
            told = self._told(view, lost, before, model=False)
            covered = view.turns.head(int(lost["position"][-1]) + 1)
            summaries = summary_row(
                covered, told, trigger=self.name, at=view.at - 1, tokenizer=view.tokenizer
            )
        return pin_summaries(view, summaries, most=int(telling.share * self.split.recalled / 100 * budget))

    def _fold(self, view: View, folded: pl.DataFrame, before: str) -> Mapping[str, pl.DataFrame]:
        told = self._told(view, folded, before, model=True)
        covered = view.turns.head(int(folded["position"][-1]) + 1)
        row = summary_row(covered, told, trigger=self.name, at=view.at - 1, tokenizer=view.tokenizer)
        return {"checkpoints": row, "events": told.events}

    def _told(self, view: View, turns: pl.DataFrame, before: str, *, model: bool) -> Told:
        return summarise_turns(
            turns,
            llm=optional_llm(self.llm) if model else None,
            tokenizer=view.tokenizer,
            words=self.words,
            before=before,
            prompts=self.prompts,
        )
