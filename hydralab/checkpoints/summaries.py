"""The sentences of a span that say the most of it in the fewest tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hydralab.checkpoints.word_rarity import information

__all__ = ["choose_sentences"]

PAIR_WEIGHT = 0.5


def choose_sentences(
    words: Sequence[Sequence[str]],
    tokens: Sequence[int],
    limit: int,
    *,
    salience: Sequence[float] | None = None,
    repeat: float = 0.25,
    brevity: float = 0.75,
) -> list[int]:
    r"""Return which sentences summarise a span, best first.

    A sentence is worth the words in it that are central to the span and not said yet. The concepts of
    a sentence are its words and its pairs of adjoining words; the weight of a concept c is

    .. math:: w_c = n_c \cdot I_c

    with n the number of sentences of the span that hold it and I its information (of a pair: half the
    mean of its words). Sentences are taken greedily by

    .. math:: g_s = a_s \sum_{c \in s} w_c \rho^{k_c} / t_s^\beta

    while they fit, where a is the salience, k how often c was said by the sentences taken, ρ `repeat`,
    t the tokens and β `brevity`. With ρ = 0 this is budgeted maximum coverage (Gillick and Favre
    2009), with ρ = 1 and β = 0 plain centrality. The costs are linear in the words.

    Parameters
    ----------
    words
        Content words of each sentence, in order, with repeats.
    tokens
        What each sentence costs.
    limit
        The most tokens all of them may cost. The best sentence of all is returned even when it alone
        is over the limit.
    salience
        A factor for each sentence; 1 when not given.
    repeat
        What is left of a concept's weight each time it has been said, 0 to 1.
    brevity
        How much the length of a sentence counts against it, 0 to 1.

    Returns
    -------
    list of int
        Indices of the sentences; empty when no sentence has a word.

    >>> choose_sentences([["rain"], ["budget", "launch"], ["budget", "launch", "june"]], [4, 4, 5], limit=9, repeat=0)
    [2, 0]
    """
    concepts, starts, weights = _concepts(words)
    cost = np.maximum(np.asarray(tokens, dtype=np.float64), 1.0)
    worth = 1.0 if salience is None else np.asarray(salience, dtype=np.float64)
    factor = worth / cost**brevity
    free = np.diff(starts) > 0
    left = float(limit)
    chosen: list[int] = []
    while free.any():
        sums = np.concatenate(([0.0], np.cumsum(weights[concepts])))
        gains = (sums[starts[1:]] - sums[starts[:-1]]) * factor
        allowed = free & (cost <= left) if chosen else free
        best = int(np.where(allowed, gains, 0.0).argmax())
        if not allowed[best] or gains[best] <= 0.0:
            break
        chosen.append(best)
        free[best] = False
        left -= cost[best]
        weights[concepts[starts[best] : starts[best + 1]]] *= repeat
    return chosen


def _concepts(
    words: Sequence[Sequence[str]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return the concepts of all sentences end to end, where each sentence starts, and their weights."""
    numbers: dict[str | tuple[str, str], int] = {}
    flat: list[int] = []
    starts = [0]
    for sentence in words:
        held: Iterable[str | tuple[str, str]] = dict.fromkeys((*sentence, *pairwise(sentence)))
        flat += [numbers.setdefault(concept, len(numbers)) for concept in held]
        starts.append(len(flat))
    concepts = np.array(flat, dtype=np.int64)
    told = np.fromiter(map(_information, numbers), dtype=np.float64, count=len(numbers))
    return concepts, np.array(starts, dtype=np.int64), told * np.bincount(concepts, minlength=len(numbers))


def _information(concept: str | tuple[str, str]) -> float:
    if isinstance(concept, str):
        return information(concept)
    first, second = concept
    return 0.0 if first == second else PAIR_WEIGHT * (information(first) + information(second)) / 2
