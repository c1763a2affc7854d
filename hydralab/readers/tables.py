"""From what readers yield to valid tables: ids, positions, rounds, tokens, times, languages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from typing import Any

from hydralab.errors import ReadError
from hydralab.frames import ROLES, Corpus, build, event, number_rounds
from hydralab.readers.counting import counted_text, image_tokens
from hydralab.readers.gold import Places, gold_rows, question_rows
from hydralab.readers.ids import digest_of, hash_id, numbered, turn_names
from hydralab.readers.records import DialogueRecord, Failure, TurnRecord, reason_of
from hydralab.readers.times import to_utc
from hydralab.texts import language, scrub, tokenizer

__all__ = ["RecallResult", "build_corpus"]

LANGUAGE_SAMPLE = 4000
"""Characters that tell the language of a dialogue whose source names none."""


@dataclass(frozen=True)
class RecallResult:
    """What a reader yielded, with the reader's name and the name of the source."""

    reader: str
    source: str
    yielded: DialogueRecord | Failure


@dataclass
class Rows:
    """The rows of the tables as they grow; `digests` tells what each dialogue id stands for."""

    dialogues: list[dict[str, Any]] = field(default_factory=list)
    turns: list[dict[str, Any]] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)
    gold: list[dict[str, Any]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)


def build_corpus(
    found: Iterable[RecallResult], *, tokenizer_name: str = "cl100k_base", naive: tzinfo = UTC
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
        except Exception as error:  # whatever a record of a reader holds costs that dialogue only
            _add_event(rows, one, _placed(Failure(reason_of(error)), one.yielded))
    counted = [turn.pop("counted") for turn in rows.turns]
    for turn, tokens in zip(rows.turns, tokenizer(tokenizer_name).counts(counted), strict=True):
        turn["tokens"] += tokens
    tables = ("dialogues", "turns", "questions", "gold", "events")
    return Corpus(**{table: build(table, getattr(rows, table)) for table in tables})


def _add_dialogue(rows: Rows, one: RecallResult, record: DialogueRecord, naive: tzinfo) -> None:
    if not record.turns:
        for problem in record.problems:
            _add_event(rows, one, _placed(problem, record))
        named = "a dialogue" if record.dialogue_id is None else f"dialogue {record.dialogue_id!r}"
        _add_event(rows, one, _placed(Failure(f"{named} has no turns and is left out", status="ok"), record))
        return
    problems = list(record.problems)
    whole = _whole_turns(record.turns, naive, problems)
    turns = list(whole.values())
    known, repeats = turn_names([_clean(record.turns[number].source_id) for number in whole], turns)
    name_of = dict(zip(whole, known, strict=True))
    names = [name_of.get(number) for number in range(len(record.turns))]
    problems += [*repeats, *_orphans([record.turns[number] for number in whole])]
    dialogue_id = _dialogue_id(rows, one.reader, record, record.turns[min(whole)], turns, problems)
    if dialogue_id is None:
        named = f"dialogue {record.dialogue_id!r} stands twice, with the same turns"
        _add_event(rows, one, _placed(Failure(named, status="ok"), record))
        return
    places = _places(dialogue_id, names)
    kept = [turn for number, turn in whole.items() if names[number] is not None]
    gold = gold_rows(record, places)
    questions = list(question_rows(record, places, problems))
    rows.digests[dialogue_id] = digest_of(turns)
    rows.turns += _finished(kept, places)
    rows.gold += gold
    rows.questions += questions
    rows.dialogues.append(
        {
            "dialogue_id": dialogue_id,
            "user_id": _clean(record.user),
            "title": _clean(record.title),
            "language": _clean(record.language) or language(_sample(kept)),
            "source": f"{one.reader}: {one.source}",
        }
    )
    for problem in problems:
        _add_event(rows, one, _placed(problem, record), dialogue_id)


def _whole_turns(
    turns: Sequence[TurnRecord], naive: tzinfo, problems: list[Failure]
) -> dict[int, dict[str, Any]]:
    """Return number → row of each turn that can be one; when none can, raise what is wrong with the first."""
    rows: dict[int, dict[str, Any]] = {}
    lost: list[Failure] = []
    for number, turn in enumerate(turns):
        try:
            rows[number] = _turn_row(turn, naive, problems)
        except Exception as error:  # whatever a turn holds costs that turn only
            lost.append(Failure(f"turn {number}: {reason_of(error)}", item_id=turn.source_id))
    if not rows:
        raise ReadError(lost[0].reason)
    problems += lost
    return rows


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
        "tokens": image_tokens(turn.parts),
        "parts": _as_json(list(turn.parts)),
        "meta": _as_json(meta),
        "counted": counted_text(text, turn.parts),
    }


def _finished(turns: Sequence[dict[str, Any]], places: Places) -> list[dict[str, Any]]:
    rounds = number_rounds([turn["role"] for turn in turns], [turn["speaker"] for turn in turns])
    return [
        {
            **turn,
            "dialogue_id": places.dialogue_id,
            "turn_id": places.turn_id(position),
            "position": position,
            "round": rounds[position],
        }
        for position, turn in enumerate(turns)
    ]


def _places(dialogue_id: str, names: Sequence[str | None]) -> Places:
    kept = [(number, name) for number, name in enumerate(names) if name is not None]
    position_of: dict[int | str, int] = {}
    for position, (number, name) in enumerate(kept):
        position_of[number] = position_of[name] = position
    return Places(dialogue_id, position_of, [name for _, name in kept])


def _dialogue_id(
    rows: Rows,
    reader: str,
    record: DialogueRecord,
    first: TurnRecord,
    turns: Sequence[Mapping[str, Any]],
    problems: list[Failure],
) -> str | None:
    """Return an id that no other dialogue has; None when the source gives this very dialogue twice."""
    given = _clean(record.dialogue_id) or None
    wanted = given or hash_id(reader, first, turns[0]["time"])
    if wanted not in rows.digests:
        return wanted
    free = numbered(wanted, rows.digests)
    if given is None:
        return free
    if rows.digests[wanted] == digest_of(turns):
        return None
    reason = f"dialogue id {wanted!r} stands twice with other turns; the second is now {free!r}"
    problems.append(Failure(reason, status="salvaged"))
    return free


def _orphans(turns: Sequence[TurnRecord]) -> list[Failure]:
    """Return a problem for each tool result that answers no call before it."""
    called: set[str] = set()
    orphans: list[Failure] = []
    for turn in turns:
        called |= {str(part["id"]) for part in turn.parts if part.get("type") == "tool_call"}
        orphans += [
            Failure(f"tool result {part['id']!r} answers no call", item_id=turn.source_id, status="salvaged")
            for part in turn.parts
            if part.get("type") == "tool_result" and part.get("id") and str(part["id"]) not in called
        ]
    return orphans


def _add_event(rows: Rows, one: RecallResult, failure: Failure, dialogue_id: str | None = None) -> None:
    where = ", ".join(part for part in (one.source, failure.where()) if part)
    detail = f"{where}: {failure.reason}" if where else failure.reason
    item = _clean(failure.item_id)
    rows.events.append(
        event("read", failure.status, detail=scrub(detail), dialogue_id=dialogue_id, item_id=item)
    )


def _placed(problem: Failure, record: DialogueRecord) -> Failure:
    return replace(problem, line=record.line, record=record.record)


def _sample(turns: Sequence[Mapping[str, Any]]) -> str:
    pieces: list[str] = []
    left = LANGUAGE_SAMPLE
    for turn in turns:
        if left <= 0:
            break
        if turn["role"] in ("user", "assistant"):
            pieces.append(turn["text"][:left])
            left -= len(pieces[-1])
    return "\n".join(pieces)


def _clean(value: Any) -> str | None:
    return None if value is None else scrub(str(value))


def _as_json(value: Any) -> str | None:
    return scrub(json.dumps(value, ensure_ascii=False, default=str)) if value else None
