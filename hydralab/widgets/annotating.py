"""What a person marks in a dialogue, without a browser: boundaries, decisions, evidence; with undo."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import polars as pl

from hydralab.errors import HydralabError, check_value, unknown_name
from hydralab.frames import build

__all__ = ["DECISIONS", "Annotating", "Marks", "without_decisions"]

KINDS = ("boundary", "decision")
DECISIONS = "/decisions"
"""What the name of an annotator ends in where the gold table says decisions, not boundaries."""

Question = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Marks:
    """All that is marked at one moment.

    Attributes
    ----------
    boundaries, decisions
        Positions of turns.
    questions
        Rows of the questions table by id.
    """

    boundaries: frozenset[int] = frozenset()
    decisions: frozenset[int] = frozenset()
    questions: tuple[tuple[str, Question], ...] = ()


class Annotating:
    """The marks of one annotator on one dialogue; each change can be undone.

    Parameters
    ----------
    turns
        The turns of the dialogue.
    gold, questions
        What is known of it already. Gold of the same annotator is gone on with; questions are kept,
        and evidence can be added to them.
    annotator
        Goes into the gold table.

    Raises
    ------
    HydralabError
        The annotator has no name.

    >>> import hydralab as hl
    >>> corpus = hl.read_all(hl.example("launch_zh"))
    >>> annotating = Annotating(corpus.turns, corpus.gold, corpus.questions, "me")
    >>> annotating.mark("boundary", 8)
    >>> annotating.gold.rows()
    [('launch_zh', 8, 'me')]
    >>> annotating.undo()
    >>> annotating.gold.height
    0
    """

    def __init__(
        self, turns: pl.DataFrame, gold: pl.DataFrame, questions: pl.DataFrame, annotator: str
    ) -> None:
        check_value("annotator", annotator, "str")
        if not annotator.strip():
            raise HydralabError("annotator: got a blank text, expected a name")
        self.turns = turns
        self.annotator = annotator
        self.dialogue_id = str(turns["dialogue_id"][0]) if turns.height else ""
        self._names: list[str] = turns["turn_id"].to_list()
        self._at = {name: position for position, name in enumerate(self._names)}
        self.marks = self._marks_in(gold, questions)
        self._before: list[Marks] = []

    @property
    def gold(self) -> pl.DataFrame:
        """The marked boundaries as a gold table."""
        return self._gold(self.marks.boundaries, self.annotator)

    @property
    def decisions(self) -> pl.DataFrame:
        """The marked decisions as a gold table, of the annotator's name with "/decisions" behind it."""
        return self._gold(self.marks.decisions, self.annotator + DECISIONS)

    @property
    def questions(self) -> pl.DataFrame:
        """The questions of the dialogue as they stand now, those that were typed at the end."""
        return build("questions", [row for _, row in self.marks.questions])

    def mark(self, kind: str, position: int, on: bool | None = None) -> None:
        """Mark a turn as a boundary or a decision, or take the mark away.

        Parameters
        ----------
        kind
            "boundary": a new span starts at this turn. "decision": something is decided in it.
        position
            The turn.
        on
            Whether it is to be marked; the other way than it is when None.

        Raises
        ------
        HydralabError
            Another kind, no such turn, or a boundary at the first turn, where a span starts anyway.
        """
        if kind not in KINDS:
            raise unknown_name("kind of mark", kind, KINDS)
        self._check(position)
        if kind == "boundary" and position == 0:
            raise HydralabError("turn 0 starts a span anyway, expected a boundary at a later turn")
        marks = self.marks
        if kind == "boundary":
            self._take(replace(marks, boundaries=_switched(marks.boundaries, position, on)))
        else:
            self._take(replace(marks, decisions=_switched(marks.decisions, position, on)))

    def ask(self, text: str, answer: str = "", asked_at: int | None = None) -> str:
        """Add a question and return its id; it has no evidence yet.

        Parameters
        ----------
        answer
            Of gold; "" when it isn't known.
        asked_at
            The turn after which it is asked; the last one when None.

        Raises
        ------
        HydralabError
            A blank question, or no such turn.
        """
        if not text.strip():
            raise HydralabError("question: got a blank text, expected something to ask")
        if asked_at is not None:
            self._check(asked_at)
        known = dict(self.marks.questions)
        names = (f"{self.dialogue_id}:{self.annotator}-{number}" for number in range(1, len(known) + 2))
        question_id = next(name for name in names if name not in known)
        row: Question = {
            "question_id": question_id,
            "dialogue_id": self.dialogue_id,
            "asked_at": asked_at,
            "text": text.strip(),
            "answer": answer.strip() or None,
            "evidence": [],
            "evidence_sessions": [],
            "category": "annotated",
        }
        self._take(replace(self.marks, questions=(*self.marks.questions, (question_id, row))))
        return question_id

    def evidence(self, question_id: str, position: int, on: bool | None = None) -> None:
        """Mark a turn as evidence for a question, or take the mark away; `on` as in `mark`.

        Raises
        ------
        HydralabError
            No such question or turn.
        """
        self._check(position)
        known = dict(self.marks.questions)
        if question_id not in known:
            raise unknown_name("question", question_id, known)
        held = frozenset(known[question_id]["evidence"] or ())
        named = _switched(held, self._names[position], on)
        evidence = sorted(named, key=lambda name: self._at.get(name, -1))
        known[question_id] = {**known[question_id], "evidence": evidence}
        self._take(replace(self.marks, questions=tuple(known.items())))

    def take(self, gold: pl.DataFrame, questions: pl.DataFrame) -> None:
        """Take marks that were made before, in the place of the present ones; questions of other ids stay.

        Parameters
        ----------
        gold, questions
            Of the dialogue; gold of other annotators doesn't count.
        """
        read = self._marks_in(gold, questions)
        self._take(
            replace(read, questions=tuple({**dict(self.marks.questions), **dict(read.questions)}.items()))
        )

    def undo(self) -> None:
        """Take the last change back; where there is none, do nothing."""
        if self._before:
            self.marks = self._before.pop()

    def shown(self) -> dict[str, Any]:
        """Return the marks for the browser, positions for ids."""
        return {
            "annotator": self.annotator,
            "boundaries": sorted(self.marks.boundaries),
            "decisions": sorted(self.marks.decisions),
            "questions": [
                {
                    "id": name,
                    "text": row["text"],
                    "evidence": [self._at[each] for each in row["evidence"] or () if each in self._at],
                }
                for name, row in self.marks.questions
            ],
            "changes": len(self._before),
        }

    def _marks_in(self, gold: pl.DataFrame, questions: pl.DataFrame) -> Marks:
        own = [frame.filter(pl.col("dialogue_id") == self.dialogue_id) for frame in (gold, questions)]
        return Marks(
            _marked(own[0], self.annotator),
            _marked(own[0], self.annotator + DECISIONS),
            tuple((row["question_id"], row) for row in own[1].to_dicts()),
        )

    def _take(self, marks: Marks) -> None:
        if marks != self.marks:
            self._before.append(self.marks)
            self.marks = marks

    def _gold(self, positions: frozenset[int], annotator: str) -> pl.DataFrame:
        own = {"dialogue_id": self.dialogue_id, "annotator": annotator}
        return build("gold", [{**own, "position": position} for position in sorted(positions)])

    def _check(self, position: int) -> None:
        check_value("turn", position, "int")
        if not 0 <= position < self.turns.height:
            raise HydralabError(
                f"no turn {position} in {self.dialogue_id!r}; expected 0 to {self.turns.height - 1}"
            )


def without_decisions(gold: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a gold table that mark boundaries, not decisions."""
    return gold.filter(~pl.col("annotator").fill_null("").str.ends_with(DECISIONS))


def _marked(gold: pl.DataFrame, annotator: str) -> frozenset[int]:
    return frozenset(gold.filter(pl.col("annotator") == annotator)["position"].to_list())


def _switched(held: frozenset[T], each: T, on: bool | None) -> frozenset[T]:
    wanted = each not in held if on is None else on
    return held | {each} if wanted else held - {each}
