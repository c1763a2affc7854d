"""MADial-Bench: memories of two children, and dialogues that call them up (He et al., NAACL 2025).

`*-memory.json` holds the memories: those of a user are the turns of one dialogue, in the order of
their dates; scene and emotion are in `meta`. `*-dialogue.json` beside it holds test dialogues: the
talk before the first `test-turn` is a question (as in the set's own retrieval), what the assistant
then says its answer, `relevant-id` its evidence. Reading either file reads both, so a folder of both
gives each dialogue once. The English memories name no user; they are the user's whose name stands
in the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from hydralab.errors import ReadError
from hydralab.readers.companions import derived_id, placed_in
from hydralab.readers.looks import Look
from hydralab.readers.members import text_of
from hydralab.readers.records import (
    READERS,
    DialogueRecord,
    Failure,
    Item,
    QuestionRecord,
    TurnRecord,
    convert_each,
)
from hydralab.readers.sources import Source

__all__ = ["Madial"]

MEMORIES, DIALOGUES = "memory", "dialogue"
SAID = re.compile(
    r"""\s* (?: <(?P<name>[^<>]{1,40})> \s* [:：]? )? \s* [<"“]? (?P<text>.*?) [>"”]? \s*""",
    re.DOTALL | re.VERBOSE,
)
EDGES = frozenset({"BOD", "EOD"})
NOT_USERS = EDGES | {"Assistant"}


@dataclass(frozen=True)
class Memory:
    """One memory, with the user whose it is where the file says so."""

    turn: TurnRecord
    user: Any


@dataclass
class Archive:
    """Both files of a language as they come in."""

    memories: list[Memory] = field(default_factory=list)
    questions: dict[Any, list[QuestionRecord]] = field(default_factory=dict)
    speakers: dict[Any, Counter[str]] = field(default_factory=dict)


@READERS.register("madial")
@dataclass(frozen=True)
class Madial:
    """MADial-Bench's memories with its test dialogues."""

    def sniff(self, look: Look) -> float:
        """Certain by memories with event and scene, or by test dialogues with relevant ids."""
        return 0.95 if look.has("test-turn", "relevant-id") or any(map(_is_memory, look.objects)) else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield the memories of each user."""
        first: Mapping[str, Any] = next((one.value for one in source.records() if isinstance(one, Item)), {})
        if not _is_memory(first) and "dialogue" not in first:
            yield Failure("ranks of a retriever, no dialogues", status="ok")
            return
        memories, dialogues = _both(source, is_memory=_is_memory(first))
        archive = Archive()
        for one in convert_each(memories.records(), partial(_add_memories, archive)):
            yield placed_in(memories, source, one)
        for one in convert_each(dialogues.records() if dialogues else (), partial(_add_question, archive)):
            yield placed_in(dialogues or source, source, one)
        yield from _users(archive)


def _is_memory(record: Any) -> bool:
    values = list(record.values()) if isinstance(record, Mapping) else []
    return bool(values) and all(
        isinstance(value, Mapping) and {"event", "scene"} <= set(value) for value in values
    )


def _both(source: Source, *, is_memory: bool) -> tuple[Source, Source | None]:
    """Return the memories and the test dialogues, of which `source` is one."""
    name = PurePosixPath(source.name).name
    other = name.replace(MEMORIES, DIALOGUES) if is_memory else name.replace(DIALOGUES, MEMORIES)
    beside = source.sibling(other) if other != name else None
    if is_memory:
        return source, beside
    if beside is None:
        raise ReadError(f"test dialogues without the memories they call up; expected {other} beside {name}")
    return beside, source


def _add_memories(archive: Archive, item: Item) -> tuple[()]:
    archive.memories += [_memory(name, found) for name, found in item.value.items()]
    return ()


def _add_question(archive: Archive, item: Item) -> tuple[()]:
    user = item.value["user-id"]
    lines = [_untagged(line) for line in item.value["dialogue"]]
    archive.questions.setdefault(user, []).append(_question(item, lines))
    names = (name for name, _ in lines if name and name not in NOT_USERS)
    archive.speakers.setdefault(user, Counter()).update(names)
    return ()


def _memory(name: str, found: Mapping[str, Any]) -> Memory:
    meta = {field: found[field] for field in ("scene", "emotion") if found.get(field)}
    turn = TurnRecord("user", text_of(found, "event"), time=found.get("time"), source_id=name, meta=meta)
    return Memory(turn, found.get("user-id"))


def _untagged(line: str) -> tuple[str | None, str]:
    r"""Return who says a line of a test dialogue (None where it has no tag), and what.

    >>> _untagged('<Bart>: "Hey!"\n'), _untagged('"I see."'), _untagged('<Oh really?>')
    (('Bart', 'Hey!'), (None, 'I see.'), (None, 'Oh really?'))
    """
    said = SAID.fullmatch(line)
    if said is None:
        return None, line.strip()
    name, text = said.group("name"), said.group("text")
    return (name, text) if text or name in EDGES else (None, name or "")


def _question(item: Item, lines: Sequence[tuple[str | None, str]]) -> QuestionRecord:
    found = item.value
    turn = found["test-turn"][0]
    said = [f"{name}: {text}" if name else text for name, text in lines[:turn] if name not in EDGES]
    evidence = [str(one) for one in found["relevant-id"]]
    name = str(found.get("id", item.record))
    return QuestionRecord("\n".join(said), lines[turn][1], evidence, source_id=name)


def _users(archive: Archive) -> Iterator[DialogueRecord | Failure]:
    names = {user: counts.most_common(1)[0][0] for user, counts in archive.speakers.items() if counts}
    owned: dict[Any, list[TurnRecord]] = {}
    for memory in archive.memories:
        mentioned = [user for user, name in names.items() if name in memory.turn.text]
        if memory.user is not None or not names:
            owned.setdefault(memory.user, []).append(memory.turn)
        elif len(mentioned) == 1:
            owned.setdefault(mentioned[0], []).append(memory.turn)
        else:
            reason = f"a memory that names {len(mentioned)} of {', '.join(names.values())}, expected one"
            yield Failure(reason, item_id=memory.turn.source_id)
    for user, found in owned.items():
        name = names.get(user)
        turns = [replace(turn, speaker=name) for turn in sorted(found, key=lambda turn: str(turn.time or ""))]
        dialogue_id = derived_id("madial", turns[0])
        yield DialogueRecord(turns, dialogue_id, name, name, questions=archive.questions.pop(user, ()))
    for user, questions in archive.questions.items():
        yield Failure(f"{len(questions)} test dialogues of user {user!r}, who has no memories")
