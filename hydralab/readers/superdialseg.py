"""SuperDialseg: dialogues about documents, split where the passage changes (Jiang et al., EMNLP 2023).

A record has a `dialogue` of lines "user: …" and "agent: …" with `[NEWLINE]` between them; a line
`[BOUNDARY]` ends a segment, so that the boundary stands at the turn after it. One behind the last
turn bounds nothing. The dialogues look as if their last turn were cut off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hydralab.errors import ReadError
from hydralab.readers.looks import Look
from hydralab.readers.members import text_of
from hydralab.readers.records import (
    READERS,
    DialogueRecord,
    Failure,
    Item,
    TurnRecord,
    convert_each,
    standard_role,
)
from hydralab.readers.sources import Source

__all__ = ["SuperDialseg"]

NEWLINE, BOUNDARY = "[NEWLINE]", "[BOUNDARY]"
SAID = re.compile(r"(\w+):(.*)", re.DOTALL)


@READERS.register("superdialseg")
@dataclass(frozen=True)
class SuperDialseg:
    """SuperDialseg as one text a dialogue."""

    def sniff(self, look: Look) -> float:
        """Certain by a dialogue in one text with its marks."""
        texts = (record.get("dialogue") for record in look.objects)
        return 0.95 if any(isinstance(text, str) and NEWLINE in text for text in texts) else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each dialogue."""
        yield from convert_each(source.records(), _dialogue)


def _dialogue(item: Item) -> DialogueRecord:
    turns: list[TurnRecord] = []
    boundaries: set[int] = set()
    for line in map(str.strip, text_of(item.value, "dialogue").split(NEWLINE)):
        if line == BOUNDARY:
            boundaries.add(len(turns))
        else:
            turns.append(_turn(line, len(turns)))
    return DialogueRecord(turns, item.value.get("id"), boundaries=sorted(boundaries - {0, len(turns)}))


def _turn(line: str, place: int) -> TurnRecord:
    said = SAID.fullmatch(line)
    if said is None:
        raise ReadError(f"turn {place} starts with {line[:20]!r}, expected 'user:' or 'agent:'")
    return TurnRecord(standard_role(said.group(1)), said.group(2).strip())
