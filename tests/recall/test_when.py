from datetime import date, datetime

import numpy as np
import pytest

from hydralab.recall.when import named_days, time_matches

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
    ],
)
def test_days_are_told_from_words_in_both_languages(text, first, last):
    assert named_days(text, NOW) == [(day(first), day(last))]


@pytest.mark.parametrize(
    "text", ["you may go", "march on", "mar the finish", "30 February", "13月的", "15 of them", ""]
)
def test_what_is_no_date_names_no_day(text):
    assert named_days(text, NOW) == []


def test_a_date_without_a_year_may_be_of_any_year_of_the_dialogue():
    assert named_days("3月4日", None, (2024, 2026)) == [
        (date(year, 3, 4),) * 2 for year in (2024, 2025, 2026)
    ]
    assert named_days("3月4日, yesterday", None) == []


def test_turns_match_when_they_fall_on_a_named_day():
    days = np.array(
        [(day(each) - date(1970, 1, 1)).days for each in ("2026-03-04", "2026-03-08", "2026-03-09")]
    )
    named = [(day("2026-03-02"), day("2026-03-08"))]
    assert time_matches(np.append(days, -1), named).tolist() == [1, 1, 0, 0]
    assert not time_matches(days, []).any()
