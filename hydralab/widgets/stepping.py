"""Stepping through a replay, without a browser: where one stands, and what is to be seen there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import polars as pl

from hydralab.errors import HydralabError, known_names
from hydralab.packing import Context
from hydralab.replay import Run
from hydralab.widgets.diffs import diff_lines, prompt_lines
from hydralab.widgets.payloads import BLOCK, curve_bytes, moment, overview, transcript_block

__all__ = ["Stepping"]

LONGEST_PROMPT = 200_000


@dataclass
class Stepping:
    """A place in a replay: a turn, or a gold question that was asked there.

    Attributes
    ----------
    run
        What is stepped through.
    position
        The turn one stands at, from 0.
    question
        The id of the gold question whose prompt is shown; "" for the prompt of the turn.

    >>> import hydralab as hl
    >>> lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
    >>> stepping = Stepping(lab.replay(hl.Hydration(), budget=600))
    >>> stepping.go(14)
    >>> stepping.moment()["tokens"] <= 600
    True
    """

    run: Run
    position: int = field(default=0, init=False)
    question: str = field(default="", init=False)

    def __post_init__(self) -> None:
        """Refuse what is no run."""
        if not isinstance(self.run, Run):
            raise HydralabError(
                f"Stepper: got {type(self.run).__name__}, expected a run, such as lab.replay() gives"
            )

    @cached_property
    def positions(self) -> dict[str, int]:
        """turn_id → position."""
        return dict(zip(self.run.turns["turn_id"], self.run.turns["position"], strict=True))

    @cached_property
    def misses(self) -> pl.DataFrame:
        """At which stage each evidence turn of each gold question was met or lost."""
        return self.run.misses()

    def go(self, position: int, question: str = "") -> None:
        """Move to a turn, held to those there are, or to a gold question and the turn it was asked at.

        Raises
        ------
        HydralabError
            When there is no such question.
        """
        if question:
            position = self._asked_at(question)
        self.position = min(max(position, 0), max(self.run.turns.height - 1, 0))
        self.question = question

    def context(self) -> Context | None:
        """Return the prompt at this place, or None where none was made yet."""
        if self.question:
            return self.run.ask(self.question)
        return self._prompt_of(self.position)

    def overview(self) -> dict[str, Any]:
        """Return what stays the same while one steps."""
        return overview(self.run)

    def curve(self) -> bytes:
        """Return the topic shift of every turn as float32, NaN where unknown."""
        return curve_bytes(self.run.signals["shift"] if self.run.turns.height else None)

    def block(self, number: int) -> dict[str, Any]:
        """Return a block of the transcript."""
        return {"number": number, "rows": transcript_block(self.run.turns, number)}

    def block_here(self) -> dict[str, Any]:
        """Return the block of the transcript that holds the present turn."""
        return self.block(self.position // BLOCK)

    def moment(self) -> dict[str, Any]:
        """Return the prompt at this place for display, with the gold questions asked here."""
        context = self.context()
        shown: dict[str, Any] = {
            "items": [],
            "parts": [],
            "scores": [],
            "recalled": [],
            "recent": [],
            "condensed": [],
        }
        return {
            **(shown if context is None else moment(context, self.positions)),
            "position": self.position,
            "question": self.question,
            "heading": self._heading(context),
            "asked": [self._evidence(row) for row in self._asked_here().to_dicts()],
        }

    def prompt(self) -> dict[str, Any]:
        """Return the messages at this place, cut where together they are too long to show."""
        context = self.context()
        messages = [] if context is None else [
            {"role": str(each["role"]), "text": str(each["content"] or "")} for each in context.messages
        ]  # fmt: skip
        room = LONGEST_PROMPT
        for each in messages:
            each["cut"] = str(max(len(each["text"]) - room, 0) or "")
            each["text"] = each["text"][:room]
            room -= len(each["text"])
        return {"messages": messages}

    def difference(self) -> dict[str, Any]:
        """Return how the prompt differs from that of the turn before, line by line."""
        context, before = self.context(), self._before()
        lines = diff_lines(
            prompt_lines(before.messages) if before else [], prompt_lines(context.messages) if context else []
        )
        return {"before": None if before is None else before.at, "lines": lines[:2_000]}

    def losses(self) -> dict[str, Any]:
        """Return the evidence of all gold questions: met, or the stage at which it was lost."""
        texts = dict(self.run.questions.select("question_id", "text").iter_rows())
        return {
            "rows": [
                {**row, "text": texts[row["question_id"]], "turn": self.positions.get(row["turn_id"])}
                for row in self.misses.to_dicts()
            ]
        }

    def _prompt_of(self, position: int) -> Context | None:
        asked = self.run.turns.head(position + 1).filter(pl.col("role") == "user")
        return self.run.step(position) if asked.height else None

    def _before(self) -> Context | None:
        """Return the prompt one would have seen a step earlier."""
        if self.question:
            return self._prompt_of(self.position)
        context = self.context()
        return None if context is None or context.at == 0 else self._prompt_of(context.at - 1)

    def _heading(self, context: Context | None) -> str:
        if context is None:
            return "no user has spoken yet, so no prompt was made"
        if self.question:
            return f"what the model saw at gold {self.question.split(':')[-1]}"
        if context.at == self.position:
            return f"what the model saw at turn {self.position}"
        return f"what the model saw at turn {context.at}, which turn {self.position} follows"

    def _asked_at(self, question: str) -> int:
        rows = self.run.questions.filter(pl.col("question_id") == question)
        if not rows.height:
            nearest = known_names(question, self.run.questions["question_id"].to_list())[:5]
            listed = ", ".join(map(repr, nearest)) or "none"
            raise HydralabError(f"no question {question!r} in this run; nearest: {listed}")
        asked_at = rows["asked_at"][0]
        return self.run.turns.height - 1 if asked_at is None else asked_at

    def _asked_here(self) -> pl.DataFrame:
        asked_at = pl.col("asked_at").fill_null(self.run.turns.height - 1)
        return self.run.questions.filter(asked_at == self.position)

    def _evidence(self, question: dict[str, Any]) -> dict[str, Any]:
        alone = self.run.questions.filter(pl.col("question_id") == question["question_id"])
        found = replace(self.run, questions=alone).misses()
        return {
            "id": question["question_id"],
            "text": question["text"],
            "answer": question["answer"] or "",
            "evidence": [
                {"turn": self.positions.get(turn_id), "stage": stage, "detail": detail or ""}
                for turn_id, stage, detail in found.select("turn_id", "stage", "detail").iter_rows()
            ],
        }
