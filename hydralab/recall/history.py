"""What is indexed of the turns of one dialogue; everything can be asked as of any number of turns."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.core.lagged import lagged_products
from hydralab.core.ordering import check_rising
from hydralab.core.topk import top_k
from hydralab.errors import HydralabError
from hydralab.frames import empty
from hydralab.graph import DialogueGraph, Walk, walk
from hydralab.index import Index, Lexical, get_index
from hydralab.index.contract import as_unit_rows
from hydralab.index.growing_frame import GrowingArray, GrowingFrame
from hydralab.texts import key_texts, normalise

__all__ = ["AFTER", "BEFORE", "History", "told_texts"]

BEFORE, AFTER = 1, 1
"""Turns on either side that "dense_around" takes as part of a turn."""

EPOCH = date(1970, 1, 1).toordinal()
PAUSE = timedelta(days=1)
"""After a longer pause what is said is no neighbour of what was said before."""

SAMPLED = 256
"""Turns whose cosines are always known, so that an approximate index has a lowest one to scale by."""

_ASKS = r"""(?:[?？][\s"'”’」』)）\]*_]*|[吗呢么][。.!！~…\s]*)$"""

Floats = NDArray[np.float32]


class History:
    """Turns, their vectors and words, growing at the end.

    Vectors enter the index only when they are first in sight, so whatever index it is never holds
    a turn from after the moment that is asked for while a dialogue runs forward. Days are UTC days: turns carry
    the moment, not the clock on the speaker's wall.

    Parameters
    ----------
    dim
        Columns of the vectors.
    index
        As in `Recall`.
    size
        How many turns to expect, for the choice of the index.
    opened
        An index to use in its place, which may hold the dialogue's turns already.
    """

    def __init__(
        self, dim: int, index: str | Callable[[int], Index], size: int, *, opened: Index | None = None
    ) -> None:
        self._turns = GrowingFrame(empty("turns"))
        self.turn_ids: list[str] = []
        self.tokens: list[int] = []
        self._lines: list[str] = []
        self.index = get_index(index, dim, size=size) if opened is None else opened
        self.lexical = Lexical()
        self.vectors = GrowingArray((dim,), np.float32)
        self.statements = GrowingArray((), np.float32)
        self.days = GrowingArray((), np.int64)
        self.rounds = GrowingArray((), np.int64)
        self.sittings = GrowingArray((), np.int64)
        self._lengths = GrowingArray((), np.float32)
        self._lengths_at_end = GrowingArray((), np.float32)
        self._speakers = GrowingArray((), np.int64)
        self._voices: dict[str, int] = {}
        self.row_of: dict[str, int] = {}
        """Id of a turn → its row."""
        self._equal: dict[str, list[int]] = {}
        self._said: dict[str, int] = {}
        self._given = GrowingArray((dim,), np.float32)
        self._graph = DialogueGraph()
        self._walked: tuple[tuple[str, int], Walk] | None = None

    @property
    def dialogue_id(self) -> str:
        """Whose turns these are; none have none."""
        return str(self.turns["dialogue_id"][0]) if len(self) else ""

    @property
    def turns(self) -> pl.DataFrame:
        """The turns table."""
        return self._turns.frame

    def __len__(self) -> int:
        return len(self.turn_ids)

    def extend(self, turns: pl.DataFrame, vectors: Any) -> None:
        """Append turns with their vectors.

        Raises
        ------
        HydralabError
            When there is not one vector a turn, or the turns are of another dialogue or out of order.
        """
        rows = as_unit_rows(vectors, self.index.dim)
        if len(rows) != turns.height:
            raise HydralabError(f"recall: {len(rows)} vectors for {turns.height} turns, expected one each")
        owners = {self.dialogue_id or turns["dialogue_id"][0], *turns["dialogue_id"].to_list()}
        if len(owners) > 1:
            raise HydralabError(f"recall: turns of {len(owners)} dialogues, expected one")
        last = self.turns["position"][-1] if len(self) else -1
        check_rising(turns["position"].to_numpy(), turns["dialogue_id"][0], after=last)
        first = len(self)
        self.sittings.extend(_sittings(turns, self.turns.tail(1), self.sittings.rows[-1:]))
        self._turns.extend(turns)
        self.turn_ids += turns["turn_id"].to_list()
        self.tokens += turns["tokens"].to_list()
        texts = turns["text"].to_list()
        self._given.extend(vectors)
        self.vectors.extend(rows)
        keys = key_texts(turns)
        self._lines += _lines(turns, keys)
        self.lexical.add(keys)
        self.statements.extend(~turns["text"].str.contains(_ASKS).to_numpy())
        self.days.extend([-1 if time is None else time.date().toordinal() - EPOCH for time in turns["time"]])
        self.rounds.extend(turns["round"].to_numpy())
        self.row_of.update(zip(turns["turn_id"], range(first, len(self)), strict=True))
        names = turns["speaker"].to_list()
        for row, name in enumerate(names, start=first):
            if name is not None:
                self._voices.setdefault(name, row)
        codes = {name: code for code, name in enumerate(self._voices)}
        self._speakers.extend([codes.get(name, -1) for name in names])
        for row, (text, key) in enumerate(zip(texts, keys, strict=True), start=first):
            self._equal.setdefault(normalise(text), []).append(row)
            self._said.setdefault(key, row)
        self._measure_lengths(first)

    def reindexed(self, index: str | Callable[[int], Index]) -> History:
        """Return the same turns under another index; the two grow apart from then on."""
        other = History(self.index.dim, index, size=len(self))
        if len(self):
            other.extend(self.turns, self._given.rows)
        return other

    def walk(self, query: str, at: int) -> Walk:
        """Return the walk over the graph of the first `at` turns from the entities that a query names.

        Turns enter the graph when they are first in sight, as vectors do the index.
        """
        if len(self._graph) < at:
            self._graph.extend(self.turns[len(self._graph) : at])
        if self._walked is None or self._walked[0] != (query, at):
            self._walked = (query, at), walk(self._graph, query, at)
        return self._walked[1]

    def rows_of(self, turn_ids: Collection[str]) -> list[int]:
        """Return the rows of the turns among some ids."""
        return [self.row_of[turn_id] for turn_id in turn_ids if turn_id in self.row_of]

    def vector_of(self, text: str) -> Floats | None:
        """Return the vector that was given for a turn whose key text is this, None where there is none.

        A row of zeros is none: the turn is blank, or could not be encoded.
        """
        row = self._said.get(text)
        return None if row is None or not self._given.rows[row].any() else np.asarray(self._given.rows[row])

    def told(self, start: int, end: int) -> str:
        """Return what the turns from start to end, inclusive, say, a line each, with who says it."""
        return "\n".join(self._lines[start : end + 1])

    def told_after_previous(self, row: int) -> str:
        """Return what a turn says after the one before it, where that is of the same sitting."""
        sittings = self.sittings.rows
        alone = row == 0 or sittings[row] != sittings[row - 1]
        return self.told(row if alone else row - 1, row)

    def equal_rows(self, text: str) -> list[int]:
        """Return the turns whose text is `text`, case, width and spacing aside."""
        return self._equal.get(normalise(text), [])

    def named_speakers(self, query: str, at: int) -> Floats:
        """Return 1 for each of the first `at` turns whose speaker the query names, else 0.

        Where all who spoke are named, or none, nobody is.
        """
        codes = self._speakers.rows[:at]
        heard = self.speakers(at)
        wanted = [code for code, name in heard.items() if _names(query, name)]
        if not wanted or len(wanted) == len(heard):
            return np.zeros(at, dtype=np.float32)
        return np.isin(codes, wanted).astype(np.float32)

    def speakers(self, at: int) -> dict[int, str]:
        """Return number and name of all who spoke in the first `at` turns."""
        return {code: name for code, (name, first) in enumerate(self._voices.items()) if first < at}

    def cosines(self, query: Floats, at: int, lexical: Floats, depth: int) -> Floats:
        """Return the cosine of a query with each of the first `at` turns.

        With an index that can't score all, NaN where unknown: known are its `depth` nearest turns, the
        `depth` best by `lexical`, their neighbours, and some turns spread over the dialogue.

        Returns
        -------
        array
            Float32, shape (at,).
        """
        if len(self.index) < at:
            self.index.add(self.vectors.rows[len(self.index) : at])
        if hasattr(self.index, "scores"):
            return np.asarray(self.index.scores(query, upto=at))
        _, near = self.index.search(query, depth, upto=at)
        centre = np.concatenate([near, np.asarray(top_k(lexical, depth)[1])])
        around = (centre[:, None] + np.arange(-BEFORE - 1, AFTER + 2)).ravel()
        spread = np.linspace(0, at - 1, min(at, SAMPLED)).astype(np.int64)
        known = np.unique(np.concatenate([around[(around >= 0) & (around < at)], spread]))
        cosines = np.full(at, np.nan, dtype=np.float32)
        cosines[known] = self.vectors.rows[known] @ query
        return cosines

    def lengths_around(self, at: int) -> Floats:
        """Return the length of the sum of each turn's vector with its neighbours', among the first `at`."""
        lengths = self._lengths.rows[:at].copy()
        lengths[-1:] = self._lengths_at_end.rows[max(at - 1, 0) : at]
        return lengths

    def _measure_lengths(self, first: int) -> None:
        """Note the lengths for new turns, and for the one before them, which now has a next turn."""
        start = max(first - BEFORE - AFTER, 0)
        alone, next_but, skipping = lagged_products(self.vectors.rows[start:], BEFORE + AFTER)
        together = np.diff(self.sittings.rows[start:]) == 0
        # Squared lengths of the turn alone, with the turn before, and with those on both sides.
        with_next = np.append(together, False) * 1.0
        with_previous = np.append(False, together) * 1.0
        earlier = with_previous * (np.roll(alone, 1) + 2 * np.roll(next_but, 1))
        later = with_next * (np.roll(alone, -1) + 2 * next_but)
        across = 2 * with_previous * with_next * np.roll(skipping, 1)
        at_end = np.sqrt(np.maximum(alone + earlier, 0))
        lengths = np.sqrt(np.maximum(alone + earlier + later + across, 0))
        self._lengths_at_end.extend(at_end[first - start :])
        self._lengths.extend(lengths[first - start :])
        changed = max(first - AFTER, 0)
        self._lengths.rows[changed:first] = lengths[changed - start : first - start]


def told_texts(turns: pl.DataFrame) -> set[str]:
    r"""Return all that a second model may read of the turns of one dialogue: each alone, and after the one before it.

    >>> sorted(told_texts(pl.DataFrame({"text": ["Hi", "Yes?"], "parts": [None] * 2, "speaker": ["Ann", None]})))
    ['Ann: Hi', 'Ann: Hi\nYes?', 'Yes?']
    """
    lines = _lines(turns, key_texts(turns))
    return {*lines, *map("\n".join, pairwise(lines))}


def _lines(turns: pl.DataFrame, keys: Sequence[str]) -> list[str]:
    """Return the text by which each turn is found, after who says it where that is known."""
    named = zip(turns["speaker"].to_list(), keys, strict=True)
    return [key if speaker is None else f"{speaker}: {key}" for speaker, key in named]


def _sittings(turns: pl.DataFrame, last: pl.DataFrame, number: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number the stretches of turns without a change of session or a long pause.

    Parameters
    ----------
    turns
        The next turns.
    last, number
        The turn before them and its number; both empty where there is none.
    """
    sessions = [*last["session"].to_list(), *turns["session"].to_list()]
    times = [*last["time"].to_list(), *turns["time"].to_list()]
    begins = [
        (None not in before and before[0] != before[1]) or (None not in pause and pause[1] - pause[0] > PAUSE)
        for before, pause in zip(pairwise(sessions), pairwise(times), strict=True)
    ]
    if not last.height:
        begins = [False, *begins]
    return np.cumsum(begins, dtype=np.int64) + number.sum()


def _names(query: str, speaker: str) -> bool:
    """Say whether a query names a speaker, in full or by one part of the name."""
    text = normalise(query)
    for name in {normalise(speaker), *normalise(speaker).split()}:
        if len(name) < 2:
            continue
        edge = r"\b" if name.isascii() else ""
        if re.search(f"{edge}{re.escape(name)}{edge}", text):
            return True
    return False
