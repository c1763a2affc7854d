"""hydralab's own format: JSON Lines with a header, turns and questions.

A header `{"hydralab": 1, "dialogue_id", "title", "language", "user"?}` begins a dialogue; turns are
`{"turn", "role", "time", "text", "speaker"?, "session"?, "boundary"?, "parts"?, "meta"?}`, where
`"boundary": true` says that a new span starts at this turn; questions are `{"question", "text",
"answer", "evidence": [turn names], "asked_at": turn name, "category"}`. One file may hold several
dialogues.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hydralab.errors import ReadError
from hydralab.readers.looks import Look
from hydralab.readers.records import (
    READERS,
    DialogueRecord,
    Failure,
    Item,
    QuestionRecord,
    TurnRecord,
    reason_of,
    standard_role,
)
from hydralab.readers.sources import Source

__all__ = ["Native"]

VERSION = 1


@dataclass
class Gathered:
    """One dialogue while its lines come in."""

    header: Item
    turns: list[TurnRecord] = field(default_factory=list)
    boundaries: list[int] = field(default_factory=list)
    questions: list[QuestionRecord] = field(default_factory=list)

    def record(self) -> DialogueRecord:
        """Return the dialogue as gathered so far."""
        header = self.header.value
        return DialogueRecord(
            self.turns,
            header.get("dialogue_id"),
            header.get("title"),
            header.get("user"),
            header.get("language"),
            self.boundaries,
            questions=self.questions,
            line=self.header.line,
        )


@READERS.register("hydralab")
@dataclass(frozen=True)
class Native:
    """hydralab's own JSON Lines."""

    def sniff(self, look: Look) -> float:
        """Certain when a record is a header."""
        return 1.0 if look.kind == "json" and look.has("hydralab") else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each dialogue from its header to the next."""
        current: Gathered | None = None
        for item in source.records():
            if isinstance(item, Failure):
                yield item
                continue
            try:
                if not isinstance(item.value, dict):
                    raise ReadError("no object")
                if "hydralab" in item.value:
                    finished, current = current, _opened(item)
                    if finished:
                        yield finished.record()
                elif current is None:
                    raise ReadError("a turn or question before the first header")
                else:
                    _add(current, item.value)
            except Exception as error:  # whatever a line makes the reader raise costs that line only
                yield Failure(reason_of(error), item.line)
        if current:
            yield current.record()


def _opened(item: Item) -> Gathered:
    if item.value["hydralab"] != VERSION:
        raise ReadError(f"format version {item.value['hydralab']!r}, expected {VERSION}")
    return Gathered(item)


def _add(current: Gathered, line: dict[str, Any]) -> None:
    if "turn" in line:
        turn = TurnRecord(
            standard_role(line["role"]),
            line["text"],
            line.get("speaker"),
            line.get("time"),
            line.get("session"),
            line["turn"],
            line.get("parts") or (),
            line.get("meta") or {},
        )
        if line.get("boundary") and current.turns:
            current.boundaries.append(len(current.turns))
        current.turns.append(turn)
    elif "question" in line:
        current.questions.append(
            QuestionRecord(
                line["text"],
                line.get("answer"),
                line.get("evidence") or (),
                line.get("evidence_sessions") or (),
                line.get("asked_at"),
                line.get("category"),
                line["question"],
            )
        )
    else:
        raise ReadError("neither a header, nor a turn, nor a question")
