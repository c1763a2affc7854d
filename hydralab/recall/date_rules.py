"""How dates are said in English and Chinese, and which days they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from types import MappingProxyType

__all__ = ["RULES", "Days", "in_digits"]

Days = tuple[date, date]
"""First and last day, inclusive."""

Read = Callable[[re.Match[str], date | None, range], Iterator[Days]]
"""From a match, the day on which it was said (None when unknown) and the years it may mean to days."""

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH_NUMBER: Mapping[str, int] = MappingProxyType(
    {short: number for number, name in enumerate(_MONTHS, 1) for short in (name, name[:3])} | {"sept": 9}
)
_WORDLIKE = frozenset({"may", "mar", "march"})
"""Months that are also words: they need a number beside them, or "in", "of", "since" in front."""

_DIGITS = "一二三四五六七八九"
_WEEKDAY_NUMBER: Mapping[str, int] = MappingProxyType(
    {
        "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
        **{day: number for number, day in enumerate("一二三四五六日")}, "天": 6,
    }
)  # fmt: skip
_ENGLISH_NUMBER: Mapping[str, int] = MappingProxyType(
    {
        "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
        "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    }
)  # fmt: skip
_DAYS_AGO: Mapping[str, int] = MappingProxyType(
    {
        "大前天": 3, "前天": 2, "昨天": 1, "昨日": 1, "昨晚": 1, "今天": 0, "今日": 0, "今早": 0, "今晚": 0,
        "day before yesterday": 2, "yesterday": 1, "last night": 1,
        "today": 0, "this morning": 0, "tonight": 0,
    }
)  # fmt: skip
_YEARS_AGO: Mapping[str, int] = MappingProxyType(
    {"大前年": 3, "前年": 2, "去年": 1, "今年": 0, "last year": 1, "this year": 0}
)
_PART: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "初": (1, 10), "上旬": (1, 10), "中旬": (11, 20), "底": (21, 31), "末": (21, 31), "下旬": (21, 31),
        "early": (1, 10), "beginning": (1, 10), "start": (1, 10), "mid": (11, 20), "middle": (11, 20),
        "late": (21, 31), "end": (21, 31),
    }
)  # fmt: skip
"""The part of a month → its first and last day."""

_EN_MONTH = "|".join(sorted(_MONTH_NUMBER, key=len, reverse=True))
_EN_WEEKDAY = "|".join(name for name in _WEEKDAY_NUMBER if name.isascii())
_EN_NUMBER = rf"\d{{1,3}}|{'|'.join(sorted(_ENGLISH_NUMBER, key=len, reverse=True))}"
_EN_PART = r"(?:(?P<part>early|mid|late)[ -]|(?:the )?(?P<part_of>beginning|start|middle|end) of )?"
_ZH_NUMBER = rf"\d{{1,3}}|[{_DIGITS}两十]{{1,3}}"
_ZH_UNIT = "天|日|个?星期|个?礼拜|周|个月|年"
_ZH_WEEK = r"(?:周|星期|礼拜)(?![期围边转密折到岁年])(?P<day>[一二三四五六日天末])?"
_ZH_IN_MONTH = r"(?:(?P<day>\d{1,2})[日号]|(?P<part>初|上旬|中旬|底|末|下旬))?"
_ZH_MONTH = r"月(?![亮光球色饼票])份?"
# 上 may end another word, as in 晚上月亮 and 网上周边.
_UP = r"(?<![晚早网线手身马路车楼街桌海以加世际本地天山班赶])(?P<back>上{1,3})一?个?"
_IN_FRONT = re.compile(r"\b(?:in|of|since|during|until|this) $")
_ON_THE = re.compile(r"\b(?:on|the|of|by|since|until|from|before|after|for) $")
_CHINESE_NUMBER = re.compile(rf"([{_DIGITS}]?)(十?)([{_DIGITS}]?)(?=\s*[月日号])")


def _iso(match: re.Match[str], today: date | None, possible: range) -> Iterator[Days]:
    yield from _days([int(match[1])], int(match[2]), int(match[3] or 0))


def _whole_year(match: re.Match[str], today: date | None, possible: range) -> Iterator[Days]:
    yield from _days([int(match[1])])


def _chinese_year(match: re.Match[str], today: date | None, possible: range) -> Iterator[Days]:
    """Read 去年, 去年底 and 去年3月5日."""
    if today is None:
        return
    year = today.year - _YEARS_AGO[match["year"]]
    if match["ends"]:
        first, last = (1, 2) if match["ends"] == "初" else (11, 12)
        yield date(year, first, 1), _month_end(date(year, last, 1))
    else:
        yield from _days([year], int(match["month"] or 0), int(match["day"] or 0), match["part"])


def _english_year(match: re.Match[str], today: date | None, possible: range) -> Iterator[Days]:
    """Read "last year" and "March last year"."""
    if today is not None:
        yield from _days([today.year - _YEARS_AGO[match[2]]], _MONTH_NUMBER.get(match[1] or "", 0))


def _last_named_month(match: re.Match[str], today: date | None, possible: range) -> Iterator[Days]:
    """Read "last March": the latest before the present month."""
    if today is not None:
        month = _MONTH_NUMBER[match[1]]
        yield from _days([today.year - (month >= today.month)], month)


def _ago(match: re.Match[str], today: date | None, possible: range) -> Iterator[Days]:
    """Read "two weeks ago" and 三天前: the day, or the whole week, month or year of it."""
    if today is not None:
        yield from _around(_back(today, _number(match[1]), match[2]), match[2])


def _past(match: re.Match[str], today: date | None, possible: range) -> Iterator[Days]:
    """Read "the last two weeks" and 最近三天: from so long ago until now."""
    first = None if today is None else _back(today, _number(match[1]), match[2])
    if today is not None and first is not None:
        yield first, today


def _days_ago(match: re.Match[str], today: date | None, possible: range) -> Iterator[Days]:
    if today is not None:
        day = today - timedelta(days=_DAYS_AGO[match[0].removeprefix("the ")])
        yield day, day


def _week(match: re.Match[str], today: date | None, possible: range) -> Iterator[Days]:
    """Read 上上周, 上周三, 上周末, 这周 and "last week", "Tuesday last week", "the week before last"."""
    if today is None:
        return
    monday = today - timedelta(days=today.weekday() + 7 * _times_back(match["back"]))
    day = match["day"]
    if day in _WEEKDAY_NUMBER:
        found = monday + timedelta(days=_WEEKDAY_NUMBER[day])
        yield found, found
    else:
        yield monday + timedelta(days=5 if day == "末" else 0), monday + timedelta(days=6)


def _month(match: re.Match[str], today: date | None, possible: range) -> Iterator[Days]:
    """Read 上个月, 上个月底, 上月5日, 本月 and "late last month", "the month before last"."""
    if today is None:
        return
    found = match.groupdict()
    months = 12 * today.year + today.month - 1 - _times_back(match["back"])
    part = found.get("part") or found.get("part_of")
    yield from _days([months // 12], months % 12 + 1, int(found.get("day") or 0), part)


def _weekday(match: re.Match[str], today: date | None, possible: range) -> Iterator[Days]:
    """A weekday alone is the latest before today; the next one is not past."""
    if today is not None and not (match[1] or "").startswith(("next", "下")):
        day = today - timedelta(days=(today.weekday() - _WEEKDAY_NUMBER[match[2]]) % 7 or 7)
        yield day, day


def _english_date(match: re.Match[str], today: date | None, possible: range) -> Iterator[Days]:
    part, number = match["part"] or match["part_of"], match["before"] or match["after"]
    if match["month"] in _WORDLIKE and not (part or match["after"] or match["year"]):
        front = match.string[: match.start()]
        runs_on = not match["ordinal"] and re.match(r" [a-z]", match.string[match.end() :])
        if not (_IN_FRONT.search(front) or (number and (not runs_on or _ON_THE.search(front)))):
            return
    years = [int(match["year"])] if match["year"] else possible
    yield from _days(years, _MONTH_NUMBER[match["month"]], int(number or 0), part)


def _chinese_date(match: re.Match[str], today: date | None, possible: range) -> Iterator[Days]:
    yield from _days(possible, int(match[1]), int(match["day"] or 0), match["part"])


RULES: tuple[tuple[re.Pattern[str], Read], ...] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (r"(?<!\d)((?:19|20)\d\d)[-/.年] ?(\d{1,2})[-/.月] ?(\d{1,2})(?!\d)", _iso),
        (r"(?<!\d)((?:19|20)\d\d)(?:-|年 ?)(\d{1,2})(?!\d)()", _iso),
        (
            r"(?<![以之目提过如从])(?P<year>大?前年|去年|今年)"
            rf"(?:(?P<ends>[初底末])|(?P<month>1[0-2]|0?[1-9]){_ZH_MONTH}{_ZH_IN_MONTH})?",
            _chinese_year,
        ),
        (rf"(?:\b({_EN_MONTH}) )?\b(last year|this year)\b", _english_year),
        (rf"\blast ({_EN_MONTH})\b", _last_named_month),
        (rf"\b({_EN_NUMBER}) (day|week|month|year)s? (?:ago|back|earlier)\b", _ago),
        (rf"({_ZH_NUMBER})({_ZH_UNIT})(?:以|之)?前(?![端台后进往景置缀锋途线沿瞻辈])", _ago),
        (rf"\b(?:last|past) ({_EN_NUMBER}) (day|week|month|year)s\b", _past),
        (rf"(?:最近|过去|近)({_ZH_NUMBER})({_ZH_UNIT})", _past),
        (r"大前天|(?<![以之目提从])前天(?!线)|昨[天日晚]|(?<!如)今[天日]|今[早晚]", _days_ago),
        (r"\b(?:(?:the )?day before yesterday|yesterday|last night|today|this morning|tonight)\b", _days_ago),
        (rf"{_UP}{_ZH_WEEK}", _week),
        (rf"(?P<back>[这本])个?{_ZH_WEEK}", _week),
        (rf"\b(?:(?P<day>{_EN_WEEKDAY}) (?:of )?)?(?P<back>last|this) week\b", _week),
        (r"\b(?:the )?week (?P<back>before last)\b(?P<day>)", _week),
        (rf"{_UP}{_ZH_MONTH}{_ZH_IN_MONTH}", _month),
        (rf"(?P<back>[这本])个?{_ZH_MONTH}{_ZH_IN_MONTH}", _month),
        (rf"\b{_EN_PART}(?P<back>last|this) month\b", _month),
        (r"\b(?:the )?month (?P<back>before last)\b", _month),
        (rf"\b(next |last |this )?({_EN_WEEKDAY})\b", _weekday),
        (rf"(?<![每{_DIGITS}两十几\d])(下个?)?(?<!每个)(?:周|星期|礼拜)([一二三四五六日天])", _weekday),
        (
            rf"\b{_EN_PART}(?:(?P<before>\d{{1,2}})(?P<ordinal>st|nd|rd|th)? (?:of )?)?(?P<month>{_EN_MONTH})\b\.?"
            r"(?: (?P<after>\d{1,2})(?:st|nd|rd|th)?\b)?(?:(?:,| of|, in)? (?P<year>(?:19|20)\d\d)\b)?",
            _english_date,
        ),
        (rf"(?<!\d)(1[0-2]|0?[1-9]) ?{_ZH_MONTH} ?{_ZH_IN_MONTH}", _chinese_date),
        (r"(?<!\d)((?:19|20)\d\d)年", _whole_year),
        (r"\b(?:in|since|during|of) ((?:19|20)\d\d)\b(?![-/.]\d)", _whole_year),
    )
)
"""What names days, the most particular first, and how it is read."""


def in_digits(text: str) -> str:
    """Write the Chinese numbers of months and days in digits.

    >>> in_digits("十二月二十一号")
    '12月21号'
    """
    return _CHINESE_NUMBER.sub(_as_digits, text)


def _as_digits(number: re.Match[str]) -> str:
    """Write a Chinese number up to 99 in digits."""
    tens, ones = (f" {_DIGITS}".find(part) if part else 0 for part in (number[1], number[3]))
    if not number[2]:
        return str(tens or ones or "")
    return str(10 * (tens or 1) + ones)


def _number(words: str) -> int:
    """Return a number up to 99 in digits, English or Chinese."""
    if words in _ENGLISH_NUMBER:
        return _ENGLISH_NUMBER[words]
    found = re.fullmatch(rf"([{_DIGITS}]?)(十?)([{_DIGITS}]?)", words.replace("两", "二"))
    return int(_as_digits(found) or 0) if found else int(words)


def _times_back(words: str) -> int:
    return words.count("上") or {"last": 1, "before last": 2}.get(words, 0)


def _back(today: date, number: int, unit: str) -> date | None:
    """Return the day so many units ago; None before the year 1."""
    if unit in ("day", "天", "日"):
        return today - timedelta(days=number)
    if unit in ("week", "周") or unit.endswith(("星期", "礼拜")):
        return today - timedelta(weeks=number)
    months = 12 * today.year + today.month - 1 - number * (12 if unit in ("year", "年") else 1)
    if months < 12:
        return None
    first = date(months // 12, months % 12 + 1, 1)
    return first.replace(day=min(today.day, _month_end(first).day))


def _around(day: date | None, unit: str) -> Iterator[Days]:
    """Yield the day, or the week, month or year that it is in."""
    if day is None:
        return
    if unit in ("day", "天", "日"):
        yield day, day
    elif unit in ("year", "年"):
        yield from _days([day.year])
    elif unit in ("month", "个月"):
        yield from _days([day.year], day.month)
    else:
        monday = day - timedelta(days=day.weekday())
        yield monday, monday + timedelta(days=6)


def _days(years: Iterable[int], month: int = 0, day: int = 0, part: str | None = None) -> Iterator[Days]:
    """Yield for each year the year, its month, a part of the month, or the day; nothing if there is none."""
    for year in years:
        try:
            first = date(year, month or 1, day or 1)
        except ValueError:
            continue
        last = _month_end(first) if month else date(year, 12, 31)
        if part:
            start, end = _PART[part]
            yield first.replace(day=start), first.replace(day=min(end, last.day))
        else:
            yield first, first if day else last


def _month_end(first: date) -> date:
    return (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
