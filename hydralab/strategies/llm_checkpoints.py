"""Any strategy that marks checkpoints, with a chat model to write their words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import polars as pl

from hydralab.checkpoints import Summarising, summarise_checkpoints
from hydralab.errors import HydralabError, brief
from hydralab.llms import LLMSpec, get_llm
from hydralab.packing import Context
from hydralab.recall import Recall
from hydralab.strategies.hydration import Hydration
from hydralab.strategies.view import Observation, Strategy, View, check_kind

__all__ = ["Modelled"]


@dataclass(frozen=True)
class Modelled:
    """A strategy whose checkpoints a chat model writes anew.

    A checkpoint is there at once, in sentences of the dialogue, so that nothing waits for the model; what the
    model makes of it takes its place. Where it fails the sentences stay, with the status "failed" and an event.

    Attributes
    ----------
    llm
        Anything that `hl.get_llm` takes.
    base
        The strategy that marks checkpoints and makes prompts.
    summarising
        How the model writes.

    >>> Modelled(lambda messages: '{"title": "Launch", "summary": "In May."}').name
    'hydration+llm'
    """

    llm: LLMSpec
    base: Strategy = field(default_factory=Hydration)
    summarising: Summarising = field(default_factory=Summarising)

    def __post_init__(self) -> None:
        """Refuse what can't be meant, and resolve a model given by name."""
        check_kind(self.base)
        if not isinstance(self.summarising, Summarising):
            raise HydralabError(f"Modelled: summarising is {brief(self.summarising)}, expected a Summarising")
        object.__setattr__(self, "llm", get_llm(self.llm))

    @property
    def name(self) -> str:
        """What it is called in tables and plots."""
        return f"{self.base.name}+llm"

    @property
    def recall_config(self) -> Recall | None:
        """How the base recalls."""
        return self.base.recall_config

    @property
    def across_dialogues(self) -> bool:
        """Whether the base knows facts of the same user's earlier dialogues."""
        return bool(getattr(self.base, "across_dialogues", False))

    def observe(self, view: View) -> Observation:
        """Take what the base observes, and leave its new checkpoints to the model."""
        observed = self.base.observe(view)
        closed = observed.rows.get("checkpoints")
        if closed is None or not closed.height:
            return observed
        job = partial(self._write, closed, view.turns)
        return Observation(observed.rows, [*observed.jobs, job])

    def context(self, view: View, query: str, budget: int) -> Context:
        """Return the prompt of the base."""
        return replace(self.base.context(view, query, budget), strategy=self.name)

    def _write(self, closed: pl.DataFrame, turns: pl.DataFrame) -> Mapping[str, pl.DataFrame]:
        made = summarise_checkpoints(closed, turns, self.llm, summarising=self.summarising)
        return {"checkpoints": made.checkpoints, "events": made.events.filter(pl.col("status") != "ok")}
