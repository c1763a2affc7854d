"""Context hydration: checkpoints where a topic ends, recall of the few pieces that matter, packing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from types import NoneType
from typing import Self, cast

import polars as pl

from hydralab.checkpoints import close_spans
from hydralab.errors import HydralabError, brief, check_kind, check_settings
from hydralab.packing import BudgetError, Context, Packing, Recalled, Split
from hydralab.recall import Recall
from hydralab.strategies.adapting import Adaptive, decide
from hydralab.strategies.judging import Judge, check_judge, judged
from hydralab.strategies.view import STRATEGIES, Observation, View
from hydralab.triggers import Trigger, default_trigger, resolve_trigger

__all__ = ["LEAST", "Hydration", "Quota"]

LEAST = 0.4
"""Share of the best score below which the default blend's candidates cost tokens and bring no evidence."""


@dataclass(frozen=True)
class Quota:
    """So many candidates of a kind, the best by one score; those with a score of 0 are none."""

    kind: str
    score: str
    number: int

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_settings(self)


@STRATEGIES.register("hydration")
@dataclass(frozen=True)
class Hydration:
    """Mark checkpoints by a trigger, recall by the query, and pack under the budget.

    Attributes
    ----------
    trigger
        Where a span ends: a trigger, a registered name, or a trigger's text; None for the default.
    recall
        Index, blend and numbers of candidates.
    recent_rounds
        The most newest rounds in the prompt.
    turns, checkpoints, documents
        The most recalled turns, checkpoints and passages of documents; None for as many as fit.
    quotas
        When given, only the best candidates by single scores are offered: each quota names a kind, a
        score column and a number.
    least
        What scores below this share of the best candidate is left out, though there be room; 0 fills the budget.
        None: 0.4 with the default blend, chosen on the bundled dialogues and part of LoCoMo, where evidence met
        stayed as it was; 0 with any other blend, for which it wasn't measured.
    split
        Shares of the budget.
    system
        The system text; None takes the dialogue's own system turns.
    reserve
        Tokens kept free for the reply.
    judge
        Which of the candidates may get into a prompt: `hl.CalibratedJudge()`, `hl.ModelJudge(llm)`, or what else
        has their method `judge`; None for all of them.

    adaptive
        Whether how much of the budget a prompt uses follows how hard its query is: `hl.Adaptive()`; what it decided
        is in `context.decision`, and `least` and `turns` are its own. None: always all that is worth its tokens.

    >>> Hydration().recent_rounds
    3
    """

    trigger: Trigger | str | None = None
    recall: Recall = field(default_factory=Recall)
    recent_rounds: int = 3
    turns: int | None = None
    checkpoints: int | None = None
    documents: int | None = None
    quotas: tuple[Quota, ...] = ()
    least: float | None = None
    split: Split = field(default_factory=Split)
    system: str | None = None
    reserve: int = 0
    judge: Judge | None = None
    adaptive: Adaptive | None = None

    def __post_init__(self) -> None:
        """Refuse what can't be meant, and resolve a trigger given by name or text."""
        check_settings(self)
        if self.judge is not None:
            check_judge("Hydration: judge", self.judge)
        check_kind("Hydration: adaptive", self.adaptive, (Adaptive, NoneType), "an hl.Adaptive or None")
        if self.least is not None and not 0 <= self.least <= 1:
            raise HydralabError(
                f"Hydration: least is {self.least}, expected a share of the best score, 0 to 1"
            )
        if not isinstance(self.quotas, tuple) or not all(isinstance(one, Quota) for one in self.quotas):
            raise HydralabError(f"Hydration: quotas is {brief(self.quotas)}, expected a tuple of hl.Quota")
        for name, kind in (("recall", Recall), ("split", Split)):
            if not isinstance(getattr(self, name), kind):
                raise HydralabError(
                    f"Hydration: {name} is {brief(getattr(self, name))}, expected a {kind.__name__}"
                )
        trigger = default_trigger() if self.trigger is None else resolve_trigger(self.trigger)
        object.__setattr__(self, "trigger", trigger)

    @classmethod
    def literature(cls, trigger: Trigger | str | None = None) -> Self:
        """Return the preset of the literature.

        3 recent rounds, 2 similar turns, 2 similar checkpoints, 1 checkpoint by its keywords.

        >>> [quota.number for quota in Hydration.literature().quotas]
        [2, 2, 1]
        """
        quotas = (
            Quota("turn", "dense", 2),
            Quota("checkpoint", "dense", 2),
            Quota("checkpoint", "lexical", 1),
        )
        return cls(trigger=trigger, recent_rounds=3, quotas=quotas, least=0.0)

    @property
    def name(self) -> str:
        """What it is called in tables and plots."""
        return "hydration"

    @property
    def recall_config(self) -> Recall:
        """How it recalls."""
        return self.recall

    def observe(self, view: View) -> Observation:
        """Close the span that ends where the trigger decided to cut, and remember its checkpoint."""
        decided = view.decide(cast(Trigger, self.trigger))  # __post_init__ has resolved it
        if decided.height == view.boundaries.height:
            return Observation()
        known = view.boundaries["position"].implode()
        fresh = decided.filter(~pl.col("position").is_in(known))
        closed = close_spans(view.turns, fresh, before=view.boundaries, tokenizer=view.tokenizer)
        return Observation({"boundaries": fresh, "checkpoints": closed})

    def context(self, view: View, query: str, budget: int) -> Context:
        """Return recent turns, what recall found worth its tokens, and the query."""
        packing = Packing(
            split=self.split,
            recent_rounds=self.recent_rounds,
            reserve=self.reserve,
            system=self.system,
            limits={
                "turn": self.turns,
                "round": self.turns,
                "checkpoint": self.checkpoints,
                "document": self.documents,
            },
            least=_least(self),
            drop_covered=True,
        )
        recalled = _within(view.recall(query), self.quotas)
        if self.judge is not None:
            recalled = judged(self.judge, view, query, recalled)
        if self.adaptive is not None:
            return self._adapted(self.adaptive, view, query, budget, recalled, packing)
        return view.pack(query, budget, strategy=self.name, recalled=recalled, packing=packing)

    def _adapted(
        self, adaptive: Adaptive, view: View, query: str, budget: int, recalled: Recalled, packing: Packing
    ) -> Context:
        """Return the prompt that uses as much of the budget as its query asks for."""
        decision = decide(
            adaptive,
            view,
            query,
            recalled,
            budget=budget,
            reserve=self.reserve,
            recent_rounds=self.recent_rounds,
        )
        limits = {**packing.limits, "turn": decision.turns, "round": decision.turns}
        chosen = replace(packing, limits=limits, least=decision.least, recent_rounds=decision.recent_rounds)
        make = partial(view.pack, query, strategy=self.name, recalled=recalled, packing=chosen)
        try:
            context = make(decision.budget)
        except BudgetError:  # its part can't even hold the query
            context, decision = make(budget), decision.with_whole_budget(budget, query)
        return replace(context, budget=budget, decision=decision.as_dict())


def _least(strategy: Hydration) -> float:
    if strategy.least is not None:
        return strategy.least
    blend = strategy.recall.blend
    return LEAST if isinstance(blend, str) and blend == "default" else 0.0


def _within(recalled: Recalled, quotas: tuple[Quota, ...]) -> Recalled:
    if not quotas or not len(recalled.found):
        return recalled
    chosen = [
        (pl.col("kind") == quota.kind)
        & (pl.col(quota.score) > 0)
        & (pl.col(quota.score).rank("ordinal", descending=True).over("kind") <= quota.number)
        for quota in quotas
    ]
    return replace(recalled, found=recalled.found.within(pl.any_horizontal(chosen)))
