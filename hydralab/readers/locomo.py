"""LoCoMo: very long chats of two people over months, with questions (Maharana et al., ACL 2024).

A sample is a dialogue. `session_N` are its sessions in the order of N, dated by
`session_N_date_time`; the turns of a session are a second apart. Both speakers have the role user.
A picture's caption stands at the end of the text, on a line of its own: `[image: a dog on a beach]`,
its addresses are parts. Questions are asked at the end. Evidence is a turn's `dia_id`; joined or
misspelt ids ("D8:6; D9:17", "D:11:26", "D30:05") are read as the turns they mean, and what names no
turn is reported. An adversarial question (category 5) has no answer; the wrong answer that the set
gives for it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from types import MappingProxyType
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
)
from hydralab.readers.sessions import Stated, turn_times
from hydralab.readers.sources import Source

__all__ = ["Locomo"]

SESSION = re.compile(r"session_(\d+)")
REFERENCE = re.compile(r"D:?\s*(\d+)\s*:\s*(\d+)")
CLOCK = "%I:%M %p on %d %B, %Y"

CATEGORIES: Mapping[int, str] = MappingProxyType(
    {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
)
"""What the numbers of the file stand for."""


@READERS.register("locomo")
@dataclass(frozen=True)
class Locomo:
    """LoCoMo's `locomo10.json` and parts of it."""

    def sniff(self, look: Look) -> float:
        """Certain by a conversation of numbered sessions."""
        return 0.95 if any(_fits(record) for record in look.objects) else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each sample."""
        yield from convert_each(source.records(), _sample)


def _fits(record: Mapping[str, Any]) -> bool:
    conversation = record.get("conversation")
    return isinstance(conversation, Mapping) and any(map(SESSION.fullmatch, conversation))


def _sample(item: Item) -> Iterator[DialogueRecord | Failure]:
    conversation = item.value["conversation"]
    turns, failures = _turns(conversation)
    yield from failures
    session_of = {turn.source_id: turn.session for turn in turns if turn.source_id and turn.session}
    asked, failures = convert_members(item.value.get("qa") or (), partial(_question, session_of), "question")
    yield from failures
    for question, repairs in asked:
        for repair in repairs:
            yield Failure(f"question {question.text!r}: {repair}", status="salvaged")
    speakers = [str(conversation[name]) for name in ("speaker_a", "speaker_b") if conversation.get(name)]
    title = " and ".join(speakers) or None
    questions = [question for question, _ in asked]
    yield DialogueRecord(turns, item.value.get("sample_id"), title, questions=questions)


def _turns(conversation: Mapping[str, Any]) -> tuple[list[TurnRecord], list[Failure]]:
    names = sorted(filter(SESSION.fullmatch, conversation), key=_number)
    sessions = {name: conversation[name] or () for name in names}
    times = turn_times(
        (_stated(conversation.get(f"{name}_date_time")), len(found)) for name, found in sessions.items()
    )
    turns: list[TurnRecord] = []
    failures: list[Failure] = []
    for (name, found), clock in zip(sessions.items(), times, strict=True):
        read, failed = convert_members(zip(found, clock, strict=True), partial(_turn, name), f"{name}, turn")
        turns += read
        failures += failed
    return turns, failures


def _number(session: str) -> int:
    return int(session.removeprefix("session_"))


def _stated(text: str | None) -> Stated:
    try:
        return datetime.strptime(text, CLOCK) if text else None
    except ValueError:
        return text


def _turn(session: str, timed: tuple[Mapping[str, Any], Stated]) -> TurnRecord:
    turn, time = timed
    text, caption = text_of(turn, "text"), turn.get("blip_caption")
    if caption:
        text = f"{text}\n[image: {caption}]".lstrip("\n")
    urls = turn.get("img_url") or ([None] if caption else [])
    images = [
        {"type": "image", **({"url": url} if url else {}), **({"inline": True} if caption else {})}
        for url in ([urls] if isinstance(urls, str) else urls)
    ]
    return TurnRecord("user", text, turn.get("speaker"), time, session, turn.get("dia_id"), images)


def _question(session_of: Mapping[str, str], asked: Mapping[str, Any]) -> tuple[QuestionRecord, list[str]]:
    """Return a question, and how its evidence was repaired."""
    stated = asked.get("evidence") or ()
    meant = [_turns_meant(one, session_of) for one in stated]
    evidence = [name for names in meant for name in names]
    sessions = dict.fromkeys(session_of[name] for name in evidence if name in session_of)
    answer, category = asked.get("answer"), asked.get("category")
    question = QuestionRecord(
        text_of(asked, "question"),
        None if answer is None else str(answer),
        evidence,
        tuple(sessions),
        category=CATEGORIES.get(category, str(category)) if isinstance(category, int) else category,
    )
    repaired = zip(stated, meant, strict=True)
    return question, [
        f"evidence {one!r} read as {', '.join(names)}" for one, names in repaired if names != [one]
    ]


def _turns_meant(stated: str, known: Container[str]) -> list[str]:
    """Return the turn ids that an evidence string holds; the string itself where it holds none."""
    if stated in known:
        return [stated]
    return [f"D{int(session)}:{int(turn)}" for session, turn in REFERENCE.findall(stated)] or [stated]
