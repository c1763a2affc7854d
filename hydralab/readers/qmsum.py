"""QMSum: transcripts of meetings with topics, questions and summaries (Zhong et al., NAACL 2021).

A meeting is a dialogue of its speakers, all of them users. A boundary stands at the first turn of
each topic's spans; turns between topics belong to the span before. Specific queries are questions:
the turns of their spans are the evidence, the summary is the answer. The topics and the answers to
the general queries (summaries of the whole meeting) are in the `meta` of the first turn:
`{"topics": [{"topic", "spans": [[first, last]]}], "summaries": [{"query", "summary"}]}`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from hydralab.errors import ReadError
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
from hydralab.readers.sources import Source

__all__ = ["QMSum"]

TRANSCRIPT = "meeting_transcripts"


@READERS.register("qmsum")
@dataclass(frozen=True)
class QMSum:
    """QMSum's meetings, one a file or one a line."""

    def sniff(self, look: Look) -> float:
        """Certain by a transcript with queries."""
        return (
            0.95 if look.has(TRANSCRIPT, "specific_query_list") or look.has(TRANSCRIPT, "topic_list") else 0.0
        )

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each meeting; one that fills a file has the file's name."""
        items = list(source.records())
        name = PurePosixPath(source.name).stem if len(items) == 1 else None
        yield from convert_each(items, partial(_meeting, name))


def _meeting(name: str | None, item: Item) -> Iterator[DialogueRecord | Failure]:
    found = item.value
    turns = [_turn(place, said) for place, said in enumerate(found[TRANSCRIPT])]
    topics, failures = convert_members(found.get("topic_list") or (), partial(_topic, len(turns)), "topic")
    yield from failures
    specific = found.get("specific_query_list") or ()
    questions, failures = convert_members(specific, partial(_question, len(turns)), "question")
    yield from failures
    summaries, failures = convert_members(found.get("general_query_list") or (), _summary, "general query")
    yield from failures
    if turns:
        turns[0] = replace(turns[0], meta={"topics": topics, "summaries": summaries})
    starts = {start for topic in topics for start, _ in topic["spans"]}
    yield DialogueRecord(turns, name, name, boundaries=sorted(starts - {0}), questions=questions)


def _turn(place: int, said: Mapping[str, Any]) -> TurnRecord:
    try:
        return TurnRecord("user", text_of(said, "content"), said["speaker"])
    except KeyError as error:
        raise ReadError(f"turn {place}: no field {error.args[0]!r}") from error


def _topic(count: int, found: Mapping[str, Any]) -> dict[str, Any]:
    return {"topic": text_of(found, "topic"), "spans": _spans(found, count)}


def _question(count: int, found: Mapping[str, Any]) -> QuestionRecord:
    evidence = {place for start, end in _spans(found, count) for place in range(start, end + 1)}
    return QuestionRecord(text_of(found, "query"), found.get("answer"), sorted(evidence), category="specific")


def _summary(found: Mapping[str, Any]) -> dict[str, str]:
    return {"query": text_of(found, "query"), "summary": text_of(found, "answer")}


def _spans(found: Mapping[str, Any], count: int) -> list[tuple[int, int]]:
    spans = [(int(start), int(end)) for start, end in found["relevant_text_span"]]
    for start, end in spans:
        if not 0 <= start <= end < count:
            raise ReadError(f"span {start} to {end}, expected turns from 0 to {count - 1}")
    return spans
