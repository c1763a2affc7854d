"""From what readers yield to valid tables: ids, positions, rounds, tokens, times, languages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any

from hydralab.errors import ReadError
from hydralab.frames import ROLES, Corpus, build, event, number_rounds
from hydralab.readers.records import DialogueRecord, Failure, QuestionRecord, TurnRecord
from hydralab.readers.times import to_utc
from hydralab.texts import language, scrub, tokenizer

__all__ = ["Found", "build_corpus", "counted_text", "hash_id"]

LANGUAGE_SAMPLE = 4000


@dataclass(frozen=True)
class Found:
    """What a reader yielded, with the reader's name and the name of the source."""

    reader: str
    source: str
    yielded: DialogueRecord | Failure


@dataclass
class Rows:
    """The rows of the tables as they grow, and what is already taken."""

    dialogues: list[dict[str, Any]] = field(default_factory=list)
    turns: list[dict[str, Any]] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)
    gold: list[dict[str, Any]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    counted: list[str] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)


def build_corpus(
    found: Iterable[Found], *, tokenizer_name: str = "cl100k_base", naive: tzinfo = UTC
) -> Corpus:
    """Make the tables of everything found; a dialogue that can't be valid becomes an events row.

    Parameters
    ----------
    found
        Dialogues and failures, in the order in which they shall stand.
    tokenizer_name
        Whose tokens `turns.tokens` counts.
    naive
        The zone of times that name none.

    Returns
    -------
    Corpus
        Of `events`, those with status "failed" are records that were lost.
    """
    rows = Rows()
    for one in found:
        if isinstance(one.yielded, Failure):
            _add_event(rows, one, one.yielded)
            continue
        try:
            _add_dialogue(rows, one, one.yielded, naive)
        except (ReadError, TypeError, ValueError, AttributeError, RecursionError) as error:
            _add_event(rows, one, Failure(str(error), one.yielded.line, one.yielded.record))
    for turn, tokens in zip(rows.turns, tokenizer(tokenizer_name).counts(rows.counted), strict=True):
        turn["tokens"] = tokens
    tables = ("dialogues", "turns", "questions", "gold", "events")
    return Corpus(**{table: build(table, getattr(rows, table)) for table in tables})


def hash_id(reader: str, turn: TurnRecord, time: datetime | None = None) -> str:
    """Return the id of a dialogue whose source gives none: reader name and a hash of its first turn.

    >>> hash_id("sharegpt", TurnRecord("user", "hello"))
    'sharegpt-c9ace353ee8c'
    """
    stamp = time.isoformat() if time else ""
    text = json.dumps([turn.role, scrub(turn.text), stamp], ensure_ascii=False)
    return f"{reader}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def counted_text(text: str, parts: Sequence[Mapping[str, Any]]) -> str:
    r"""Return all that a turn's tokens count: its text, and the names, arguments and texts of its parts.

    >>> counted_text("", [{"type": "tool_call", "name": "weather", "arguments": {"city": "北京"}}])
    'weather\n{"city": "北京"}'
    """
    pieces = [text] if text else []
    for part in parts:
        pieces += [_written(part[name]) for name in ("name", "arguments", "text") if part.get(name)]
    return "\n".join(pieces)


def _add_dialogue(rows: Rows, one: Found, record: DialogueRecord, naive: tzinfo) -> None:
    problems: list[Failure] = []
    turns = [_turn_row(turn, naive, problems) for turn in record.turns]
    if not turns:
        reason = "no turns" if record.dialogue_id is None else f"dialogue {record.dialogue_id!r} has no turns"
        raise ReadError(reason)
    names = _turn_names(turns, problems)
    kept = [number for number, name in enumerate(names) if name is not None]
    place = {number: position for position, number in enumerate(kept)}
    digest = _digest(turns)
    given = scrub(str(record.dialogue_id)) if record.dialogue_id not in (None, "") else None
    derived = hash_id(one.reader, record.turns[0], turns[0]["time"])
    dialogue_id = _free_id(rows, given or derived, digest, given is not None, problems)
    if dialogue_id is None:
        _add_event(
            rows,
            one,
            Failure(
                f"dialogue {given!r} stands twice, with the same turns",
                record.line,
                record.record,
                status="ok",
            ),
        )
        return
    turns = [turns[number] for number in kept]
    of_name = {str(names[number]): f"{dialogue_id}:{names[number]}" for number in kept}
    ids = [of_name[str(names[number])] for number in kept]
    rounds = number_rounds([turn["role"] for turn in turns], [turn["speaker"] for turn in turns])
    gold = _gold_rows(dialogue_id, record, place, len(turns))
    questions = list(_question_rows(dialogue_id, record, ids, of_name, place, problems))
    rows.digests[dialogue_id] = digest
    rows.counted += [turn.pop("counted") for turn in turns]
    rows.turns += [
        {
            **turn,
            "dialogue_id": dialogue_id,
            "turn_id": ids[position],
            "position": position,
            "round": rounds[position],
            "tokens": 0,
        }
        for position, turn in enumerate(turns)
    ]
    rows.dialogues.append(
        {
            "dialogue_id": dialogue_id,
            "user_id": _clean(record.user),
            "title": _clean(record.title),
            "language": record.language or language(_sample(turns)),
            "source": f"{one.reader}: {one.source}",
        }
    )
    rows.gold += gold
    rows.questions += questions
    for problem in problems:
        _add_event(rows, one, _at(problem, record), dialogue_id)


def _turn_row(turn: TurnRecord, naive: tzinfo, problems: list[Failure]) -> dict[str, Any]:
    if turn.role not in ROLES:
        raise ReadError(f"role {turn.role!r}, expected one of {', '.join(ROLES)}")
    if not isinstance(turn.text, str):
        raise ReadError(f"text {turn.text!r} is {type(turn.text).__name__}, expected a string")
    meta = dict(turn.meta)
    try:
        time, zone = to_utc(turn.time, naive)
    except ReadError as error:
        time, zone = None, None
        meta["time"] = str(turn.time)
        problems.append(Failure(str(error), item_id=turn.source_id, status="salvaged"))
    if zone is not None:
        meta["zone"] = zone
    text = scrub(turn.text)
    return {
        "session": _clean(turn.session),
        "role": turn.role,
        "speaker": _clean(turn.speaker),
        "text": text,
        "time": time,
        "parts": _as_json(list(turn.parts)),
        "meta": _as_json(meta),
        "source_id": _clean(turn.source_id),
        "counted": counted_text(text, turn.parts),
    }


def _turn_names(turns: list[dict[str, Any]], problems: list[Failure]) -> list[str | None]:
    """Return the last part of each turn_id: the source's id, else the position; None for a repeat."""
    taken: dict[str, dict[str, Any]] = {}
    names: list[str | None] = []
    position = 0
    for turn in turns:
        wanted = turn.pop("source_id")
        name = wanted if wanted is not None else str(position)
        if wanted is not None and taken.get(name) == turn:
            problems.append(
                Failure(f"turn {name!r} stands twice, with the same content", item_id=name, status="ok")
            )
            names.append(None)
            continue
        if name in taken:
            name = _numbered(name, taken)
            problems.append(
                Failure(
                    f"turn id {wanted!r} stands twice; the second is now {name!r}",
                    item_id=name,
                    status="salvaged",
                )
            )
        taken[name] = dict(turn)
        names.append(name)
        position += 1
    return names


def _free_id(rows: Rows, wanted: str, digest: str, is_given: bool, problems: list[Failure]) -> str | None:
    """Return an id that no other dialogue has; None when this very dialogue is already there."""
    if wanted not in rows.digests:
        return wanted
    if is_given and rows.digests[wanted] == digest:
        return None
    free = _numbered(wanted, rows.digests)
    if is_given:
        reason = f"dialogue id {wanted!r} stands twice with other turns; the second is now {free!r}"
        problems.append(Failure(reason, status="salvaged"))
    return free


def _numbered(name: str, taken: Mapping[str, Any]) -> str:
    number = 2
    while f"{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}"


def _gold_rows(
    dialogue_id: str, record: DialogueRecord, place: Mapping[int, int], count: int
) -> list[dict[str, Any]]:
    for position in record.boundaries:
        if not 0 < position < len(record.turns):
            raise ReadError(f"boundary at {position}, expected a position from 1 to {len(record.turns) - 1}")
    positions = sorted({place[number] for number in record.boundaries if number in place} - {0})
    return [
        {"dialogue_id": dialogue_id, "position": position, "annotator": record.annotator}
        for position in positions
        if position < count
    ]


def _question_rows(
    dialogue_id: str,
    record: DialogueRecord,
    ids: list[str],
    of_name: Mapping[str, str],
    place: Mapping[int, int],
    problems: list[Failure],
) -> Iterator[dict[str, Any]]:
    taken: dict[str, Any] = {}
    for number, question in enumerate(record.questions):
        name = _clean(question.source_id) or f"q{number}"
        name = _numbered(name, taken) if name in taken else name
        taken[name] = question
        evidence = [_turn_id(reference, ids, of_name, place) for reference in question.evidence]
        lost = [
            str(reference)
            for reference, turn in zip(question.evidence, evidence, strict=True)
            if turn is None
        ]
        if lost:
            reason = f"question {name!r}: evidence {', '.join(lost)} names no turn"
            problems.append(Failure(reason, item_id=f"{dialogue_id}:{name}", status="salvaged"))
        yield {
            "question_id": f"{dialogue_id}:{name}",
            "dialogue_id": dialogue_id,
            "asked_at": _asked_at(question, name, dialogue_id, ids, of_name, place, problems),
            "text": scrub(question.text),
            "answer": _clean(question.answer),
            "evidence": list(dict.fromkeys(turn for turn in evidence if turn is not None)),
            "evidence_sessions": [scrub(str(session)) for session in question.evidence_sessions],
            "category": _clean(question.category),
        }


def _asked_at(
    question: QuestionRecord,
    name: str,
    dialogue_id: str,
    ids: list[str],
    of_name: Mapping[str, str],
    place: Mapping[int, int],
    problems: list[Failure],
) -> int:
    if question.asked_at is None:
        return len(ids) - 1
    turn = _turn_id(question.asked_at, ids, of_name, place)
    if turn is None:
        reason = f"question {name!r}: asked at {question.asked_at}, which names no turn; asked at the end"
        problems.append(Failure(reason, item_id=f"{dialogue_id}:{name}", status="salvaged"))
        return len(ids) - 1
    return ids.index(turn)


def _turn_id(
    reference: str | int, ids: list[str], of_name: Mapping[str, str], place: Mapping[int, int]
) -> str | None:
    if isinstance(reference, int):
        return ids[place[reference]] if reference in place else None
    return of_name.get(reference)


def _add_event(rows: Rows, one: Found, failure: Failure, dialogue_id: str | None = None) -> None:
    where = ", ".join(part for part in (one.source, failure.where()) if part)
    rows.events.append(
        event(
            "read",
            failure.status,
            detail=f"{where}: {scrub(failure.reason)}",
            dialogue_id=dialogue_id,
            item_id=_clean(failure.item_id),
        )
    )


def _at(problem: Failure, record: DialogueRecord) -> Failure:
    return Failure(problem.reason, record.line, record.record, problem.item_id, problem.status)


def _digest(turns: list[dict[str, Any]]) -> str:
    content = [
        (turn["role"], turn["speaker"], turn["text"], str(turn["time"]), turn["parts"]) for turn in turns
    ]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()


def _sample(turns: list[dict[str, Any]]) -> str:
    pieces: list[str] = []
    size = 0
    for turn in turns:
        if size >= LANGUAGE_SAMPLE:
            break
        if turn["role"] in ("user", "assistant"):
            pieces.append(turn["text"][: LANGUAGE_SAMPLE - size])
            size += len(pieces[-1])
    return "\n".join(pieces)


def _clean(value: Any) -> str | None:
    return None if value is None else scrub(str(value))


def _written(value: Any) -> str:
    return scrub(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _as_json(value: Any) -> str | None:
    return scrub(json.dumps(value, ensure_ascii=False, default=str)) if value else None
