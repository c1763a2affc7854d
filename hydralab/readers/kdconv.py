"""KdConv: Chinese chats about films, music and travel, led by a knowledge graph (Zhou et al., ACL 2020).

A record has `messages` of two people who take turns, A and B; both are users. The set marks no
topics. As a doubtful stand-in for a boundary serves the first message whose knowledge (`attrs`) is
about other entities than the one talked of so far; the talk often turns a message earlier, when the
next entity is still a value of the last one. The annotator of these boundaries says so:
"entity-change proxy". They are fit for a measure with tolerance alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hydralab.errors import ReadError
from hydralab.readers.looks import Look
from hydralab.readers.members import text_of
from hydralab.readers.records import READERS, DialogueRecord, Failure, Item, TurnRecord, convert_each
from hydralab.readers.sources import Source

__all__ = ["KdConv"]

ANNOTATOR = "entity-change proxy"


@READERS.register("kdconv")
@dataclass(frozen=True)
class KdConv:
    """KdConv's dialogues of one domain."""

    def sniff(self, look: Look) -> float:
        """Certain by messages without role that carry knowledge; likely by messages alone."""
        return max((_likeness(record) for record in look.objects), default=0.0)

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each dialogue."""
        yield from convert_each(source.records(), _dialogue)


def _likeness(record: Mapping[str, Any]) -> float:
    messages = record.get("messages")
    if not isinstance(messages, list) or not messages:
        return 0.0
    ours = [one for one in messages if isinstance(one, Mapping) and set(one) <= {"message", "attrs"}]
    if len(ours) < len(messages) or not all(isinstance(one.get("message"), str) for one in ours):
        return 0.0
    return 0.95 if any("attrs" in one for one in ours) else 0.5


def _dialogue(item: Item) -> DialogueRecord:
    messages = item.value["messages"]
    turns = [_turn(place, said) for place, said in enumerate(messages)]
    boundaries = _entity_changes([_entities(said) for said in messages])
    return DialogueRecord(turns, title=item.value.get("name"), boundaries=boundaries, annotator=ANNOTATOR)


def _turn(place: int, said: Mapping[str, Any]) -> TurnRecord:
    if not isinstance(said, Mapping) or "message" not in said:
        raise ReadError(f"turn {place}: no field 'message'")
    return TurnRecord("user", text_of(said, "message"), "AB"[place % 2])


def _entities(said: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(attribute["name"] for attribute in said.get("attrs") or ())


def _entity_changes(entities: Sequence[frozenset[str]]) -> list[int]:
    """Return the positions at which none of the entities talked of is left.

    >>> _entity_changes([frozenset(), frozenset("a"), frozenset("ab"), frozenset("b"), frozenset()])
    [3]
    """
    changes: list[int] = []
    current: frozenset[str] = frozenset()
    for place, named in enumerate(entities):
        if not named:
            continue
        if current and not current & named:
            changes.append(place)
            current = named
        else:
            current = current & named or named
    return changes
