"""Stepping through a replay, without a browser: where one stands, and what is to be seen there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError, known_names
from hydralab.packing import Context
from hydralab.replay import Replayed, check_run
from hydralab.texts import normalise
from hydralab.widgets.diffs import diff_lines, prompt_lines
from hydralab.widgets.payloads import (
    BLOCK,
    curve_bytes,
    messages_shown,
    moment,
    nothing_sent,
    overview,
    transcript_block,
)

__all__ = ["Prompt", "StepperState"]

MOST_LINES = 2_000
MOST_FOUND = 2_000
KEPT_PROMPTS = 8
"""Prompts kept at hand: those of a place and of the one before are asked for several times."""


@dataclass(frozen=True)
class Prompt:
    """A prompt of a run, or why there is none."""

    context: Context | None
    reason: str = ""


@dataclass
class StepperState:
    """A place in a replay: a turn, or a gold question that was asked there.

    Parameters
    ----------
    run
        What is stepped through.
    at
        Where to open: a turn, or the id of a gold question. Without it, where there is something to
        see: where the first gold question was asked, else the first prompt with something recalled,
        else the last prompt.

    Attributes
    ----------
    position
        The turn one stands at, from 0.
    question
        The id of the gold question whose prompt is shown; "" for the prompt of the turn.

    Raises
    ------
    HydralabError
        When it is no run, or has no such question.

    >>> import hydralab as hl
    >>> lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
    >>> stepping = StepperState(lab.replay(hl.Hydration(), budget=600))
    >>> stepping.position
    14
    >>> stepping.moment()["tokens"] <= 600
    True
    """

    run: Replayed
    at: int | str | None = None
    position: int = field(default=0, init=False)
    question: str = field(default="", init=False)

    def __post_init__(self) -> None:
        """Refuse what is no run, and go where it opens."""
        check_run(self.run, "Stepper")
        self._prompts: dict[tuple[int, str], Prompt] = {}
        self._verdicts: dict[str, pl.DataFrame] = {}
        if isinstance(self.at, str):
            self.go(0, self.at)
        else:
            self.go(self._worth_seeing() if self.at is None else self.at)

    @cached_property
    def positions(self) -> dict[str, int]:
        """turn_id → position."""
        return dict(zip(self.run.turns["turn_id"], self.run.turns["position"], strict=True))

    @cached_property
    def asked(self) -> NDArray[np.int64]:
        """Positions of the user turns that say something, to each of which there is a prompt, or a reason."""
        said = (pl.col("role") == "user") & (pl.col("text").str.strip_chars() != "")
        return self.run.turns.filter(said)["position"].to_numpy()

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
        """Return the prompt at this place, or None where none was made."""
        return self._here().context

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

    def search(self, text: str) -> dict[str, Any]:
        """Return the positions of the turns that say a text; case and width of letters don't count."""
        wanted = normalise(text)
        if not wanted:
            return {"found": [], "more": 0}
        texts = self._normalised
        found = texts["position"].filter(texts["text"].str.contains(wanted, literal=True)).to_list()
        return {"found": found[:MOST_FOUND], "more": max(len(found) - MOST_FOUND, 0)}

    def moment(self) -> dict[str, Any]:
        """Return the prompt at this place for display, with the gold questions asked here."""
        context = self.context()
        return {**(nothing_sent() if context is None else moment(context, self.positions)), **self.place()}

    def place(self) -> dict[str, Any]:
        """Return what is said of this place beside the prompt: heading, reason, gold questions."""
        prompt = self._here()
        return {
            "position": self.position,
            "question": self.question,
            "heading": self._heading(prompt.context),
            "reason": prompt.reason,
            "asked": [self._evidence(row) for row in self._asked_here().to_dicts()],
        }

    def prompt(self) -> dict[str, Any]:
        """Return the messages at this place, cut where together they are too long to show."""
        context = self.context()
        return {"messages": [] if context is None else messages_shown(context.messages)}

    def difference(self) -> dict[str, Any]:
        """Return how the prompt differs from that of the turn before, line by line."""
        context, before = self.context(), self._before()
        lines = diff_lines(
            prompt_lines(before.messages) if before else [], prompt_lines(context.messages) if context else []
        )
        return {"before": None if before is None else before.at, "lines": lines[:MOST_LINES]}

    def losses(self) -> dict[str, Any]:
        """Return the evidence of all gold questions: met, or the stage at which it was lost."""
        return {
            "rows": [
                {**row, "text": text, "turn": self.positions.get(row["turn_id"])}
                for question_id, text in self.run.questions.select("question_id", "text").iter_rows()
                for row in self._verdict(question_id).to_dicts()
            ]
        }

    @cached_property
    def _normalised(self) -> pl.DataFrame:
        turns = self.run.turns
        return pl.DataFrame(
            {"position": turns["position"], "text": [normalise(text) for text in turns["text"]]},
            schema={"position": pl.Int64, "text": pl.String},
        )

    def _worth_seeing(self) -> int:
        steps, last = self.run.steps, self.run.turns.height - 1
        if self.run.questions.height:
            return int(self.run.questions["asked_at"].fill_null(last).min())  # type: ignore[arg-type]
        recalled = steps.filter(pl.col("items").struct.field("recalled") > 0)
        chosen = recalled.head(1) if recalled.height else steps.tail(1)
        return int(chosen["position"][0]) if chosen.height else 0

    def _here(self) -> Prompt:
        return self._prompt_of(self.position, self.question)

    def _prompt_of(self, position: int, question: str = "") -> Prompt:
        # A turn that is no user's has the prompt of the last user turn before it.
        before = int(np.searchsorted(self.asked, position, side="right")) - 1
        key = (int(self.asked[before]) if before >= 0 else -1, question)
        if key not in self._prompts:
            while len(self._prompts) >= KEPT_PROMPTS:
                self._prompts.pop(next(iter(self._prompts)))
            self._prompts[key] = _made(
                lambda: self.run.ask(question) if question else self.run.step(position)
            )
        return self._prompts[key]

    def _before(self) -> Context | None:
        """Return the prompt one would have seen a step earlier."""
        if self.question:
            return self._prompt_of(self.position).context
        context = self.context()
        return None if context is None or context.at == 0 else self._prompt_of(context.at - 1).context

    def _heading(self, context: Context | None) -> str:
        name = f"gold {self.question.split(':')[-1]}" if self.question else f"turn {self.position}"
        if context is None:
            return f"no prompt at {name}"
        if self.question or context.at == self.position:
            return f"what the model saw at {name}"
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
        found = self._verdict(question["question_id"])
        return {
            "id": question["question_id"],
            "text": question["text"],
            "answer": question["answer"] or "",
            "evidence": [
                {"turn": self.positions.get(turn_id), "stage": stage, "detail": detail or ""}
                for turn_id, stage, detail in found.select("turn_id", "stage", "detail").iter_rows()
            ],
        }

    def _verdict(self, question_id: str) -> pl.DataFrame:
        """Return at which stage each evidence turn of a question was met or lost."""
        if question_id not in self._verdicts:
            self._verdicts[question_id] = self.run.misses(question_id)
        return self._verdicts[question_id]


def _made(make: Callable[[], Context]) -> Prompt:
    """Make a prompt; a turn without one, such as a first user turn that is blank, says why."""
    try:
        return Prompt(make())
    except HydralabError as error:
        return Prompt(None, str(error))
