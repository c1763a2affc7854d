"""A query taken apart, as of a moment: its words and their rarity, names, days, and what it asks one by one."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from hydralab.recall.date_matching import Days, named_days
from hydralab.recall.history import History
from hydralab.recall.scoring import Query, entities_of
from hydralab.texts import lexical_terms

__all__ = ["read_query"]


def read_query(
    history: History, text: str, vector: NDArray[np.float32], at: int, *, walks: bool = False
) -> Query:
    """Return a query as the first `at` turns let it be understood.

    Parameters
    ----------
    vector
        Float32 (dim,), length 1.
    walks
        Whether the graph of entities is walked for it.
    """
    rarity = history.lexical.rarity
    # Whoever speaks is seldom named in what they say; "speaker" is for them.
    speakers = " ".join(history.speakers(at).values())
    named = {_terms(each) for each in entities_of(text)} - {_terms(each) for each in speakers.split()}
    return Query(
        text=text,
        vector=vector,
        weights={term: rarity([term], upto=at) for term in dict.fromkeys(lexical_terms(text))},
        entities={terms: rarity(terms, upto=at) for terms in sorted(named)},
        days=_days(history, text, at),
        walks=walks,
    )


def _days(history: History, text: str, at: int) -> tuple[Days, ...]:
    known = history.days.rows[:at]
    known = known[known >= 0]
    if not known.size:
        return ()
    first, last = (date(1970, 1, 1) + timedelta(days=int(day)) for day in (known.min(), known[-1]))
    return tuple(
        named_days(text, datetime(last.year, last.month, last.day, tzinfo=UTC), (first.year, last.year))
    )


def _terms(text: str) -> tuple[str, ...]:
    return tuple(sorted(set(lexical_terms(text))))
