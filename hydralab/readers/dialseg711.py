"""DialSeg711: short task-oriented talks laid end to end (Xu et al., AAAI 2021).

A record has `utterances` and `segments`, the number of utterances of each talk: a boundary stands at
the first utterance of each talk but the first. The set names no speakers; user and assistant take
turns, the user first. Where a talk has an odd number of utterances the roles after it may be
swapped, which is reported: to mend them would write the gold boundaries into the roles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from hydralab.errors import ReadError
from hydralab.readers.looks import Look
from hydralab.readers.records import READERS, DialogueRecord, Failure, Item, TurnRecord, convert_each
from hydralab.readers.sources import Source

__all__ = ["DialSeg711"]


@READERS.register("dialseg711")
@dataclass(frozen=True)
class DialSeg711:
    """DialSeg711 as a list of utterances and segment lengths."""

    def sniff(self, look: Look) -> float:
        """Certain by utterances beside the lengths of segments."""
        return 0.95 if any(_fits(record) for record in look.objects) else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each dialogue."""
        yield from convert_each(source.records(), _dialogue)


def _fits(record: Mapping[str, Any]) -> bool:
    lengths = record.get("segments")
    return isinstance(record.get("utterances"), list) and isinstance(lengths, list) and _are_lengths(lengths)


def _are_lengths(found: list[Any]) -> bool:
    return bool(found) and all(isinstance(length, int) and length > 0 for length in found)


def _dialogue(item: Item) -> Iterator[DialogueRecord | Failure]:
    utterances, lengths = item.value["utterances"], item.value["segments"]
    if not _are_lengths(lengths) or sum(lengths) != len(utterances):
        raise ReadError(
            f"segments {lengths} for {len(utterances)} utterances, expected lengths that add up to it"
        )
    turns = [TurnRecord(("user", "assistant")[place % 2], text) for place, text in enumerate(utterances)]
    *starts, _ = accumulate(lengths)
    odd = next((start for start, length in zip(starts, lengths, strict=False) if length % 2), None)
    if odd is not None:
        reason = (
            f"the roles from turn {odd} on may be swapped: a talk ends there after an odd number of turns"
        )
        yield Failure(reason, status="salvaged")
    yield DialogueRecord(turns, boundaries=starts)
