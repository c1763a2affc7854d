"""RealMem: the projects of a persona with an assistant over months (Bian et al., Findings of ACL 2026).

A persona's file is a dialogue: its sessions in the order of the file, which is the order lived,
dated by `current_time`; turns of a day are a second apart. A user turn with `is_query` becomes a
question with the turn's text, asked at that very turn. Its evidence stands on the assistant's turn
after it: `memory_session_uuids` are the sessions. Where a used memory was extracted from a turn that
the file names (`source_turn`, counted from 1, with the role that it should have), that turn is
evidence too; the set gives no more than one turn for a memory that may sum up several.

The sessions that an answer uses are kept in the `meta` of the assistant's turn, also where the turn
before it is no query.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hydralab.errors import ReadError
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

__all__ = ["RealMem"]

Memory = tuple[str, str]


@dataclass(frozen=True)
class Session:
    """One session as it stands in the file."""

    name: str
    time: Stated
    turns: Sequence[Mapping[str, Any]]
    memories: Sequence[Mapping[str, Any]]


@READERS.register("realmem")
@dataclass(frozen=True)
class RealMem:
    """RealMem's file of one persona."""

    def sniff(self, look: Look) -> float:
        """Certain by sessions with `dialogue_turns`."""
        return 0.95 if any(_fits(record) for record in look.objects) else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield the persona's life as one dialogue."""
        yield from convert_each(source.records(), _persona)


def _fits(record: Mapping[str, Any]) -> bool:
    sessions = record.get("dialogues")
    return isinstance(sessions, list) and any(
        isinstance(session, Mapping) and "dialogue_turns" in session for session in sessions
    )


def _persona(item: Item) -> Iterator[DialogueRecord | Failure]:
    sessions, failures = convert_members(item.value["dialogues"], _session, "session")
    yield from failures
    sources = _memory_sources(sessions)
    turns: list[TurnRecord] = []
    questions: list[QuestionRecord] = []
    times = turn_times((session.time, len(session.turns)) for session in sessions)
    for session, clock in zip(sessions, times, strict=True):
        replies = [*session.turns[1:], {}]
        for turn, reply, time in zip(session.turns, replies, clock, strict=True):
            if turn.get("is_query"):
                questions.append(_question(turn, reply, sources, len(turns)))
            turns.append(_turn(turn, time, session.name))
    name = (item.value.get("_metadata") or {}).get("person_name")
    title = str(name).replace("_", " ") if name else None
    yield DialogueRecord(turns, name, title, name, questions=questions)


def _session(found: Mapping[str, Any]) -> Session:
    turns, failures = convert_members(found["dialogue_turns"], _checked, "turn")
    if failures:
        raise ReadError(failures[0].reason)
    name = text_of(found, "session_uuid")
    return Session(name, stated_time(found.get("current_time")), turns, found.get("extracted_memory") or ())


def _checked(turn: Mapping[str, Any]) -> Mapping[str, Any]:
    standard_role(turn["speaker"])
    text_of(turn, "content")
    return turn


def _turn(turn: Mapping[str, Any], time: Stated, session: str) -> TurnRecord:
    used = turn.get("memory_session_uuids")
    meta = {"memory_session_uuids": used} if used else {}
    return TurnRecord(standard_role(turn["speaker"]), turn["content"], None, time, session, meta=meta)


def _question(
    turn: Mapping[str, Any], reply: Mapping[str, Any], sources: Mapping[Memory, int], asked_at: int
) -> QuestionRecord:
    used = [(memory.get("session_uuid"), memory.get("content")) for memory in reply.get("memory_used") or ()]
    sessions = reply.get("memory_session_uuids") or [session for session, _ in used if session]
    return QuestionRecord(
        turn["content"],
        None,
        sorted({sources[memory] for memory in used if sources.get(memory, asked_at) < asked_at}),
        list(dict.fromkeys(sessions)),
        asked_at,
        turn.get("category_name"),
        turn.get("query_id"),
    )


def _memory_sources(sessions: Sequence[Session]) -> dict[Memory, int]:
    """Return the position of the turn that each memory (session, content) was extracted from."""
    sources: dict[Memory, int] = {}
    start = 0
    for session in sessions:
        for memory in session.memories:
            number = memory.get("source_turn")
            if not isinstance(number, int) or not 1 <= number <= len(session.turns):
                continue
            if session.turns[number - 1]["speaker"] == memory.get("source_role_snapshot"):
                sources[session.name, memory["content"]] = start + number - 1
        start += len(session.turns)
    return sources
