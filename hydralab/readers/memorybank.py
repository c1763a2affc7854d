"""MemoryBank: ten days of chats of fifteen users with a companion, in Chinese and English (Zhong et al., 2023).

`memory_bank_*.json` holds a user's `history`, rounds of query and response a date: one dialogue a
user, one session a date, a second between its turns. `probing_questions_*.jsonl` beside it holds the
questions asked of each user at the end; the set gives neither answers nor evidence. Reading either
file reads both, so a folder of both gives each dialogue once. Names are compared without the
spaces around them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from hydralab.errors import ReadError
from hydralab.readers.companions import derived_id, placed_in
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
from hydralab.readers.sessions import Stated, stated_time, turn_times
from hydralab.readers.sources import Source

__all__ = ["MemoryBank"]

BANK, PROBES = "memory_bank", "probing_questions"


@READERS.register("memorybank")
@dataclass(frozen=True)
class MemoryBank:
    """MemoryBank's histories with their probing questions."""

    def sniff(self, look: Look) -> float:
        """Certain by a history of dates; likely by lines that give each user a list of questions."""
        if look.shape == "dict" and any(_is_user(user) for user in look.first.values()):
            return 0.95
        return 0.6 if look.shape == "lines" and _are_probes(look) else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each user's history."""
        bank, probes = _both(source)
        questions: dict[str, list[QuestionRecord]] = {}
        if probes is not None:
            for one in convert_each(probes.records(), partial(_gather, questions)):
                yield placed_in(probes, source, one)
        for one in convert_each(bank.items(), partial(_user, questions)):
            yield placed_in(bank, source, one)
        for name in questions:
            yield Failure(f"{len(questions[name])} questions of {name!r}, who has no history", item_id=name)


def _is_user(user: Any) -> bool:
    history = user.get("history") if isinstance(user, Mapping) else None
    return isinstance(history, Mapping) and any(isinstance(rounds, list) for rounds in history.values())


def _are_probes(look: Look) -> bool:
    """Say whether each line has one key of its own with a list of texts."""
    lines = [record for record in look.records if isinstance(record, Mapping) and len(record) == 1]
    keys = {key for line in lines for key in line}
    texts = all(
        isinstance(found, list) and found and all(isinstance(text, str) for text in found)
        for line in lines
        for found in line.values()
    )
    return texts and len(keys) == len(lines) == len(look.records) and (len(keys) > 1 or PROBES in look.name)


def _both(source: Source) -> tuple[Source, Source | None]:
    """Return the histories and the questions about them, of which `source` is one."""
    name = PurePosixPath(source.name).name
    first: Mapping[str, Any] = next((one.value for one in source.records() if isinstance(one, Item)), {})
    if any(map(_is_user, first.values())):
        return source, source.sibling(name.replace(BANK, PROBES) + "l") if BANK in name else None
    bank = source.sibling(name.replace(PROBES, BANK).removesuffix("l")) if PROBES in name else None
    if bank is None:
        raise ReadError(f"questions without the chats they are about; expected {BANK}_*.json beside {name}")
    return bank, source


def _gather(questions: dict[str, list[QuestionRecord]], item: Item) -> Iterator[Failure]:
    for name, texts in item.value.items():
        read, failures = convert_members(
            ({"text": text} for text in texts), _question, f"question of {name!r}"
        )
        questions.setdefault(name.strip(), []).extend(read)
        yield from failures


def _question(found: Mapping[str, Any]) -> QuestionRecord:
    return QuestionRecord(text_of(found, "text").strip(), category="probing")


def _user(questions: dict[str, list[QuestionRecord]], item: Item) -> Iterator[DialogueRecord | Failure]:
    name = str(item.value.get("name") or item.key).strip()
    days: Mapping[str, Sequence[Mapping[str, Any]]] = item.value["history"]
    stated = ((stated_time(day), 2 * len(rounds)) for day, rounds in days.items())
    turns: list[TurnRecord] = []
    for (day, rounds), times in zip(days.items(), turn_times(stated), strict=True):
        timed = zip(rounds, times[::2], times[1::2], strict=True)
        read, failures = convert_members(timed, partial(_round, name, day), f"{day}, round")
        turns += [turn for pair in read for turn in pair]
        yield from failures
        if not rounds:
            yield Failure(f"{name}, {day}: a day without rounds", item_id=day, status="ok")
    if not turns:
        raise ReadError(f"user {name!r} has no history")
    yield DialogueRecord(
        turns, derived_id("memorybank", turns[0]), name, name, questions=questions.pop(name, ())
    )


def _round(
    name: str, day: str, timed: tuple[Mapping[str, Any], Stated, Stated]
) -> tuple[TurnRecord, TurnRecord]:
    found, asked, answered = timed
    query, response = text_of(found, "query"), text_of(found, "response")
    return (
        TurnRecord("user", query, name, asked, day),
        TurnRecord("assistant", response, None, answered, day),
    )
