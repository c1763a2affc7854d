"""Pick a strategy for each prompt by how long the dialogue is and what the query needs, and say why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import polars as pl

from hydralab.errors import check_kind, check_settings
from hydralab.llms.prompting import prompt_language
from hydralab.packing import Context
from hydralab.recall import Recall
from hydralab.strategies.explicit_memory import ExplicitMemory
from hydralab.strategies.full_history import FullHistory
from hydralab.strategies.hydration import Hydration
from hydralab.strategies.sliding_window import SlidingWindow
from hydralab.strategies.view import STRATEGIES, Observation, Strategy, View

__all__ = ["Auto"]

REASONS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {
            "short": "rounds: {rounds}, under {most}; all of them fit, so a window is enough",
            "fits": "rounds: {rounds}; all of them fit in {tokens:,} tokens, so nothing need be chosen",
            "long": "rounds: {rounds}; they don't fit in {tokens:,} tokens, so what bears on the query is recalled",
            "known": "facts from other dialogues are known, and those that bear on the query are recalled",
        },
        "zh": {
            "short": "{rounds} 轮，不到 {most} 轮，且全部放得下：窗口已足够",
            "fits": "全部 {rounds} 轮在 {tokens:,} 词元内放得下，无需取舍",
            "long": "{rounds} 轮在 {tokens:,} 词元内放不下：召回与问题有关的内容",
            "known": "已知其他对话中的事实：召回与问题有关的部分",
        },
    }
)


@STRATEGIES.register("auto")
@dataclass(frozen=True)
class Auto:
    """For each prompt the simplest strategy that loses nothing the query may need.

    In this order, and each prompt's `decision` says which and why, as do `explain()` and the steps table:

    1. Facts of the user's other dialogues are known (see `remember`): hydration, which recalls them.
    2. Under `short_rounds` rounds, all of which fit: a sliding window.
    3. All rounds fit in `full_tokens` tokens and in the budget: the full history. Above that a prompt costs more
       than what recall leaves out is worth, though a larger budget would hold it.
    4. Otherwise hydration. (Checkpoints alone for a query that asks for a recap were tried: they hold less of its
       evidence.)

    Attributes
    ----------
    hydration
        Marks the checkpoints from the first turn on, so that they are there when it is needed.
    short_rounds
        Under so many rounds a window is enough.
    full_tokens
        The most tokens of a full history.
    remember
        Notes facts after each exchange, for hydration to recall; None for none.

    >>> Auto(short_rounds=6).name
    'auto'
    """

    hydration: Hydration = field(default_factory=Hydration)
    short_rounds: int = 10
    full_tokens: int = 4_000
    remember: ExplicitMemory | None = None

    name = "auto"

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_settings(self)
        check_kind("Auto: hydration", self.hydration, Hydration, "an hl.Hydration")
        check_kind(
            "Auto: remember", self.remember, (ExplicitMemory, type(None)), "an hl.ExplicitMemory or None"
        )

    @property
    def recall_config(self) -> Recall:
        """How hydration recalls."""
        return self.hydration.recall

    @property
    def across_dialogues(self) -> bool:
        """Whether facts of the same user's earlier dialogues are known."""
        return self.remember is not None and self.remember.across_dialogues

    def observe(self, view: View) -> Observation:
        """Mark checkpoints, and note facts where these are wanted."""
        observed = self.hydration.observe(view)
        if self.remember is None:
            return observed
        return Observation(observed.rows, [*observed.jobs, *self.remember.observe(view).jobs])

    def context(self, view: View, query: str, budget: int) -> Context:
        """Return the prompt of the strategy that is picked, with the reason."""
        rounds = view.turns["round"].n_unique()
        system, reserve = self.hydration.system, self.hydration.reserve
        most = min(budget, self.full_tokens + reserve)
        told = {"rounds": rounds, "most": self.short_rounds, "tokens": most}
        if (view.memories["dialogue_id"] != view.dialogue_id).any():
            return self._by(self.hydration, "known", view, query, budget, told)
        if rounds < self.short_rounds:
            window = SlidingWindow(rounds=self.short_rounds, tokens=budget, system=system, reserve=reserve)
            context = self._by(window, "short", view, query, budget, told)
            if _is_whole(context, view):
                return context
        if int(view.turns["tokens"].sum()) <= most:
            everything = FullHistory(system=system, reserve=reserve)
            context = self._by(everything, "fits", view, query, most, told)
            if _is_whole(context, view):
                return replace(context, budget=budget)
        return self._by(self.hydration, "long", view, query, budget, told)

    def _by(
        self, chosen: Strategy, why: str, view: View, query: str, budget: int, told: Mapping[str, int]
    ) -> Context:
        """Return the prompt of a strategy under this one's name, with the reason beside what it decided itself."""
        context = chosen.context(view, query, budget)
        reasons = [f"{chosen.name}: {REASONS[prompt_language(query)][why].format(**told)}"]
        if "why" in context.decision:
            reasons.append(str(context.decision["why"]))
        decision = {**context.decision, "strategy": chosen.name, "why": "; ".join(reasons)}
        return replace(context, strategy=self.name, decision=decision)


def _is_whole(context: Context, view: View) -> bool:
    """Tell whether every turn stands in a prompt; system turns are its system text."""
    kept = {row["item_id"] for row in context.kept_rows}
    return kept.issuperset(view.turns.filter(pl.col("role") != "system")["turn_id"].to_list())
