"""Which turns fall on the dates that a query names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from hydralab.texts import normalise

__all__ = ["named_days", "time_matches"]

Days = tuple[date, date]
"""First and last day, inclusive."""

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = "|".join(f"{name}|{name[:3]}" for name in _MONTHS)
_ISO = re.compile(r"\b((?:19|20)\d\d)[-/.年](\d{1,2})(?:[-/.月](\d{1,2}))?")
_ENGLISH = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?({_MONTH})\b\.?(?:\s+(\d{{1,2}})(?:st|nd|rd|th)?\b)?(?:,?\s+((?:19|20)\d\d))?"
)
_CHINESE = re.compile(r"(?<!\d)(1[0-2]|0?[1-9])\s*月(?:份)?(?:\s*([0-3]?\d)\s*[日号])?")
_BARE_MONTH = frozenset({"may", "mar", "dec", "jan", "jun", "jul", "sep", "oct", "nov", "feb", "apr", "aug"})
_WEEKDAYS = {
    name: day
    for day, names in enumerate(
        (
            ("monday", "周一", "星期一", "礼拜一"),
            ("tuesday", "周二", "星期二", "礼拜二"),
            ("wednesday", "周三", "星期三", "礼拜三"),
            ("thursday", "周四", "星期四", "礼拜四"),
            ("friday", "周五", "星期五", "礼拜五"),
            ("saturday", "周六", "星期六", "礼拜六"),
            ("sunday", "周日", "周天", "星期日", "星期天", "礼拜天"),
        )
    )
    for name in names
}
_WEEKDAY = re.compile("|".join(sorted(_WEEKDAYS, key=len, reverse=True)))
_DAYS_AGO = {
    "前天": 2,
    "昨天": 1,
    "昨晚": 1,
    "今天": 0,
    "day before yesterday": 2,
    "yesterday": 1,
    "last night": 1,
    "today": 0,
}
_LAST_WEEK = re.compile(
    r"\blast week\b|上周(?![一二三四五六日天])|上个?星期(?![一二三四五六日天])|上个?礼拜(?![一二三四五六日天])"
)
_LAST_MONTH = re.compile(r"\blast month\b|上个?月")


def named_days(text: str, now: datetime | None, years: tuple[int, int] | None = None) -> list[Days]:
    """Return the stretches of days that a text names.

    Parameters
    ----------
    text
        Dates ("2025-03-04", "4 March", "3月4日"), months, weekdays, and with `now` also "yesterday",
        "last week", 上周三 and the like, in English and Chinese.
    now
        When it was said; what is relative is left out when None.
    years
        First and last year that a date without a year may mean; those of `now` when None.

    >>> named_days("what did we say on 4 March 2025?", None)
    [(datetime.date(2025, 3, 4), datetime.date(2025, 3, 4))]
    >>> named_days("昨天说的", datetime(2025, 3, 4))
    [(datetime.date(2025, 3, 3), datetime.date(2025, 3, 3))]
    """
    text = normalise(text)
    if years is None and now is not None:
        years = (now.year, now.year)
    possible = range(years[0], years[1] + 1) if years else range(0)
    found = [*_dates(text, possible), *(_relative(text, now.date()) if now is not None else ())]
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


def _dates(text: str, possible: range) -> Iterator[Days]:
    for year, month, day in _ISO.findall(text):
        yield from _days(range(int(year), int(year) + 1), int(month), int(day or 0))
    for found in _ENGLISH.finditer(text):
        before, month, after, year = found.groups()
        # "may" and "mar" are also words: a month only beside a number, or after "in", "of", "since".
        beside = (
            before
            or after
            or year
            or re.search(r"\b(?:in|of|since|during|until|last|early|late)\s+$", text[: found.start()])
        )
        if month in _BARE_MONTH and not beside:
            continue
        number = 1 + [name[:3] for name in _MONTHS].index(month[:3])
        yield from _days(
            range(int(year), int(year) + 1) if year else possible, number, int(before or after or 0)
        )
    for found in _CHINESE.finditer(_ISO.sub(" ", text)):
        yield from _days(possible, int(found[1]), int(found[2] or 0))


def _days(years: range, month: int, day: int) -> Iterator[Days]:
    for year in years:
        try:
            first = date(year, month, day or 1)
        except ValueError:
            continue
        yield (first, first if day else _month_end(first))


def _relative(text: str, today: date) -> Iterator[Days]:
    rest = text
    for phrase, back in _DAYS_AGO.items():
        if phrase in rest:
            rest = rest.replace(phrase, " ")
            day = today - timedelta(days=back)
            yield (day, day)
    monday = today - timedelta(days=today.weekday())
    if _LAST_WEEK.search(text):
        yield (monday - timedelta(days=7), monday - timedelta(days=1))
    if _LAST_MONTH.search(text):
        last = today.replace(day=1) - timedelta(days=1)
        yield (last.replace(day=1), last)
    for found in _WEEKDAY.finditer(text):
        back = (today.weekday() - _WEEKDAYS[found.group()]) % 7 or 7
        if text[: found.start()].endswith("上"):
            back = today.weekday() - _WEEKDAYS[found.group()] + 7
        day = today - timedelta(days=back)
        yield (day, day)


def _month_end(first: date) -> date:
    return (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
