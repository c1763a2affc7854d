"""A bounded walk over the graph from the entities of a query to the turns that name what is reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hydralab.graph.growing_graph import RELATION_TYPES, DialogueGraph, Ids
from hydralab.graph.rules import CO_MENTION

__all__ = ["Hop", "Path", "Walk", "walk"]

STEPS = 3
"""Relations that a walk follows at most."""

DAMPING = 0.5
"""Share of the weight that goes on at each step."""

STATED = 4.0
"""How much more a stated relation carries than a common mention in a sentence."""

Floats = NDArray[np.float64]


class Hop(NamedTuple):
    """A relation walked along: its type, and whether from source to target."""

    type: str
    forward: bool


class Path(NamedTuple):
    """How a walk came to a turn: names of entities, the relations between them, the turn's position."""

    names: tuple[str, ...]
    hops: tuple[Hop, ...]
    turn: int


@dataclass(frozen=True)
class Walk:
    """What a walk reached.

    Attributes
    ----------
    turns
        Float32 (at,): how well each turn is reached, the best 1; zeros where the query names no entity.
    weights
        Float64 (entities,): the weight that each entity got.
    """

    graph: DialogueGraph
    seeds: tuple[int, ...]
    at: int
    turns: NDArray[np.float32]
    weights: Floats

    def path(self, turn: int) -> Path | None:
        """Return the strongest way to a turn, None where none leads there.

        >>> from hydralab.frames import build
        >>> about = {"dialogue_id": "a", "role": "user", "tokens": 9}
        >>> texts = ["Lena works at Brava.", "Brava moved to Leeds."]
        >>> graph = DialogueGraph(build("turns", [
        ...     {**about, "turn_id": f"a:{n}", "position": n, "round": n, "text": text} for n, text in enumerate(texts)
        ... ]))
        >>> walk(graph, "Where is Lena?").path(1)
        Path(names=('Lena', 'Brava'), hops=(Hop(type='works_at', forward=True),), turn=1)
        """
        named, turns = self.graph.mentions(self.at)
        reached, arrivals = self._strongest
        there = named[turns == turn]
        there = there[reached[there] > 0]
        if not len(there):
            return None
        number = int(there[np.argmax(reached[there])])
        names, hops = [number], []
        while number not in self.seeds:
            number, kind, forward = arrivals[number]
            names.append(number)
            hops.append(Hop(RELATION_TYPES[kind], forward))
        known = self.graph.entities_seen
        return Path(tuple(known[each].name for each in reversed(names)), tuple(reversed(hops)), turn)

    @cached_property
    def _strongest(self) -> tuple[Floats, dict[int, tuple[int, int, bool]]]:
        """Return the product of shares on the strongest way to each entity, and by what it is reached."""
        start, stop, kind, forward, share = _arcs(self.graph, self.at)
        reached = np.zeros(self.graph.size(self.at))
        reached[list(self.seeds)] = 1.0
        arrivals: dict[int, tuple[int, int, bool]] = {}
        for _ in range(STEPS):
            carried = DAMPING * reached[start] * share
            for arc in np.flatnonzero(carried > reached[stop])[::-1].tolist():
                if carried[arc] > reached[stop[arc]]:
                    reached[stop[arc]] = carried[arc]
                    arrivals[int(stop[arc])] = (int(start[arc]), int(kind[arc]), bool(forward[arc]))
        return reached, arrivals


def walk(graph: DialogueGraph, query: str, at: int | None = None) -> Walk:
    """Walk from the entities that a query names.

    Personalised PageRank cut after three steps: each step half of an entity's weight goes on along its
    relations, in both directions, by their shares; a stated relation counts four times a common mention, and being
    mentioned with somebody who speaks in the dialogue counts nothing. A turn gets the weight of what it names
    beyond the query's own entities, which other scores look for; one that few turns name counts more.

    Parameters
    ----------
    graph
        The graph of the dialogue.
    query
        What is asked.
    at
        Only what turns before this position say; all when None.

    Notes
    -----
    O(relations) and O(mentions) a query, in arrays. The walk over a graph of entities and passages is that of
    HippoRAG (Gutiérrez et al., NeurIPS 2024).
    """
    stop = len(graph) if at is None else at
    seeds = graph.named_in(query, stop)
    weights = _spread(graph, seeds, stop)
    named, turns = graph.mentions(stop)
    heard = np.bincount(named, minlength=len(weights))
    rarity = np.log1p(stop / np.maximum(heard, 1))
    beyond = np.where(np.isin(np.arange(len(weights)), seeds), 0.0, weights * rarity)
    scores = np.bincount(turns, weights=beyond[named], minlength=stop)[:stop]
    best = scores.max(initial=0.0)
    return Walk(graph, seeds, stop, (scores / best if best else scores).astype(np.float32), weights)


def _spread(graph: DialogueGraph, seeds: Sequence[int], at: int) -> Floats:
    """Return the weight of each entity after the steps; all together 1 at most."""
    size = graph.size(at)
    start = np.zeros(size)
    if seeds:
        start[list(seeds)] = 1 / len(seeds)
    if not seeds or not len(graph.edges(at).turn):
        return start
    left, right, _, _, share = _arcs(graph, at)
    weights = start
    for _ in range(STEPS):
        carried = np.bincount(right, weights=weights[left] * share, minlength=size)
        weights = (1 - DAMPING) * start + DAMPING * carried
    return weights


def _arcs(graph: DialogueGraph, at: int) -> tuple[Ids, Ids, Ids, NDArray[np.bool_], Floats]:
    """Return each edge in both directions: start, stop, type, whether forward, its share of what leaves the start."""
    edges = graph.edges(at)
    start = np.concatenate([edges.source, edges.target])
    stop = np.concatenate([edges.target, edges.source])
    kind = np.tile(edges.type, 2)
    forward = np.arange(len(start)) < len(edges.source)
    carries = np.where(kind == RELATION_TYPES.index(CO_MENTION), 1.0, STATED)
    speaks = np.zeros(graph.size(at), dtype=bool)
    speaks[graph.speakers(at)] = True
    carries[(carries == 1.0) & (speaks[start] | speaks[stop])] = 0.0
    leaving = np.bincount(start, weights=carries, minlength=graph.size(at))
    return start, stop, kind, forward, carries / np.maximum(leaving[start], 1.0)
