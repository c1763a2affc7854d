"""A parameter of a trigger against what comes of it: checkpoints, tokens, Score, and evidence in the prompts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

import polars as pl

from hydralab.checkpoints.spans import find_spans
from hydralab.errors import HydralabError
from hydralab.frames import empty
from hydralab.metrics import evidence_met
from hydralab.replay import Timeline
from hydralab.strategies import Hydration
from hydralab.triggers import Trigger
from hydralab.triggers.tree_needs import lookahead_of
from hydralab.widgets.scored import Scored
from hydralab.widgets.trial_boundaries import TrialBoundaries

__all__ = ["SWEPT", "SweepState"]

SWEPT = {
    "dialogue_id": pl.String,
    "trigger": pl.String,
    "parameter": pl.String,
    "value": pl.Float64,
    "checkpoints": pl.Int64,
    "tokens": pl.Float64,
    "score": pl.Float64,
    "evidence": pl.Float64,
    "prompt_tokens": pl.Float64,
}
"""Columns of the table of what was tried: tokens are the mean of a span, prompt_tokens of gold questions' prompts."""

AT_A_TIME = 0.15
"""Seconds after which an answer is given, so that the kernel hears of a stop."""


class SweepState:
    """What was tried of a trigger's parameters on one dialogue.

    Parameters
    ----------
    cutting
        The dialogue.
    scored
        Its gold.
    budget
        Tokens of a prompt for the evidence of gold questions.
    """

    def __init__(self, cutting: TrialBoundaries, scored: Scored, budget: int) -> None:
        self._cutting, self._scored, self.budget = cutting, scored, budget
        self._tried: dict[str, dict[str, Any]] = {}
        self._asked: dict[str, _Evidence] = {}

    def row(self, value: float, trigger: Trigger) -> dict[str, Any]:
        """Return what a trigger gives: checkpoints, tokens a span, Score (None without gold), evidence once known."""
        key = repr(trigger)
        if key not in self._tried:
            boundaries = self._cutting.boundaries(trigger)
            spans = self._cutting.spans(boundaries)
            score = self._scored.of(boundaries)["Score"] if self._scored else None
            self._tried[key] = {
                "checkpoints": len(spans),
                "tokens": round(sum(span["tokens"] for span in spans) / max(len(spans), 1), 1),
                "score": None if score is None else round(score, 3),
            }
        asked = self._asked.get(key)
        known = asked.result if asked is not None and asked.is_over else NOT_KNOWN
        return {"value": value, **self._tried[key], **known}

    def ask(self, value: float, trigger: Trigger) -> dict[str, Any]:
        """Go on asking the gold questions under a trigger for a moment; returns `row` and the share that is done.

        The prompts are those of a replay: hydration with the checkpoints that the trigger has decided on by
        then, at the widget's budget.

        Raises
        ------
        HydralabError
            There is no gold question with evidence, or the trigger can't decide while a dialogue runs.
        """
        key = repr(trigger)
        if key not in self._asked:
            self._asked[key] = _Evidence(self._cutting, trigger, self.budget)
        asked = self._asked[key]
        asked.go_on(AT_A_TIME)
        return {**self.row(value, trigger), "done": asked.share_done}

    def table(self, parameter: str, tried: Sequence[tuple[float, Trigger]]) -> pl.DataFrame:
        """Return rows of the values tried so far as a table, see `SWEPT`."""
        rows = [
            {
                "dialogue_id": self._cutting.dialogue.dialogue_id,
                "trigger": repr(trigger),
                "parameter": parameter,
                **self.row(value, trigger),
            }
            for value, trigger in tried
        ]
        return pl.DataFrame(rows, schema=SWEPT)


NOT_KNOWN = {"evidence": None, "prompt_tokens": None}


class _Evidence:
    """Hydration under one trigger, asked the gold questions one after the other."""

    def __init__(self, cutting: TrialBoundaries, trigger: Trigger, budget: int) -> None:
        questions = cutting.dialogue.questions.filter(pl.col("evidence").list.len() > 0)
        if not questions.height:
            raise HydralabError(
                f"evidence: {cutting.dialogue.title!r} has no gold question with evidence, expected at least one"
            )
        if lookahead_of(trigger, cutting.known) == "all":
            raise HydralabError(
                f"evidence: {trigger!r} looks ahead over the whole dialogue, expected one that decides while it runs"
            )
        self._met = self._pieces = self._tokens = 0
        self._done: float = 0
        self._steps = 1 + questions.height
        self._work = self._asking(cutting, questions, trigger, budget)

    @property
    def is_over(self) -> bool:
        """Whether every question was asked."""
        return self._done >= self._steps

    @property
    def share_done(self) -> float:
        """How much of the work is done, 0 to 1."""
        return round(min(self._done / self._steps, 1.0), 3)

    @property
    def result(self) -> dict[str, float | None]:
        """The share of evidence that stood word for word in the prompts, and the mean tokens of a prompt."""
        asked = max(self._steps - 1, 1)
        return {
            "evidence": round(self._met / self._pieces, 3),
            "prompt_tokens": round(self._tokens / asked, 1),
        }

    def go_on(self, seconds: float) -> None:
        """Work for so long, or until all is done."""
        until = perf_counter() + seconds
        while perf_counter() < until and not self.is_over:
            self._done = next(self._work, self._steps)

    def _asking(
        self, cutting: TrialBoundaries, questions: pl.DataFrame, trigger: Trigger, budget: int
    ) -> Iterator[float]:
        """Yield how many steps are done: first the checkpoints, then a step a question."""
        dialogue = cutting.dialogue
        boundaries = cutting.live_boundaries(trigger)
        spans = [span for span in find_spans(dialogue.turns, boundaries) if span.decided_at is not None]
        rows = []
        for number, span in enumerate(spans):
            rows.append(cutting.checkpoint(span))
            yield number / len(spans)
        timeline = Timeline(
            dialogue.turns,
            dialogue.vectors,
            Hydration(trigger),
            encoder=dialogue.lab.encoder,
            tokenizer=dialogue.lab.tokenizer,
            title=dialogue.title,
            signals=cutting.named,
        )
        timeline.adopt({"checkpoints": pl.concat(rows) if rows else empty("checkpoints")})
        yield 1
        for number, question in enumerate(questions.partition_by("question_id", maintain_order=True)):
            asked_at, name, text = question.select("asked_at", "question_id", "text").row(0)
            view = timeline.view_after(asked_at, query_id=name, explain=False)
            context = timeline.context(view, text, budget)
            met = evidence_met(context.frame, question, dialogue.turns).turns["verbatim"]
            self._met += int(met.sum())
            self._pieces += met.len()
            self._tokens += context.tokens
            yield number + 2
