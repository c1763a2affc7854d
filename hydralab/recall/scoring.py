"""From a query to score columns: one entry an item, all items of all kinds in one population."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from hydralab.core.blend import min_max
from hydralab.core.cosine import windowed_cosines
from hydralab.index import Lexical
from hydralab.recall.date_matching import Days, time_matches
from hydralab.recall.history import AFTER, BEFORE, History
from hydralab.recall.items import Items
from hydralab.texts import entities

__all__ = ["Columns", "Query", "entities_of", "item_columns", "join_columns", "round_columns", "turn_columns"]

Floats = NDArray[np.float32]
Columns = dict[str, Floats]

WORDS_BEFORE, WORDS_AFTER = 2, 1
"""Turns on either side that "lexical_around" takes as part of a turn."""

REACH = 5
"""How many turns away a neighbour still counts for "neighbour"."""

LEXICAL_SCALE = 3.0
"""How much a lexical share counts beside a scaled cosine."""

CALIBRATED = ("dense", "dense_around", "neighbour")
"""Columns whose scale is that of the query: lowest 0, highest 1 over all items."""

LATER = ("feedback", "checkpoint", "parts", "rerank")
"""Columns that are known once others are."""


@dataclass(frozen=True)
class Query:
    """A query, taken apart once.

    Attributes
    ----------
    vector
        Float32 (dim,), length 1, or zeros for a blank query.
    weights
        Lexical term → rarity among the turns so far.
    entities
        The terms of each named entity → its rarity.
    days
        Stretches of days that it names.
    walks
        Whether the graph of entities is walked for it, which costs reading every turn once.
    """

    text: str
    vector: Floats
    weights: Mapping[str, float] = field(default_factory=dict)
    entities: Mapping[tuple[str, ...], float] = field(default_factory=dict)
    days: tuple[Days, ...] = ()
    walks: bool = False


@lru_cache(maxsize=256)
def entities_of(query: str) -> tuple[str, ...]:
    """Return the entities of a query as it writes them; kept, as scoring and explaining both ask."""
    return tuple(found["text"] for found in entities(query))


def turn_columns(history: History, query: Query, at: int, depth: int) -> Columns:
    """Return the columns of the first `at` turns, cosines as they are.

    Parameters
    ----------
    depth
        How many of the nearest turns an approximate index is asked for.

    Returns
    -------
    dict
        Column → float32 (at,). O(at) beside the search and the postings of the query's terms.
    """
    # Where the query was said before, that says nothing of the turns around it.
    echoes = [row for row in history.equal_rows(query.text) if row < at]
    words = partial(history.lexical.scores, query.text, upto=at, without=echoes, relative=True)
    sittings = history.sittings.rows[:at]
    lexical, lexical_around = words(), words(before=WORDS_BEFORE, after=WORDS_AFTER, groups=sittings)
    cosines = history.cosines(query.vector, at, lexical_around, depth)
    cosines[echoes] = 0
    dense_around = windowed_cosines(cosines, history.lengths_around(at), BEFORE, AFTER, sittings)
    match = _known(min_max(cosines)) + LEXICAL_SCALE * lexical
    age = np.arange(at, 0, -1, dtype=np.float32) - 1
    return {
        "dense": cosines,
        "dense_around": dense_around,
        "lexical": lexical,
        "lexical_around": lexical_around,
        "entity": _held_entities(history.lexical, query, at),
        "neighbour": _around(match, sittings),
        "statement": history.statements.rows[:at],
        "speaker": history.named_speakers(query.text, at),
        "time": time_matches(history.days.rows[:at], list(query.days)),
        "graph": history.walk(query.text, at).turns if query.walks else np.zeros(at, np.float32),
        "recency": 1 / (1 + 2 * age / max(at, 1)),
    }


def round_columns(turns: Columns, starts: NDArray[np.int64]) -> Columns:
    """Return the columns of rounds: of each column the best among the round's turns.

    Parameters
    ----------
    starts
        Rising places of the rounds' first turns.
    """
    return {name: np.fmax.reduceat(column, starts) for name, column in turns.items()}


def item_columns(items: Items, rows: NDArray[np.int64], turns: Columns, query: Query) -> Columns:
    """Return the columns of checkpoints or facts.

    An item is scored by its own text, and "around" by the turns it stands for; one that stands for
    none of the dialogue by its text alone.
    """
    # Mostly all items are known, and are taken as they lie: gathering them would copy every vector.
    chosen = slice(len(rows)) if len(rows) and rows[-1] == len(rows) - 1 else rows
    own = items.vectors[chosen] @ query.vector
    lexical = items.lexical.coverage(query.weights)[rows]
    spans = items.spans[rows]
    placed = spans[:, 0] >= 0
    starts, stops = np.where(placed, spans[:, 0], 0), np.where(placed, spans[:, 1] + 1, 1)
    best = {
        name: _over_spans(np.fmax, turns[name], starts, stops)
        for name in ("lexical_around", "time", "graph", "recency")
    }
    sums = _over_spans(np.add, turns["neighbour"], starts, stops)
    return {
        "dense": own,
        "dense_around": np.where(placed, items.centroids[chosen] @ query.vector, own),
        "lexical": lexical,
        "lexical_around": np.where(placed, best["lexical_around"], lexical),
        "entity": _held_entities(items.lexical, query, len(items))[rows],
        "neighbour": np.where(placed, sums / (stops - starts), 0),
        "statement": np.ones(len(rows), np.float32),
        "speaker": np.zeros(len(rows), np.float32),
        "time": np.where(placed, best["time"], 0),
        "graph": np.where(placed, best["graph"], 0),
        "recency": np.where(placed, best["recency"], 0),
    }


def join_columns(parts: list[Columns]) -> Columns:
    """Put the columns of all kinds of items below each other and bring them to [0, 1]."""
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    for name in CALIBRATED:
        joined[name] = _known(min_max(joined[name]))
    for name in LATER:
        joined[name] = np.zeros_like(joined["dense"])
    return joined


def _known(scores: Floats) -> Floats:
    """Return scores with 0 for the unknown."""
    return np.where(np.isnan(scores), np.float32(0), scores)


def _around(scores: Floats, groups: NDArray[np.int64]) -> Floats:
    """Return the mean of the scores around each in its group, near ones counting more."""
    total = (REACH + 1) * scores
    weight = np.full_like(scores, REACH + 1)
    for step in range(1, min(REACH, len(scores) - 1) + 1):
        share = (REACH + 1 - step) * (groups[step:] == groups[:-step]).astype(np.float32)
        total[step:] += share * scores[:-step]
        total[:-step] += share * scores[step:]
        weight[step:] += share
        weight[:-step] += share
    return total / weight


def _held_entities(lexical: Lexical, query: Query, size: int) -> Floats:
    """Return the share of the query's entities, by weight, that each text holds with all its terms."""
    scores = np.zeros(size, dtype=np.float32)
    total = sum(query.entities.values())
    for terms, weight in query.entities.items():
        scores[lexical.holding(terms, upto=size)] += weight / total
    return scores


def _over_spans(
    operation: np.ufunc, values: Floats, starts: NDArray[np.int64], stops: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Reduce `values` over each stretch start … stop − 1, which may overlap."""
    if not len(starts):
        return np.empty(0, np.float32)
    edges = np.column_stack([starts, stops]).ravel()
    # Two more: an edge past the end, and a stretch to reduce where there are no turns yet.
    padded = np.append(values, np.zeros(2, np.float32))
    return np.asarray(operation.reduceat(padded, edges)[::2])
