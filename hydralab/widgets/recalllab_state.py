"""Trying recall on a dialogue, without a browser: a query, the weights of its scores, and the prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from types import NoneType
from typing import Any

import polars as pl

from hydralab.errors import HydralabError, check_kind, known_names
from hydralab.frames import empty
from hydralab.lab import Lab
from hydralab.packing import BudgetError, Context
from hydralab.recall import BLENDS, SCORE_COLUMNS
from hydralab.replay import Run
from hydralab.strategies import LEAST, Hydration, View
from hydralab.widgets.candidate_rows import CandidateRows
from hydralab.widgets.dialogues import check_lab, open_dialogue
from hydralab.widgets.payloads import messages_shown, moment, nothing_sent
from hydralab.widgets.sliders import Sliders, weights_of

__all__ = ["RecallLabState"]

LISTED = 100
"""Candidates that are shown; the table `candidates` has all."""


class RecallLabState:
    """Recall and packing under trial on one dialogue of a lab.

    Parameters
    ----------
    lab
        Turns, vectors and checkpoints come from it.
    query
        What is asked; the dialogue's first gold question when None and there is one.
    dialogue
        Id or title; the first of several when None.
    strategy
        What to start with, and what stays as it is beside the sliders; `Hydration` when None.
    budget
        Tokens for everything that is sent, to begin with.

    Attributes
    ----------
    query, question
        What is asked, and the id of the gold question that it is, "" for none.
    at
        Turns before this position are seen.
    sliders
        The present settings.

    >>> import hydralab as hl
    >>> recalling = RecallLabState(hl.Lab(hl.read_all(hl.example("launch_en"))), "What was the marketing budget?")
    >>> recalling.context.tokens <= 1000
    True
    """

    def __init__(
        self,
        lab: Lab,
        query: str | None = None,
        dialogue: str | None = None,
        *,
        strategy: Hydration | None = None,
        budget: int = 1_000,
    ) -> None:
        self.lab = check_lab(lab, "RecallLab")
        check_kind("RecallLab: query", query, (str, NoneType), "a text, the id of a gold question, or None")
        check_kind("RecallLab: strategy", strategy, (Hydration, NoneType), "an hl.Hydration or None")
        self._base = Hydration(least=LEAST) if strategy is None else strategy
        self._recall = self._base.recall
        self.sliders = Sliders.of(self._recall, budget=budget)
        self.open(dialogue)
        if query is not None:
            self.ask(query)

    def open(self, dialogue: str | None) -> None:
        """Go to another dialogue, by id or title, and ask its first gold question, if it has one."""
        self.dialogue = open_dialogue(self.lab, dialogue)
        self.questions = self.dialogue.questions
        self.positions = dict(self.dialogue.turns.select("turn_id", "position").iter_rows())
        self._run = self._new_run()
        if self.questions.height:
            self.pick(self.questions["question_id"][0])
        else:
            self.ask("")

    def ask(self, query: str, at: int | None = None) -> None:
        """Ask something, as if the dialogue stood before a position; at its end when None.

        The id of a gold question stands for it.
        """
        if at is None and query in self.questions["question_id"].to_list():
            self.pick(query)
            return
        last = self.dialogue.turns.height
        self.query, self.question = query, ""
        self.at = last if at is None else min(max(int(at), 0), last)
        self._forget()

    def pick(self, question_id: str) -> None:
        """Ask a gold question where it was asked.

        Raises
        ------
        HydralabError
            The dialogue has no such question.
        """
        rows = self.questions.filter(pl.col("question_id") == question_id)
        if not rows.height:
            near = ", ".join(map(repr, known_names(question_id, self.questions["question_id"].to_list())[:5]))
            raise HydralabError(
                f"no question {question_id!r} in {self.dialogue.dialogue_id!r}; nearest: {near}"
            )
        self.query, self.question = rows["text"][0], question_id
        self.at = self._run.timeline.last_asked(rows["asked_at"][0]) + 1
        self._forget()

    def set(self, sliders: Sliders) -> None:
        """Take what the sliders say.

        Raises
        ------
        HydralabError
            When they make no recall; everything is as it was.
        """
        recall = sliders.recall(self._base.recall)
        changed, self.sliders = recall != self._recall, sliders
        self._recall = recall
        self._run = self._with_recall() if changed else self._run
        self._run = replace(self._run, budget=sliders.budget)
        self._forget()

    @property
    def strategy(self) -> Hydration:
        """The strategy of the present settings, to be replayed or compared."""
        trigger = self.lab.trigger(self.dialogue.dialogue_id)
        return replace(self._base, trigger=trigger, recall=self._recall)

    @cached_property
    def candidates(self) -> pl.DataFrame:
        """The candidates table of the query, best first, every score a column."""
        return self._view().recall(self.query).candidates if self.query.strip() else empty("candidates")

    @cached_property
    def context(self) -> Context | None:
        """The prompt for the query; None where none fits the budget, or nothing is asked."""
        if not self.query.strip():
            self.reason = "type a query, or pick a gold question"
            return None
        try:
            made = self._run.timeline.context(self._view(), self.query, self.sliders.budget)
        except BudgetError as error:
            self.reason = str(error)
            return None
        self.reason = ""
        return made

    def result(self) -> dict[str, Any]:
        """Return everything that is shown."""
        evidence = self._evidence()
        return {
            "dialogue": self.dialogue.title,
            "dialogue_id": self.dialogue.dialogue_id,
            "dialogues": self.dialogue.listed,
            "turns": self.dialogue.turns.height,
            "query": self.query,
            "question": self.question,
            "questions": self.questions.select("question_id", "text").rows(),
            "at": self.at,
            "sliders": self.sliders.to_json(),
            "blends": [name for name in BLENDS if weights_of(name)],
            "columns": dict(SCORE_COLUMNS),
            "candidates": self._naming.rows(self.candidates.head(LISTED), self.context, evidence),
            "more": max(self.candidates.height - LISTED, 0),
            "moment": self._moment(evidence),
        }

    def prompt(self) -> dict[str, Any]:
        """Return the messages of the prompt."""
        return {"messages": [] if self.context is None else messages_shown(self.context.messages)}

    def _with_recall(self) -> Run:
        """Return the run with the present settings; made anew where the lab's checkpoints have changed."""
        placed = self._run.timeline.tables["checkpoints"]
        if not placed.equals(self.lab.checkpoints(dialogue=self.dialogue.dialogue_id)):
            return self._new_run()
        strategy = self.strategy
        return replace(self._run, strategy=strategy, timeline=self._run.timeline.recalling(strategy))

    def _new_run(self) -> Run:
        """Return a run of no steps: the dialogue with the lab's checkpoints, as the strategy would have it."""
        name, turns, vectors = self.dialogue.dialogue_id, self.dialogue.turns, self.dialogue.vectors
        checkpoints = self.lab.checkpoints(dialogue=name)
        self._naming = CandidateRows(turns, checkpoints, self.lab.documents)
        strategy = self.strategy
        timeline = self.lab.timeline(strategy, dialogue=name)
        return Run(
            run_id="",
            strategy=strategy,
            budget=self.sliders.budget,
            dialogue_id=name,
            title=self.dialogue.title,
            turns=turns,
            vectors=vectors,
            gold=empty("gold"),
            questions=self.questions,
            steps=empty("steps"),
            events=empty("events"),
            timeline=timeline,
        )

    def _view(self) -> View:
        if self.question:
            return self._run.timeline.view_after(self.at - 1, query_id=self.question)
        return self._run.timeline.view(self.at, now=self.at - 1)

    def _forget(self) -> None:
        """Let go of what was found for the settings before."""
        self.reason = ""
        for name in ("candidates", "context"):
            vars(self).pop(name, None)

    def _evidence(self) -> dict[str, dict[str, Any]]:
        """Return turn_id → what became of an evidence turn of the gold question."""
        if not self.question or self.context is None:
            return {}
        return {row["turn_id"]: row for row in self._run.misses(self.question).to_dicts()}

    def _moment(self, evidence: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        context = self.context
        asked = self.questions.filter(pl.col("question_id") == self.question).to_dicts()
        return {
            **(nothing_sent() if context is None else moment(context, self.positions)),
            "scores": ["score"],
            "heading": "the prompt" if context is not None else "no prompt",
            "reason": self.reason,
            "question": self.question,
            "asked": [
                {
                    "id": row["question_id"],
                    "text": row["text"],
                    "answer": row["answer"] or "",
                    "evidence": [
                        {
                            "turn": self.positions.get(turn_id),
                            "stage": found["stage"],
                            "detail": found["detail"] or "",
                        }
                        for turn_id, found in evidence.items()
                    ],
                }
                for row in asked
            ],
        }
