"""Which turns fall on the dates that a query names."""

from __future__ import annotations

from datetime import date, datetime

import numpy as np
from numpy.typing import NDArray

from hydralab.recall.date_rules import RULES, Days, in_digits
from hydralab.texts import normalise

__all__ = ["Days", "named_days", "time_matches"]


def named_days(text: str, now: datetime | None, years: tuple[int, int] | None = None) -> list[Days]:
    """Return the stretches of days that a text names.

    Parameters
    ----------
    text
        Dates ("2025-03-04", "4 March", "3月4日"), months, years, weekdays, and with `now` also "yesterday",
        "two weeks ago", "late last month", 上上周三, 去年3月 and the like, in English and Chinese.
    now
        When it was said; what is relative is left out when None.
    years
        First and last year that a date without a year may mean; those of `now` when None.

    >>> named_days("what did we say on 4 March 2025?", None)
    [(datetime.date(2025, 3, 4), datetime.date(2025, 3, 4))]
    >>> named_days("三天前说的", datetime(2025, 3, 4))
    [(datetime.date(2025, 3, 1), datetime.date(2025, 3, 1))]
    """
    rest = in_digits(normalise(text))
    today = None if now is None else now.date()
    if years is None and now is not None:
        years = (now.year, now.year)
    possible = range(years[0], years[1] + 1) if years else range(0)
    found: list[Days] = []
    for pattern, read in RULES:
        for match in pattern.finditer(rest):
            found += read(match, today, possible)
        # What one rule has read is no other rule's: 上周三 is no 周三 besides.
        rest = pattern.sub(lambda match: "\x00" * len(match[0]), rest)
    return list(dict.fromkeys(found))


def time_matches(days: NDArray[np.int64], named: list[Days]) -> NDArray[np.float32]:
    """Return 1 where a day is among the named ones.

    Parameters
    ----------
    days
        Days since 1970-01-01 a turn, shape (n,); −1 where the time is unknown.
    named
        What `named_days` returns.

    Returns
    -------
    array
        Float32, shape (n,).

    >>> time_matches(np.asarray([3, -1]), [(date(1970, 1, 4), date(1970, 1, 4))]).tolist()
    [1.0, 0.0]
    """
    matches = np.zeros(days.shape, dtype=np.float32)
    for first, last in named:
        low, high = ((day - date(1970, 1, 1)).days for day in (first, last))
        matches[(days >= max(low, 0)) & (days <= high)] = 1
    return matches
