"""Four layers: system text and long-term memory, a running summary, the newest rounds, the query."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hydralab.errors import HydralabError, brief, check_settings
from hydralab.llms import LLMSpec, optional_llm
from hydralab.packing import Context, Split
from hydralab.recall import Recall
from hydralab.strategies.explicit_memory import ExplicitMemory
from hydralab.strategies.prompt_items import (
    PromptItems,
    latest_end,
    open_rounds,
    pack_offered,
    pack_with_summary,
    summaries_of,
)
from hydralab.strategies.running_summary import RunningSummary
from hydralab.strategies.view import STRATEGIES, Observation, View

__all__ = ["Layered"]


@STRATEGIES.register("layered")
@dataclass(frozen=True)
class Layered:
    """A running summary over remembered facts: what a person is told first, then what happened, then the talk.

    Where a budget has no room for both, the summary goes before the facts.

    Attributes
    ----------
    llm
        Remembers and writes the summaries, where `memory` and `summary` name no model of their own: anything
        that `hl.get_llm` takes.
    memory
        What is remembered, and how it is recalled.
    summary
        How the summary is kept; it decides which rounds stay word for word.
    split
        Shares of the budget; facts and summary together have that of what is recalled.
    system
        The system text; None takes the dialogue's own system turns.
    reserve
        Tokens kept free for the reply.
    stable_first
        Write the facts, which change with the query, right before it: system text, summary and rounds then stand as
        they stood in the prompt before, until rounds enter the summary, and a prefix cache holds them.

    >>> Layered(summary=RunningSummary(words=100)).memory.facts
    3
    """

    llm: LLMSpec | None = None
    memory: ExplicitMemory = field(default_factory=ExplicitMemory)
    summary: RunningSummary = field(default_factory=RunningSummary)
    split: Split = field(default_factory=lambda: Split(system=10, recalled=40, recent=50))
    system: str | None = None
    reserve: int = 0
    stable_first: bool = False

    name = "layered"

    def __post_init__(self) -> None:
        """Refuse what can't be meant, and give the model to the parts that have none."""
        check_settings(self)
        for name, kind in (("memory", ExplicitMemory), ("summary", RunningSummary)):
            if not isinstance(getattr(self, name), kind):
                raise HydralabError(
                    f"Layered: {name} is {brief(getattr(self, name))}, expected a {kind.__name__}"
                )
        if self.llm is not None:
            object.__setattr__(self, "llm", optional_llm(self.llm))
            for name in ("memory", "summary"):
                part = getattr(self, name)
                if part.llm is None:
                    object.__setattr__(self, name, replace(part, llm=self.llm))

    @property
    def recall_config(self) -> Recall:
        """How it recalls."""
        return self.memory.recall_config

    @property
    def across_dialogues(self) -> bool:
        """Whether facts of the same user's earlier dialogues are known."""
        return self.memory.across_dialogues

    def observe(self, view: View) -> Observation:
        """Remember facts, and fold old rounds into the summary."""
        return Observation(jobs=[*self.memory.observe(view).jobs, *self.summary.observe(view).jobs])

    def context(self, view: View, query: str, budget: int) -> Context:
        """Return facts, summary, the rounds that are not in it, and the query."""
        end = latest_end(summaries_of(view, self.summary.name))
        facts = self.memory.offer(view, query)

        def packed(telling: PromptItems) -> Context:
            summary = self.summary.offer(view, budget - self.reserve, telling)
            return pack_offered(
                view,
                query,
                budget,
                [summary] if telling.alone else [summary, facts],
                strategy=self.name,
                recent_rounds=open_rounds(view, end),
                split=self.split,
                system=self.system,
                reserve=self.reserve,
                stable_first=self.stable_first,
            )

        return pack_with_summary(view, packed, end)
