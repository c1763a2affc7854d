"""Times of turns where only sessions are dated."""

import itertools
from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from hydralab.readers.sessions import stated_time, turn_times

NOON = datetime(2024, 5, 1, 12)


def test_a_weekday_and_slashes_are_understood():
    assert stated_time("2023/05/25 (Thu) 20:21") == datetime(2023, 5, 25, 20, 21)
    assert stated_time("2025-12-15 (Monday)") == datetime(2025, 12, 15)
    assert stated_time(None) is None


def test_words_that_are_no_time_stay_on_the_first_turn():
    assert turn_times([("last summer", 3), (None, 1), ("later", 0)]) == [
        ["last summer", None, None],
        [None],
        [],
    ]


def test_an_earlier_day_is_left_as_stated():
    late, early = turn_times([(NOON, 1), (NOON - timedelta(days=3), 1)])
    assert late == [NOON]
    assert early == [NOON - timedelta(days=3)]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), max_size=8))
def test_days_in_order_give_times_that_rise(days):
    sessions = [(datetime(2024, 5, 1) + timedelta(days=day), count) for day, count in sorted(days)]
    times = turn_times(sessions)
    flat = [time for clock in times for time in clock]
    assert [len(clock) for clock in times] == [count for _, count in sessions]
    assert all(earlier < later for earlier, later in itertools.pairwise(flat))
