"""TIAGE: chit-chat of PersonaChat with topic shifts marked (Xie et al., Findings of EMNLP 2021).

An object of dialogues, each a list of pairs of an utterance and its mark: "1" where a new topic
starts, "0" where not, "-1" for the first. Two people, A and B, take turns; both are users.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hydralab.errors import ReadError
from hydralab.readers.looks import Look
from hydralab.readers.records import READERS, DialogueRecord, Failure, Item, TurnRecord, convert_each
from hydralab.readers.sources import Source

__all__ = ["Tiage"]

MARKS = ("-1", "0", "1")


@READERS.register("tiage")
@dataclass(frozen=True)
class Tiage:
    """TIAGE's annotated dialogues."""

    def sniff(self, look: Look) -> float:
        """Certain by lists of marked utterances."""
        return 0.9 if look.shape == "dict" and any(_fits(found) for found in look.first.values()) else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each dialogue."""
        yield from convert_each(source.items(), _dialogue)


def _fits(found: Any) -> bool:
    return isinstance(found, list) and bool(found) and all(_is_marked(pair) for pair in found)


def _is_marked(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and str(pair[1]) in MARKS


def _dialogue(item: Item) -> DialogueRecord:
    for place, pair in enumerate(item.value):
        if not _is_marked(pair):
            raise ReadError(f"turn {place} is {pair!r}, expected an utterance with one of {', '.join(MARKS)}")
    turns = [TurnRecord("user", text, "AB"[place % 2]) for place, (text, _) in enumerate(item.value)]
    boundaries = [place for place, (_, mark) in enumerate(item.value) if place and str(mark) == "1"]
    return DialogueRecord(turns, boundaries=boundaries)
