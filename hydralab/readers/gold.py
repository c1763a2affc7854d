"""Gold boundaries and questions of one dialogue as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hydralab.errors import ReadError
from hydralab.readers.ids import numbered
from hydralab.readers.records import DialogueRecord, Failure, QuestionRecord
from hydralab.texts import scrub

__all__ = ["Places", "gold_rows", "question_rows"]


@dataclass(frozen=True)
class Places:
    """Where the turns of a dialogue came to stand.

    Parameters
    ----------
    dialogue_id
        The dialogue.
    position_of
        Position of a turn by its number in the record, and by its name; the number of a repeat that
        was left out is missing.
    names
        The name of each turn that was kept, in order.
    """

    dialogue_id: str
    position_of: Mapping[int | str, int]
    names: Sequence[str]

    def turn_id(self, position: int) -> str:
        """Return the id of the turn at a position."""
        return f"{self.dialogue_id}:{self.names[position]}"


def gold_rows(record: DialogueRecord, places: Places) -> list[dict[str, Any]]:
    """Return the rows of the gold table; a boundary outside the dialogue is an error."""
    last = len(record.turns) - 1
    for position in record.boundaries:
        if not 0 < position <= last:
            raise ReadError(f"gold boundary at {position}, expected a position from 1 to {last}")
    found = {places.position_of.get(number) for number in record.boundaries}
    return [
        {"dialogue_id": places.dialogue_id, "position": position, "annotator": record.annotator}
        for position in sorted(position for position in found if position)
    ]


def question_rows(
    record: DialogueRecord, places: Places, problems: list[Failure]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of the questions table; evidence that names no turn is told in `problems`."""
    taken: set[str] = set()
    for number, question in enumerate(record.questions):
        name = scrub(str(question.source_id)) if question.source_id not in (None, "") else f"q{number}"
        name = numbered(name, taken) if name in taken else name
        taken.add(name)
        yield _question_row(question, f"{places.dialogue_id}:{name}", places, problems)


def _question_row(
    question: QuestionRecord, question_id: str, places: Places, problems: list[Failure]
) -> dict[str, Any]:
    positions = {reference: places.position_of.get(reference) for reference in question.evidence}
    lost = [str(reference) for reference, position in positions.items() if position is None]
    if lost:
        reason = f"question {question_id!r}: evidence {', '.join(lost)} names no turn"
        problems.append(Failure(reason, item_id=question_id, status="salvaged"))
    asked_at = None if question.asked_at is None else places.position_of.get(question.asked_at)
    if asked_at is None and question.asked_at is not None:
        reason = (
            f"question {question_id!r}: asked at {question.asked_at!r}, which is no turn; asked at the end"
        )
        problems.append(Failure(reason, item_id=question_id, status="salvaged"))
    kept = dict.fromkeys(position for position in positions.values() if position is not None)
    return {
        "question_id": question_id,
        "dialogue_id": places.dialogue_id,
        "asked_at": len(places.names) - 1 if asked_at is None else asked_at,
        "text": scrub(question.text),
        "answer": None if question.answer is None else scrub(str(question.answer)),
        "evidence": [places.turn_id(position) for position in kept],
        "evidence_sessions": [scrub(str(session)) for session in question.evidence_sessions],
        "category": None if question.category is None else scrub(str(question.category)),
    }
