from datetime import date, datetime

import numpy as np
import pytest

from hydralab.recall.date_matching import named_days, time_matches

NOW = datetime(2026, 3, 12, 9)  # a Thursday


def day(text):
    return date.fromisoformat(text)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("on 2026-03-04", "2026-03-04", "2026-03-04"),
        ("2026/3/4 的会", "2026-03-04", "2026-03-04"),
        ("2026年3月4日说的", "2026-03-04", "2026-03-04"),
        ("2025年11月", "2025-11-01", "2025-11-30"),
        ("3月4号呢", "2026-03-04", "2026-03-04"),
        ("三月四日", "2026-03-04", "2026-03-04"),
        ("十二月二十一号", "2026-12-21", "2026-12-21"),
        ("2月份定的", "2026-02-01", "2026-02-28"),
        ("on 4 March", "2026-03-04", "2026-03-04"),
        ("on March 4th, 2025", "2025-03-04", "2025-03-04"),
        ("the 4th of March 2025", "2025-03-04", "2025-03-04"),
        ("in May 2025", "2025-05-01", "2025-05-31"),
        ("in december", "2026-12-01", "2026-12-31"),
        ("yesterday", "2026-03-11", "2026-03-11"),
        ("the day before yesterday", "2026-03-10", "2026-03-10"),
        ("昨天说的", "2026-03-11", "2026-03-11"),
        ("前天", "2026-03-10", "2026-03-10"),
        ("last week", "2026-03-02", "2026-03-08"),
        ("上周聊的", "2026-03-02", "2026-03-08"),
        ("上周三", "2026-03-04", "2026-03-04"),
        ("last month", "2026-02-01", "2026-02-28"),
        ("上个月", "2026-02-01", "2026-02-28"),
        ("on Monday", "2026-03-09", "2026-03-09"),
        ("星期五", "2026-03-06", "2026-03-06"),
        ("三天前", "2026-03-09", "2026-03-09"),
        ("10天前说的", "2026-03-02", "2026-03-02"),
        ("二十三天以前", "2026-02-17", "2026-02-17"),
        ("2 days ago", "2026-03-10", "2026-03-10"),
        ("a day ago", "2026-03-11", "2026-03-11"),
        ("two weeks ago", "2026-02-23", "2026-03-01"),
        ("两周前", "2026-02-23", "2026-03-01"),
        ("三个星期之前", "2026-02-16", "2026-02-22"),
        ("three months ago", "2025-12-01", "2025-12-31"),
        ("三个月前", "2025-12-01", "2025-12-31"),
        ("a year ago", "2025-01-01", "2025-12-31"),
        ("两年前", "2024-01-01", "2024-12-31"),
        ("in the last two weeks", "2026-02-26", "2026-03-12"),
        ("最近三天", "2026-03-09", "2026-03-12"),
        ("大前天", "2026-03-09", "2026-03-09"),
        ("今天早上", "2026-03-12", "2026-03-12"),
        ("上上周", "2026-02-23", "2026-03-01"),
        ("the week before last", "2026-02-23", "2026-03-01"),
        ("上上周三", "2026-02-25", "2026-02-25"),
        ("上周末", "2026-03-07", "2026-03-08"),
        ("上一个星期", "2026-03-02", "2026-03-08"),
        ("这周一", "2026-03-09", "2026-03-09"),
        ("Tuesday last week", "2026-03-03", "2026-03-03"),
        ("last Tuesday", "2026-03-10", "2026-03-10"),
        ("上个月底", "2026-02-21", "2026-02-28"),
        ("上月5号", "2026-02-05", "2026-02-05"),
        ("本月初", "2026-03-01", "2026-03-10"),
        ("上上个月", "2026-01-01", "2026-01-31"),
        ("late last month", "2026-02-21", "2026-02-28"),
        ("at the end of last month", "2026-02-21", "2026-02-28"),
        ("the month before last", "2026-01-01", "2026-01-31"),
        ("在2025年11月", "2025-11-01", "2025-11-30"),
        ("in March", "2026-03-01", "2026-03-31"),
        ("in early May", "2026-05-01", "2026-05-10"),
        ("mid-January", "2026-01-11", "2026-01-20"),
        ("last March", "2025-03-01", "2025-03-31"),
        ("last January", "2026-01-01", "2026-01-31"),
        ("March last year", "2025-03-01", "2025-03-31"),
        ("去年3月", "2025-03-01", "2025-03-31"),
        ("去年三月五号", "2025-03-05", "2025-03-05"),
        ("去年底", "2025-11-01", "2025-12-31"),
        ("前年", "2024-01-01", "2024-12-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("2024年", "2024-01-01", "2024-12-31"),
        ("in 2024", "2024-01-01", "2024-12-31"),
        ("option 2, on 3 may we met", "2026-05-03", "2026-05-03"),
    ],
)
def test_days_are_told_from_words_in_both_languages(text, first, last):
    assert named_days(text, NOW) == [(day(first), day(last))]


@pytest.mark.parametrize(
    "text",
    [
        "you may go", "march on", "March on!", "mar the finish", "30 February", "13月的", "15 of them", "",
        "option 2 may be better", "the second of three", "give it a second", "two seconds ago", "next Monday",
        "every day", "on weekdays", "sundaes", "a 2024.1 build", "it takes two weeks", "three days later",
        "三天前端培训", "两年前后", "一周前台值班", "晚上月亮很圆", "网上周边", "上月球", "月亮", "三个月",
        "以前天天下雨", "目前年轻人", "过去年代", "如今天气", "每周三次", "每个周一", "一周一次", "下周三", "十月饼",
        "上周期的参数", "周期", "前端", "日前", "天前", "前天线",
    ],
)  # fmt: skip
def test_what_is_no_date_names_no_day(text):
    assert named_days(text, NOW) == []


def test_a_date_without_a_year_may_be_of_any_year_of_the_dialogue():
    assert named_days("3月4日", None, (2024, 2026)) == [
        (date(year, 3, 4),) * 2 for year in (2024, 2025, 2026)
    ]
    assert named_days("3月4日, yesterday, 三天前, last week, 去年3月", None) == []


def test_what_is_relative_counts_from_when_it_was_said():
    for now in (datetime(2024, 3, 1), datetime(2024, 12, 31), datetime(2025, 1, 1)):
        (yesterday,), (month,) = named_days("昨天", now), named_days("last month", now)
        assert (now.date() - yesterday[0]).days == 1
        assert month[1].day == (29 if now.month == 3 else 30 if now.year == 2024 else 31)
    assert named_days("one month ago", datetime(2024, 3, 31)) == [(day("2024-02-01"), day("2024-02-29"))]
    assert named_days("999 years ago, 999个月前", datetime(400, 1, 1)) == [
        (day("0316-10-01"), day("0316-10-31"))
    ]


def test_several_dates_of_a_text_are_all_named():
    named = named_days("上周三还是前天，还是3月4号？Or two weeks ago, or on 2025-03-04?", NOW)
    assert sorted(named) == [
        (day("2025-03-04"), day("2025-03-04")),
        (day("2026-02-23"), day("2026-03-01")),
        (day("2026-03-04"), day("2026-03-04")),
        (day("2026-03-10"), day("2026-03-10")),
    ]


def test_turns_match_when_they_fall_on_a_named_day():
    days = np.array(
        [(day(each) - date(1970, 1, 1)).days for each in ("2026-03-04", "2026-03-08", "2026-03-09")]
    )
    named = [(day("2026-03-02"), day("2026-03-08"))]
    assert time_matches(np.append(days, -1), named).tolist() == [1, 1, 0, 0]
    assert not time_matches(days, []).any()
