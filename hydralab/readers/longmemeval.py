"""LongMemEval: one question a history of dated chats with an assistant (Wu et al., ICLR 2025).

A record is a dialogue: its haystack sessions in the order of their dates (the oracle file is not in
order), a second between the turns of a session. The ids of the set tell what the answer to the
question is: those of evidence sessions begin with "answer_", those of questions without an answer
end with "_abs", and `has_answer` marks the evidence. So the dialogue's id is a hash, the sessions
are numbered, the marks go into the evidence of the question alone, and the id that the set's own
evaluation wants is the last part of the question_id. A question without an answer has the category
"abstention".
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from hydralab.readers.looks import Look
from hydralab.readers.members import convert_members, text_of
from hydralab.readers.records import (
    READERS,
    DialogueRecord,
    Failure,
    Item,
    QuestionRecord,
    TurnRecord,
    convert_each,
    standard_role,
)
from hydralab.readers.sessions import Stated, stated_time, turn_times
from hydralab.readers.sources import Source

__all__ = ["LongMemEval"]

ABSTENTION = "_abs"


@dataclass(frozen=True)
class Session:
    """One session of a haystack, with the set's id for it."""

    given_id: str
    time: Stated
    turns: Sequence[Mapping[str, Any]]


@READERS.register("longmemeval")
@dataclass(frozen=True)
class LongMemEval:
    """LongMemEval's S, M and oracle files."""

    def sniff(self, look: Look) -> float:
        """Certain by a question with a haystack."""
        named = look.has("question_id", "haystack_sessions") or look.has(
            "question_id", "haystack_session_ids"
        )
        return 0.95 if named else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield the haystack of each question."""
        yield from convert_each(source.records(), _haystack)


def _haystack(item: Item) -> Iterator[DialogueRecord | Failure]:
    given = item.value
    sessions = _in_order(given)
    turns: list[TurnRecord] = []
    evidence: list[int] = []
    evidence_sessions: list[str] = []
    stated = ((session.time, len(session.turns)) for session in sessions)
    for number, (session, times) in enumerate(zip(sessions, turn_times(stated), strict=True), start=1):
        name = f"session_{number}"
        evidence_sessions += [name] if session.given_id in (given.get("answer_session_ids") or ()) else []
        timed = zip(session.turns, times, strict=True)
        read, failures = convert_members(timed, partial(_turn, name), f"{name}, turn")
        yield from failures
        evidence += [len(turns) + place for place, (_, is_evidence) in enumerate(read) if is_evidence]
        turns += [turn for turn, _ in read]
    question_id = str(given["question_id"])
    answer = given.get("answer")
    question = QuestionRecord(
        text_of(given, "question"),
        None if answer is None else str(answer),
        evidence,
        evidence_sessions,
        category="abstention" if question_id.endswith(ABSTENTION) else given.get("question_type"),
        source_id=question_id,
    )
    digest = hashlib.sha256(question_id.encode()).hexdigest()[:12]
    yield DialogueRecord(turns, f"longmemeval-{digest}", questions=[question])


def _in_order(given: Mapping[str, Any]) -> list[Session]:
    found = given["haystack_sessions"]
    ids = given.get("haystack_session_ids") or [str(number) for number in range(len(found))]
    dates = given.get("haystack_dates") or [None] * len(found)
    sessions = [
        Session(name, stated_time(date), turns) for name, date, turns in zip(ids, dates, found, strict=True)
    ]
    dated = [session.time for session in sessions if isinstance(session.time, datetime)]
    if len(dated) < len(sessions):
        return sessions
    return [session for _, session in sorted(zip(dated, sessions, strict=True), key=lambda pair: pair[0])]


def _turn(session: str, timed: tuple[Mapping[str, Any], Stated]) -> tuple[TurnRecord, bool]:
    turn, time = timed
    record = TurnRecord(standard_role(turn["role"]), text_of(turn, "content"), None, time, session)
    return record, bool(turn.get("has_answer"))
