"""BM25 over texts that keep coming, with the statistics of any moment."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from math import log1p

import numpy as np
from numpy.typing import NDArray

from hydralab.errors import HydralabError
from hydralab.index.growing_frame import GrowingArray
from hydralab.texts import lexical_terms

__all__ = ["Lexical"]

MOST_HELD = 10
"""Different terms of a query that a text may be expected to hold; of a whole message no text holds all."""


class Lexical:
    """BM25 over texts in the order they came, exact as of any number of them.

    A term's postings (rows and counts) grow at the end; as rows rise, the texts before `upto` are a
    prefix of every posting, so document frequencies, lengths and scores are those of an index that
    holds the first `upto` texts alone. Nothing is rebuilt when texts are added.

    Parameters
    ----------
    terms
        Text → terms, repeats included. The default is right for Chinese and English: character pairs,
        stems, identifiers whole and in parts.
    saturation
        k₁: how much repeats of a term count; 0 for not at all.
    length_share
        b in [0, 1]: how much long texts are held back.

    Notes
    -----
    score = Σ over the query's different terms of idf · f·(k₁ + 1) / (f + k₁·(1 − b + b·length/mean)),
    idf = ln(1 + (n − df + ½)/(df + ½)) (Robertson and Zaragoza 2009, idf as in Lucene). The defaults
    are those found best on average by Trotman et al. 2014.

    >>> index = Lexical()
    >>> index.add(["我喜欢北京烤鸭", "The budget is 84,500 euros", "好的"])
    >>> (index.scores("北京") > 0).tolist(), (index.scores("budgets", upto=2) > 0).tolist()
    ([True, False, False], [False, True])
    """

    def __init__(
        self,
        terms: Callable[[str], Sequence[str]] = lexical_terms,
        *,
        saturation: float = 0.9,
        length_share: float = 0.4,
    ) -> None:
        if saturation < 0 or not 0 <= length_share <= 1:
            raise HydralabError(
                f"Lexical: saturation is {saturation}, length_share {length_share}; "
                "expected at least 0, and 0 to 1"
            )
        self.terms = terms
        self.saturation = saturation
        self.length_share = length_share
        self._postings: dict[str, tuple[array[int], array[float]]] = {}
        self._ends = GrowingArray((), np.int64)

    def __len__(self) -> int:
        return len(self._ends)

    def __repr__(self) -> str:
        return f"Lexical(texts={len(self)}, terms={len(self._postings)})"

    def add(self, texts: Sequence[str]) -> None:
        """Append texts; each is the next row."""
        end = int(self._ends.rows[-1]) if len(self) else 0
        ends = []
        for row, text in enumerate(texts, start=len(self)):
            counts = Counter(self.terms(text))
            for term, count in counts.items():
                rows, numbers = self._postings.setdefault(term, (array("q"), array("f")))
                rows.append(row)
                numbers.append(count)
            end += counts.total()
            ends.append(end)
        self._ends.extend(ends)

    def scores(
        self,
        query: str,
        *,
        upto: int | None = None,
        before: int = 0,
        after: int = 0,
        groups: NDArray[np.int64] | None = None,
        without: Sequence[int] = (),
        relative: bool = False,
    ) -> NDArray[np.float32]:
        """Return the BM25 score of each of the first `upto` texts.

        Parameters
        ----------
        query
            What is asked; a repeated term counts once.
        upto
            How many texts there are at that moment; all when None.
        before, after
            Score each text together with so many neighbours on either side, as one text.
        groups
            Int64, at least (upto,), rising: only neighbours of a text's own group count for it.
        without
            Rows whose words are taken for unsaid.
        relative
            Divide by what a text would score that repeats the `MOST_HELD` rarest terms of the query without end,
            terms that no text holds included, and no more than 1: values in [0, 1] that mean the same at any size, and
            for a long query too, of which no text holds all.

        Returns
        -------
        array
            Float32, shape (upto,). Takes time by the postings of the query's terms.
        """
        n = len(self) if upto is None else min(upto, len(self))
        if n <= 0:
            return np.zeros(0, dtype=np.float32)
        terms = list(dict.fromkeys(self.terms(query)))
        rows, owners, counts = self._matches(terms, n, without)
        ends = np.concatenate(([0], self._ends.rows[:n]))
        if before or after:
            windows = _windows(n, before, after, None if groups is None else groups[:n])
            rows, owners, counts = _in_windows(rows, owners, counts, windows, before, after)
            lengths = ends[windows.stop] - ends[windows.first]
        else:
            lengths = np.diff(ends)
        held = np.bincount(owners, minlength=len(terms))
        rarity = np.log1p((n - held + 0.5) / (held + 0.5))
        relative_length = lengths[rows] / max(float(lengths.mean()), 1e-9)
        held_back = self.saturation * (1 - self.length_share + self.length_share * relative_length)
        parts = rarity[owners] * counts * (self.saturation + 1) / (counts + held_back)
        highest = np.sort(rarity)[-MOST_HELD:].sum() * (self.saturation + 1) if relative and terms else 1.0
        scores = (np.bincount(rows, weights=parts, minlength=n) / highest).astype(np.float32)
        return np.minimum(scores, 1) if relative else scores

    def rarity(self, terms: Iterable[str], *, upto: int | None = None) -> float:
        """Return the inverse document frequency of some terms together among the first `upto` texts.

        >>> index = Lexical()
        >>> index.add(["red apple", "red brick"])
        >>> index.rarity(["red"]) < index.rarity(["red", "brick"]) < index.rarity(["blue"])
        True
        """
        n = len(self) if upto is None else min(upto, len(self))
        names = list(terms)
        holding = self._spread(names[0], n) if len(names) == 1 else self.holding(names, upto=n).size
        return _inverse_frequency(n, holding)

    def coverage(self, weights: Mapping[str, float]) -> NDArray[np.float32]:
        """Return how much of some weighted terms each text holds, whatever its length.

        Parameters
        ----------
        weights
            Term → weight, such as its rarity in another collection.

        Returns
        -------
        array
            Float32, shape (n,), values in [0, 1]: Σ weight · f/(f + k₁) / Σ of the `MOST_HELD` largest weights, and no
            more than 1.

        >>> index = Lexical()
        >>> index.add(["red apple", "brick"])
        >>> index.coverage({"red": 3.0, "brick": 1.0}).argmax()
        np.int64(0)
        """
        scores = np.zeros(len(self), dtype=np.float32)
        total = sum(sorted(weights.values())[-MOST_HELD:])
        for term, weight in weights.items() if total > 0 else ():
            rows, counts = self._posting(term, len(self))
            scores[rows] += weight / total * counts / (counts + self.saturation)
        return np.minimum(scores, 1)

    def holding(self, terms: Iterable[str], *, upto: int | None = None) -> NDArray[np.int64]:
        """Return the rows, rising, of the texts among the first `upto` that hold all of some terms.

        >>> index = Lexical()
        >>> index.add(["red apple", "red brick"])
        >>> index.holding(["red", "brick"]).tolist()
        [1]
        """
        n = len(self) if upto is None else min(upto, len(self))
        held = sorted((self._posting(term, n)[0] for term in terms), key=len)
        return reduce(partial(np.intersect1d, assume_unique=True), held) if held else np.empty(0, np.int64)

    def _matches(
        self, terms: Sequence[str], n: int, without: Sequence[int]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
        """Return row, place of the term and count, an entry a term and text that holds it."""
        postings = [self._posting(term, n) for term in terms]
        rows = np.concatenate([np.empty(0, np.int64), *(held for held, _ in postings)])
        counts = np.concatenate([np.empty(0, np.float32), *(count for _, count in postings)])
        owners = np.repeat(np.arange(len(terms)), [held.size for held, _ in postings])
        if len(without):
            counted = ~np.isin(rows, without)
            rows, owners, counts = rows[counted], owners[counted], counts[counted]
        return rows, owners, counts

    def _spread(self, term: str, n: int) -> int:
        """Return how many texts before `n` hold a term."""
        return bisect_left(self._postings[term][0], n) if term in self._postings else 0

    def _posting(self, term: str, n: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the rows below `n` that hold a term, and how often."""
        if term not in self._postings:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        rows, counts = self._postings[term]
        held = self._spread(term, n)
        # Copies: a view would forbid the array to grow while it is alive.
        return np.array(rows, dtype=np.int64)[:held], np.array(counts, dtype=np.float32)[:held]


def _inverse_frequency(n: int, held: int) -> float:
    return log1p((n - held + 0.5) / (held + 0.5))


@dataclass(frozen=True)
class _Windows:
    """Each text with its neighbours as one text.

    Attributes
    ----------
    first, stop
        The texts of each window.
    back, forth
        Each text is in the windows of so many texts before it and so many after it.
    """

    first: NDArray[np.int64]
    stop: NDArray[np.int64]
    back: NDArray[np.int64]
    forth: NDArray[np.int64]


def _windows(n: int, before: int, after: int, groups: NDArray[np.int64] | None) -> _Windows:
    first, stop = np.arange(n), np.arange(1, n + 1)
    back, forth = np.zeros((2, n), dtype=np.int64)
    for step in range(1, min(max(before, after), n - 1) + 1):
        together = np.True_ if groups is None else groups[step:] == groups[:-step]
        if step <= before:
            first[step:] -= together
            forth[:-step] += together
        if step <= after:
            stop[:-step] += together
            back[step:] += together
    return _Windows(first, stop, back, forth)


def _in_windows(
    rows: NDArray[np.int64],
    owners: NDArray[np.int64],
    counts: NDArray[np.float32],
    windows: _Windows,
    before: int,
    after: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Turn entries a term and text into entries a term and window."""
    n, steps = len(windows.first), np.arange(-after, before + 1)
    within = (steps >= -windows.back[rows, None]) & (steps <= windows.forth[rows, None])
    cells = ((owners * n + rows)[:, None] + steps)[within]
    total = np.bincount(cells, weights=np.repeat(counts, within.sum(axis=1)))
    held = np.flatnonzero(total)
    return held % n, held // n, total[held].astype(np.float32)
