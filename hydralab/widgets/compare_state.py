"""Replays of one dialogue side by side, without a browser: the same turn in each, and what each one lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import polars as pl

from hydralab.errors import HydralabError
from hydralab.packing import Context
from hydralab.plots.evidence import evidence_recall
from hydralab.replay import Replayed, check_run
from hydralab.theme import strategy_colour
from hydralab.widgets.payloads import clipped
from hydralab.widgets.stepper_state import StepperState

__all__ = ["CompareState", "named_runs"]

MOST_SHOWN = 3
"""Prompts side by side to begin with."""

AT_ONCE = 8
"""Questions whose evidence is looked for at a time: each is asked again in every run."""


class CompareState:
    """A place in several replays of one dialogue.

    Parameters
    ----------
    runs
        Runs in memory or from disk, or name → run.
    at
        Where to open: a turn, or the id of a gold question; where the first run's Stepper would when None.

    Attributes
    ----------
    runs
        Name → run.
    shown
        Numbers of the runs whose prompts are shown.

    Raises
    ------
    HydralabError
        No run, something that is none, or runs of different dialogues.

    >>> import hydralab as hl
    >>> lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
    >>> comparing = CompareState([lab.replay(each, budget=400) for each in ("hydration", "sliding_window")])
    >>> comparing.summary.columns
    ['run', 'strategy', 'budget', 'prompts', 'median_tokens', 'most_tokens', 'evidence']
    """

    def __init__(
        self, runs: Mapping[str, Replayed] | Sequence[Replayed], at: int | str | None = None
    ) -> None:
        self.runs = named_runs(runs)
        self._steppings = [StepperState(run, at) for run in self.runs.values()]
        self.first = next(iter(self.runs.values()))
        self._at = self._steppings[0]
        self.shown = self._to_begin_with()
        self._lost: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
        self._follow()

    @property
    def position(self) -> int:
        """The turn one stands at."""
        return self._at.position

    @property
    def question(self) -> str:
        """The id of the gold question whose prompts are shown, "" for those of the turn."""
        return self._at.question

    @cached_property
    def summary(self) -> pl.DataFrame:
        """A row a run: tokens of its prompts, and the share of gold evidence that stood in them word for word."""
        rows = [
            {
                "run": name,
                "strategy": run.strategy.name,
                "budget": run.budget,
                "prompts": run.steps.height,
                "median_tokens": run.steps["tokens"].median(),
                "most_tokens": run.steps["tokens"].max(),
                "evidence": evidence_recall(run),
            }
            for name, run in self.runs.items()
        ]
        kinds = (pl.String, pl.String, pl.Int64, pl.Int64, pl.Float64, pl.Int64, pl.Float64)
        return pl.DataFrame(rows, schema=dict(zip(rows[0], kinds, strict=True)))

    @cached_property
    def misses(self) -> pl.DataFrame:
        """A row a piece of evidence, and a column a run with the stage: "met", or where it was lost."""
        rows = [
            {"question_id": question_id, "turn_id": turn_id}
            | {name: self._fate(name, question_id, turn_id)["stage"] for name in self.runs}
            for question_id, turn_id in self._pieces.iter_rows()
        ]
        return pl.DataFrame(rows, schema=dict.fromkeys(("question_id", "turn_id", *self.runs), pl.String))

    def go(self, position: int, question: str = "") -> None:
        """Move to a turn, held to those there are, or to a gold question.

        Raises
        ------
        HydralabError
            When there is no such question.
        """
        self._at.go(position, question)
        self._follow()

    def show(self, numbers: Sequence[int]) -> None:
        """Choose whose prompts are shown; numbers that no run has are passed over."""
        self.shown = [number for number in range(len(self.runs)) if number in numbers]
        self._follow()

    def contexts(self) -> dict[str, Context | None]:
        """Return name → the prompt at this place, of the runs that are shown."""
        names = list(self.runs)
        return {names[number]: self._steppings[number].context() for number in self.shown}

    def overview(self) -> dict[str, Any]:
        """Return what stays the same while one steps."""
        turns, summary = self.first.turns, self.summary.to_dicts()
        questions = set(self.first.questions["question_id"])
        return {
            "dialogue": self.first.title or self.first.dialogue_id,
            "turns": turns.height,
            "runs": [
                {
                    **row,
                    "colour": strategy_colour(row["strategy"]),
                    "line": number,
                    **_tokens(run, questions),
                }
                for row, number, run in zip(summary, _repeats(summary), self.runs.values(), strict=True)
            ],
            "questions": self.first.questions.select("question_id", "asked_at").rows(),
        }

    def moment(self) -> dict[str, Any]:
        """Return the prompts at this place for display, one a run that is shown."""
        columns = [{"run": number, **self._steppings[number].moment()} for number in self.shown]
        return {**self.place(), "columns": columns}

    def place(self) -> dict[str, Any]:
        """Return what is said of this place above the prompts, and of each run what its Stepper says."""
        context = self._at.context()
        said = (
            self.first.turns["text"].slice(self.position, 1).to_list() if context is None else [context.query]
        )
        return {
            "position": self.position,
            "question": self.question,
            "heading": self._at.place()["heading"],
            "said": clipped("".join(said)),
            "columns": [{"run": number, **self._steppings[number].place()} for number in self.shown],
        }

    def losses(self, start: int = 0, questions: int = AT_ONCE) -> dict[str, Any]:
        """Return the evidence of some gold questions, and what became of each piece in each run.

        Parameters
        ----------
        start, questions
            Of the questions that have evidence: which to begin with, and how many.
        """
        asked = self._pieces["question_id"].unique(maintain_order=True)
        wanted = self._pieces.filter(pl.col("question_id").is_in(asked.slice(start, questions).implode()))
        texts = dict(self.first.questions.select("question_id", "text").iter_rows())
        rows = [
            {
                "question": question_id,
                "text": texts[question_id],
                "turn": self._at.positions.get(turn_id),
                "cells": [self._fate(name, question_id, turn_id) for name in self.runs],
            }
            for question_id, turn_id in wanted.iter_rows()
        ]
        after = start + questions
        return {"rows": rows, "next": after if after < asked.len() else None}

    @cached_property
    def _pieces(self) -> pl.DataFrame:
        """A row a piece of evidence of a question."""
        pieces = self.first.questions.select("question_id", turn_id="evidence")
        return pieces.explode("turn_id", empty_as_null=True).drop_nulls()

    def _fate(self, name: str, question_id: str, turn_id: str) -> dict[str, Any]:
        """Return what became of a turn as evidence for a question in a run; a turn that isn't there has no stage."""
        key = (name, question_id)
        if key not in self._lost:
            found = self.runs[name].misses(question_id).select("turn_id", "stage", "rank", "detail")
            self._lost[key] = {row.pop("turn_id"): row for row in found.to_dicts()}
        return self._lost[key].get(turn_id, {"stage": None, "rank": None, "detail": None})

    def _follow(self) -> None:
        for number in self.shown:
            self._steppings[number].go(self.position, self.question)

    def _to_begin_with(self) -> list[int]:
        """Return a run of each strategy, all of one budget where that can be."""
        runs = list(self.runs.values())
        budget = Counter(run.budget for run in runs).most_common(1)[0][0]
        chosen = [number for number, run in enumerate(runs) if run.budget == budget]
        return chosen[:MOST_SHOWN]


def named_runs(runs: Mapping[str, Replayed] | Sequence[Replayed]) -> dict[str, Replayed]:
    """Return name → run: the strategy, with what else tells the runs apart where several share one.

    Raises
    ------
    HydralabError
        No run, something that is none, or runs of different dialogues.
    """
    if not isinstance(runs, Mapping | Sequence) or isinstance(runs, str):
        check_run(runs, "Compare")
        runs = [runs]
    listed = list(runs.values()) if isinstance(runs, Mapping) else list(runs)
    for run in listed:
        check_run(run, "Compare")
    if not listed:
        raise HydralabError("Compare: got no run, expected at least one")
    first = listed[0]
    for run in listed[1:]:
        if run.dialogue_id != first.dialogue_id or not run.turns["text"].equals(first.turns["text"]):
            raise HydralabError(
                f"Compare: runs of {first.dialogue_id!r} ({first.turns.height} turns) and {run.dialogue_id!r} "
                f"({run.turns.height} turns), expected the same dialogue"
            )
    names = [str(name) for name in runs] if isinstance(runs, Mapping) else _names(listed)
    return dict(zip(names, listed, strict=True))


def _names(runs: Sequence[Replayed]) -> list[str]:
    names = [run.strategy.name for run in runs]
    if len(set(names)) < len(names) and len({run.budget for run in runs}) > 1:
        names = [f"{name}, {run.budget:,}" for name, run in zip(names, runs, strict=True)]
    counts: Counter[str] = Counter()
    for number, name in enumerate(names):
        counts[name] += 1
        names[number] = name if counts[name] == 1 else f"{name} ({counts[name]})"
    return names


def _repeats(summary: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return for each run how many of its strategy came before it: their lines differ."""
    counts: Counter[str] = Counter()
    numbers = []
    for row in summary:
        numbers.append(counts[row["strategy"]])
        counts[row["strategy"]] += 1
    return numbers


def _tokens(run: Replayed, questions: set[str]) -> dict[str, list[int]]:
    own = run.steps.filter(~pl.col("query_id").is_in(questions))
    return {"at": own["position"].to_list(), "tokens": own["tokens"].to_list()}
