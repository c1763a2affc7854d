"""Remember preferences, facts and decisions one by one, and recall those that matter."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

import polars as pl

from hydralab.errors import check_kind, check_settings
from hydralab.llms import LLMSpec, optional_llm
from hydralab.packing import Context, Recalled, Split
from hydralab.recall import Recall, RecallResult
from hydralab.strategies.exchanges import newest_exchange
from hydralab.strategies.prompt_items import pack_offered
from hydralab.strategies.remembering import remember
from hydralab.strategies.view import STRATEGIES, Observation, View

__all__ = ["ExplicitMemory"]


@STRATEGIES.register("explicit_memory")
@dataclass(frozen=True)
class ExplicitMemory:
    """After each exchange what is worth remembering is written down; the facts that bear on a query are sent.

    A fact that is known is not written twice; one that contradicts an older one takes its place, and the older
    one stays in the table with `superseded_by` set. Facts are valid in all dialogues of a user: in a replay of a
    lab those are known that the user's earlier dialogues had told by the time this one began, and why a fact is
    sent names the dialogue that it comes from.

    Attributes
    ----------
    llm
        Decides what is worth remembering: anything that `hl.get_llm` takes. None searches the user's sentences
        for preferences, figures and decisions; so does a model that fails, with an event that says so.
    facts
        The most new facts of an exchange.
    recalled
        The most facts in a prompt.
    recent_rounds
        The most newest rounds in a prompt.
    across_dialogues
        Whether facts of the same user's earlier dialogues are known, and what contradicts them replaces them.
        The earlier dialogues are then gone through first, with calls of `llm` like any other.
    recall
        How facts are scored.
    split
        Shares of the budget; facts have that of what is recalled.
    system
        The system text; None takes the dialogue's own system turns.
    reserve
        Tokens kept free for the reply.
    prompts
        A folder with prompts of your own; see `hydralab.llms.prompting.prompt`.

    >>> ExplicitMemory(facts=2).recent_rounds
    5
    """

    llm: LLMSpec | None = None
    facts: int = 3
    recalled: int = 8
    recent_rounds: int = 5
    across_dialogues: bool = True
    recall: Recall = field(default_factory=lambda: Recall(turns=1, checkpoints=0, memories=20))
    split: Split = field(default_factory=lambda: Split(system=10, recalled=30, recent=60))
    system: str | None = None
    reserve: int = 0
    prompts: str | None = None

    name = "explicit_memory"

    def __post_init__(self) -> None:
        """Refuse what can't be meant, and resolve a model given by name."""
        check_settings(self, facts=1)
        check_kind("ExplicitMemory: recall", self.recall, Recall, "a Recall")
        object.__setattr__(self, "llm", optional_llm(self.llm))

    @property
    def recall_config(self) -> Recall:
        """How it recalls."""
        return self.recall

    def observe(self, view: View) -> Observation:
        """Write down what is worth it when the newest turn ends an exchange."""
        exchange = newest_exchange(view.turns)
        if exchange is None:
            return Observation()
        job = partial(
            remember,
            exchange,
            view.memories,
            llm=optional_llm(self.llm),
            tokenizer=view.tokenizer,
            most=self.facts,
            user_id=view.user_id,
            prompts=self.prompts,
        )
        return Observation(jobs=[job])

    def context(self, view: View, query: str, budget: int) -> Context:
        """Return the facts that bear on the query, recent rounds, and the query."""
        return pack_offered(
            view,
            query,
            budget,
            [self.offer(view, query)],
            strategy=self.name,
            recent_rounds=self.recent_rounds,
            split=self.split,
            system=self.system,
            reserve=self.reserve,
        )

    def offer(self, view: View, query: str) -> Recalled:
        """Return the facts that bear on the query as what is offered to the prompt."""
        if not view.memories.height:
            return Recalled()
        recalled = view.recall(query)
        facts = recalled.candidates.filter(pl.col("kind") == "memory").head(self.recalled)
        return replace(recalled, found=RecallResult.of(facts)) if facts.height else Recalled()
