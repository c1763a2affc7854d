"""Times of turns where a source dates its sessions only."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

__all__ = ["stated_time", "turn_times"]

WEEKDAY = re.compile(r"\s*\([^)]*\)")
STEP = timedelta(seconds=1)
DAY = timedelta(days=1)

Stated = datetime | str | None


def stated_time(text: str | None) -> Stated:
    """Return the time that a source states, without the weekday it may name; as found if not understood.

    >>> stated_time("2023/05/25 (Thu) 20:21"), stated_time("some day")
    (datetime.datetime(2023, 5, 25, 20, 21), 'some day')
    """
    if text is None:
        return None
    try:
        return datetime.fromisoformat(WEEKDAY.sub("", text).strip().replace("/", "-"))
    except ValueError:
        return text


def turn_times(sessions: Iterable[tuple[Stated, int]]) -> list[list[Stated]]:
    """Return a time for each turn of each session: the session's time plus a second a turn.

    A second keeps the order without moving a turn out of the minute that is stated for most sessions.
    A session stated for the same day as the one before it, but not after its end, goes on from there.

    Parameters
    ----------
    sessions
        For each session its stated time and its number of turns. Of a time that wasn't understood (a
        string) the first turn keeps the words, so that reading reports it once.

    >>> [[time.isoformat() for time in times] for times in turn_times([(datetime(2026, 3, 2), 2)] * 2)]
    [['2026-03-02T00:00:00', '2026-03-02T00:00:01'], ['2026-03-02T00:00:02', '2026-03-02T00:00:03']]
    """
    times: list[list[Stated]] = []
    last: datetime | None = None
    for stated, count in sessions:
        if not isinstance(stated, datetime):
            times.append([stated, *[None] * (count - 1)] if count else [])
            continue
        start = last + STEP if last is not None and stated <= last < stated + DAY else stated
        times.append([start + number * STEP for number in range(count)])
        last = start + (count - 1) * STEP if count else last
    return times
