"""The entities of one dialogue and what relates them, growing turn by turn, seen as of any of them."""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError, check_kind, check_value
from hydralab.frames import build, empty
from hydralab.graph.extracting import SPEAKER, SPOKEN_TO, Named, Stated, read_facts
from hydralab.graph.names import entity_key, full_name, known_names
from hydralab.graph.rules import ALIAS, CO_MENTION, RELATION_LABELS
from hydralab.texts import entities

if TYPE_CHECKING:
    from networkx import MultiDiGraph

__all__ = ["RELATION_TYPES", "DialogueGraph", "Edges", "Entity", "Ids"]

MOST_TOGETHER = 8
"""Of a sentence that names more entities, a list mostly, the first ones are related with each other."""

RELATION_TYPES = tuple(RELATION_LABELS)
"""Types of relations; an edge holds the place of its own."""

Ids = NDArray[np.int64]


class Entity(NamedTuple):
    """An entity as it was first named."""

    key: str
    type: str
    name: str
    first: int


class Edges(NamedTuple):
    """The edges known before a position, an entry an edge: numbers of entities, of types, positions of turns."""

    source: Ids
    target: Ids
    type: Ids
    turn: Ids


class DialogueGraph:
    """Entities, where they are named, and typed relations between them.

    Turns are added in order, and everything can be asked as of any position: what is seen then is what the
    turns before it say. Entities of one name are one, and a short name of a person that stands for one long
    name so far is related to it as an alias. Whoever speaks is an entity too: by name, or else by role.

    Parameters
    ----------
    turns
        A turns table of one dialogue; more can be added by `extend`.

    >>> from hydralab.frames import build
    >>> row = {"dialogue_id": "a", "turn_id": "a:0", "position": 0, "round": 0, "role": "user", "tokens": 9}
    >>> graph = DialogueGraph(build("turns", [{**row, "text": "Lena works at Brava."}]))
    >>> graph.relations()["type"].to_list(), graph.relations(at=0).height
    (['works_at', 'mentioned_with'], 0)
    """

    def __init__(self, turns: pl.DataFrame | None = None) -> None:
        self.entities_seen: list[Entity] = []
        self.turn_ids: list[str] = []
        self._times: list[Any] = []
        self._dialogue_id = ""
        self._numbers: dict[str, int] = {}
        self._persons: dict[str, None] = {}
        self._spoke_first: dict[str, int] = {}
        self._firsts: list[int] = []
        self._mentioned, self._mentioned_at = array("q"), array("q")
        self._sources, self._targets, self._types, self._turns = (array("q") for _ in range(4))
        self._said: list[tuple[str, str]] = []
        if turns is not None:
            self.extend(turns)

    def __len__(self) -> int:
        return len(self.turn_ids)

    def extend(self, turns: pl.DataFrame) -> None:
        """Append turns of the same dialogue.

        Raises
        ------
        HydralabError
            When they are of another dialogue.
        """
        check_kind("DialogueGraph: turns", turns, pl.DataFrame, "a turns table")
        for dialogue_id in turns["dialogue_id"].unique():
            if self._dialogue_id not in ("", dialogue_id):
                raise HydralabError(
                    f"graph: turns of dialogue {dialogue_id!r}, expected {self._dialogue_id!r}"
                )
            self._dialogue_id = dialogue_id
        for row in turns.select("turn_id", "role", "speaker", "text", "time").iter_rows(named=True):
            position = len(self.turn_ids)
            self.turn_ids.append(row["turn_id"])
            self._times.append(row["time"])
            if row["speaker"] is not None:
                self._spoke_first.setdefault(entity_key(row["speaker"]), position)
            self._read(row["text"], row["role"], row["speaker"], position)

    def mentions(self, at: int | None = None) -> tuple[Ids, Ids]:
        """Return which entities the turns before a position name, and in which turns: int64 (m,) each."""
        turns = _copied(self._mentioned_at)
        stop = _rows_before(turns, at)
        return _copied(self._mentioned)[:stop], turns[:stop]

    def edges(self, at: int | None = None) -> Edges:
        """Return the edges that the turns before a position make."""
        turns = _copied(self._turns)
        stop = _rows_before(turns, at)
        return Edges(
            *(_copied(each)[:stop] for each in (self._sources, self._targets, self._types, self._turns))
        )

    def size(self, at: int | None = None) -> int:
        """Return the number of entities known before a position."""
        if at is None:
            return len(self.entities_seen)
        return bisect_left(self._firsts, at)

    def speakers(self, at: int) -> list[int]:
        """Return the entities known before a position that have spoken by name before it, by number."""
        spoke = (self._numbers.get(key) for key, first in self._spoke_first.items() if first < at)
        return [number for number in spoke if number is not None and self._firsts[number] < at]

    def named_in(self, text: str, at: int) -> tuple[int, ...]:
        """Return the entities known before a position that a text names, by number, in the order named."""

        def known(key: str) -> bool:
            return key in self._numbers and self._firsts[self._numbers[key]] < at

        told = [key for key in _entity_keys(text) if known(key)]
        found = dict.fromkeys([*told, *known_names(text, known, capitals=False)])
        return tuple(self._numbers[key] for key in found)

    def entities(self, at: int | None = None) -> pl.DataFrame:
        """Return the entities table: a row an entity that the turns before a position name."""
        where: dict[int, list[int]] = {}
        for number, turn in zip(*(each.tolist() for each in self.mentions(at)), strict=True):
            where.setdefault(number, []).append(turn)
        rows = [
            {
                "entity_id": self._entity_id(entity.key),
                "dialogue_id": self._dialogue_id,
                "type": entity.type,
                "name": entity.name,
                "mentions": len(where.get(number, ())),
                "first_position": entity.first,
                "time": self._times[entity.first],
                "source_turn_ids": [self.turn_ids[turn] for turn in where.get(number, ())],
            }
            for number, entity in enumerate(self.entities_seen[: self.size(at)])
        ]
        return build("entities", rows) if rows else empty("entities")

    def relations(self, at: int | None = None) -> pl.DataFrame:
        """Return the relations table: a row a relation and turn that states it, in the order stated."""
        rows = [
            {
                "dialogue_id": self._dialogue_id,
                "source": self.entities_seen[source].name,
                "type": RELATION_TYPES[kind],
                "target": self.entities_seen[target].name,
                "manner": self._said[number][0] or None,
                "source_id": self._entity_id(self.entities_seen[source].key),
                "target_id": self._entity_id(self.entities_seen[target].key),
                "position": turn,
                "turn_id": self.turn_ids[turn],
                "time": self._times[turn],
                "sentence": self._said[number][1] or None,
            }
            for number, (source, target, kind, turn) in enumerate(
                zip(*(each.tolist() for each in self.edges(at)), strict=True)
            )
        ]
        return build("relations", rows) if rows else empty("relations")

    def _entity_id(self, key: str) -> str:
        """Return an id without the name in it, since ids stand in clear where names are encrypted."""
        digest = hashlib.blake2b(f"{self._dialogue_id}~{key}".encode(), digest_size=8)
        return f"{self._dialogue_id}~{digest.hexdigest()}"

    def networkx(self, at: int | None = None) -> MultiDiGraph:
        """Return both tables as a networkx graph: nodes by name, edges by type with time and source turn."""
        import networkx as nx

        graph = nx.MultiDiGraph(dialogue_id=self._dialogue_id)
        for row in self.entities(at).iter_rows(named=True):
            graph.add_node(
                row["name"], **{name: row[name] for name in ("type", "mentions", "first_position")}
            )
        for row in self.relations(at).iter_rows(named=True):
            about = {
                name: row[name] for name in ("type", "manner", "position", "turn_id", "time", "sentence")
            }
            graph.add_edge(row["source"], row["target"], key=(row["type"], row["turn_id"]), **about)
        return graph

    def _read(self, text: str, role: str, speaker: str | None, position: int) -> None:
        facts = read_facts(text)
        seen: set[int] = set()
        together: set[tuple[int, int]] = set()
        stated = [
            (*ends, each) for each in facts.stated if (ends := self._ends(each, role, speaker, position))
        ]
        for sentence in facts.named:
            numbers = list(dict.fromkeys(self._number(each, position) for each in sentence))
            seen.update(numbers)
            together.update((min(pair), max(pair)) for pair in combinations(numbers[:MOST_TOGETHER], 2))
        for source, target, each in stated:
            if source != target:
                seen.update((source, target))
                self._relate(source, target, each.type, position, each.manner, each.sentence)
        seen.update(
            self._numbers[key] for key in known_names(text, self._numbers.__contains__, capitals=True)
        )
        for one, other in sorted(together):
            self._relate(one, other, CO_MENTION, position)
        self._mentioned.extend(sorted(seen))
        self._mentioned_at.extend([position] * len(seen))

    def _ends(self, stated: Stated, role: str, speaker: str | None, position: int) -> tuple[int, int] | None:
        """Return the entities that a relation relates; None where a pronoun means nobody known."""
        source, target = (_who(each, role, speaker) for each in (stated.source, stated.target))
        if source is None or target is None:
            return None
        return self._number(source, position), self._number(target, position)

    def _number(self, named: Named, position: int) -> int:
        key = entity_key(named.text)
        number = self._numbers.setdefault(key, len(self.entities_seen))
        if number == len(self.entities_seen):
            self.entities_seen.append(Entity(key, named.type, named.text, position))
            self._firsts.append(position)
            if named.type == "person":
                self._note_alias(key, number, position)
        return number

    def _note_alias(self, key: str, number: int, position: int) -> None:
        """Relate a new name to the long name that it stands for, or a new long name to the short one known."""
        long = full_name(key, self._persons)
        if long is not None:
            self._relate(number, self._numbers[long], ALIAS, position)
        for short in self._persons:
            if full_name(short, [key]) and full_name(short, self._persons) is None:
                self._relate(self._numbers[short], number, ALIAS, position)
        self._persons[key] = None

    def _relate(
        self, source: int, target: int, kind: str, position: int, manner: str = "", sentence: str = ""
    ) -> None:
        for column, value in (
            (self._sources, source),
            (self._targets, target),
            (self._types, RELATION_TYPES.index(kind)),
            (self._turns, position),
        ):
            column.append(value)
        self._said.append((manner, sentence))


@lru_cache(maxsize=256)
def _entity_keys(text: str) -> tuple[str, ...]:
    return tuple(entity_key(each["text"]) for each in entities(text))


def _who(named: Named, role: str, speaker: str | None) -> Named | None:
    """Return whom a pronoun means in a turn: who speaks, or the user to whom an assistant speaks."""
    if named.type == SPEAKER:
        return Named("person", speaker or role)
    if named.type == SPOKEN_TO:
        return Named("person", "user") if role == "assistant" and speaker is None else None
    return named


def _rows_before(turns: Ids, at: int | None) -> int:
    check_value("graph: at", at, "int | None", least=0)
    return len(turns) if at is None else int(np.searchsorted(turns, at))


def _copied(numbers: array[int]) -> Ids:
    # A view would forbid the array to grow.
    return np.array(numbers, dtype=np.int64)
