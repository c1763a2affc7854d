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

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH = "|".join(f"{name}|{name[:3]}" for name in _MONTHS)
_ISO = re.compile(r"\b((?:19|20)\d\d)[-/.年](\d{1,2})(?:[-/.月](\d{1,2}))?")
_ENGLISH = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?({_MONTH})\b\.?(?:\s+(\d{{1,2}})(?:st|nd|rd|th)?\b)?(?:,?\s+((?:19|20)\d\d))?"
)
_CHINESE = re.compile(r"(?<!\d)(1[0-2]|0?[1-9])\s*月(?:份)?(?:\s*([0-3]?\d)\s*[日号])?")
_WORDLIKE = frozenset({"may", "mar", "march"})
"""Months that are also words: they need a number beside them, or "in", "of", "since" in front."""

_WEEKDAYS = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
    **{f"{week}{day}": number for week in ("周", "星期", "礼拜") for number, day in enumerate("一二三四五六日")},
    **{f"{week}天": 6 for week in ("周", "星期", "礼拜")},
}  # fmt: skip
_WEEKDAY = re.compile("|".join(sorted(_WEEKDAYS, key=len, reverse=True)))
_DAYS_AGO = {
    "前天": 2, "昨天": 1, "昨晚": 1, "今天": 0,
    "day before yesterday": 2, "yesterday": 1, "last night": 1, "today": 0,
}  # fmt: skip
_LAST_WEEK = re.compile(r"\blast week\b|上(?:周|个?星期|个?礼拜)(?![一二三四五六日天])")
_LAST_MONTH = re.compile(r"\blast month\b|上个?月")
_CHINESE_NUMBER = re.compile(r"([一二三四五六七八九]?)(十?)([一二三四五六七八九]?)(?=\s*[月日号])")


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
    text = _CHINESE_NUMBER.sub(_as_digits, normalise(text))
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
        beside = (
            before
            or after
            or year
            or re.search(r"\b(?:in|of|since|during|until|last|early|late)\s+$", text[: found.start()])
        )
        if month in _WORDLIKE and not beside:
            continue
        number = 1 + [name[:3] for name in _MONTHS].index(month[:3])
        yield from _days(
            range(int(year), int(year) + 1) if year else possible, number, int(before or after or 0)
        )
    for found in _CHINESE.finditer(_ISO.sub(" ", text)):
        yield from _days(possible, int(found[1]), int(found[2] or 0))


def _as_digits(number: re.Match[str]) -> str:
    """Write a Chinese number up to 99 in digits."""
    tens, ones = (" 一二三四五六七八九".find(part) if part else 0 for part in (number[1], number[3]))
    if not number[2]:
        return str(tens or ones or "")
    return str(10 * (tens or 1) + ones)


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
        if text[: found.start()].endswith(("下", "下个", "next ")):
            continue
        back = (today.weekday() - _WEEKDAYS[found.group()]) % 7 or 7
        if text[: found.start()].endswith(("上", "上个")):
            back = today.weekday() - _WEEKDAYS[found.group()] + 7
        day = today - timedelta(days=back)
        yield (day, day)


def _month_end(first: date) -> date:
    return (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
