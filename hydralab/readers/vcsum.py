"""VCSum: Chinese round tables with segments, titles and summaries (Wu et al., Findings of ACL 2023).

A record has `turns` of a speaker's sentences and `segment_lengths`, counted in turns: a boundary
stands at the first turn of each segment but the first. Everyone is a user, by number. The gold
titles and summaries are in the `meta` of the first turn:
`{"summary", "segments": [{"start", "end", "headline", "summary"}]}`, positions inclusive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from hydralab.errors import ReadError
from hydralab.readers.looks import Look
from hydralab.readers.records import READERS, DialogueRecord, Failure, Item, TurnRecord, convert_each
from hydralab.readers.sources import Source

__all__ = ["VCSum"]


@READERS.register("vcsum")
@dataclass(frozen=True)
class VCSum:
    """VCSum's meetings as turns and segment lengths."""

    def sniff(self, look: Look) -> float:
        """Certain by turns beside the lengths of segments."""
        return 0.95 if look.has("turns", "segment_lengths") else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each meeting."""
        yield from convert_each(source.records(), _meeting)


def _meeting(item: Item) -> DialogueRecord:
    found = item.value
    turns = [_turn(place, said) for place, said in enumerate(found["turns"])]
    lengths = found["segment_lengths"]
    if sum(lengths) != len(turns):
        raise ReadError(f"segments {lengths} for {len(turns)} turns, expected lengths that add up to it")
    ends = list(accumulate(lengths))
    starts = [0, *ends[:-1]]
    headlines, summaries = found.get("headlines"), found.get("segment_summaries")
    segments = [
        {
            "start": start,
            "end": end - 1,
            "headline": headlines[place] if headlines else None,
            "summary": summaries[place] if summaries else None,
        }
        for place, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]
    turns[0] = replace(turns[0], meta={"summary": found.get("summary"), "segments": segments})
    meeting = f"vcsum-{found['id']}" if found.get("id") is not None else None
    return DialogueRecord(turns, meeting, boundaries=starts[1:])


def _turn(place: int, said: Mapping[str, Any]) -> TurnRecord:
    sentences = said.get("sentences")
    if not isinstance(sentences, list) or not all(isinstance(sentence, str) for sentence in sentences):
        raise ReadError(f"turn {place}: sentences are {sentences!r}, expected a list of strings")
    return TurnRecord("user", "".join(sentences), str(said["speaker"]))
