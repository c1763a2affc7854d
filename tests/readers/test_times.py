"""Times of every writing as UTC."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hydralab.readers as readers
from hydralab.errors import ReadError
from hydralab.readers.times import to_utc, zone_named

MOMENT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
SECONDS = MOMENT.timestamp()


@pytest.mark.parametrize(
    "found",
    [
        SECONDS,
        SECONDS * 1e3,
        SECONDS * 1e6,
        SECONDS * 1e9,
        str(int(SECONDS)),
        f"{SECONDS:.3f}",
        "2026-03-01T09:30:00Z",
        "2026-03-01T17:30:00+08:00",
        "2026-03-01 09:30:00 UTC",
        "2026/03/01 09:30",
        "20260301T093000",
        datetime(2026, 3, 1, 9, 30),
        datetime(2026, 3, 1, 4, 30, tzinfo=timezone(timedelta(hours=-5))),
    ],
)
def test_every_writing_is_the_same_moment(found):
    assert to_utc(found)[0] == MOMENT


def test_naive_times_take_the_zone_that_is_named():
    assert to_utc("2026-03-01T17:30:00", zone_named("Asia/Shanghai")) == (MOMENT, "naive")
    assert to_utc("2026-03-01T04:30:00-05:00", zone_named("Asia/Shanghai")) == (MOMENT, "-05:00")


@given(st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)))
def test_iso_round_trips(moment):
    assert to_utc(moment.isoformat())[0] == moment.replace(tzinfo=UTC)


@pytest.mark.parametrize("found", ["yesterday", "13/45/2026", float("nan"), float("inf"), 1e300, True])
def test_no_time_is_an_error(found):
    with pytest.raises(ReadError, match="time"):
        to_utc(found)


def test_an_unknown_zone_is_named():
    with pytest.raises(ReadError, match="'Mars/Base', expected an IANA name"):
        zone_named("Mars/Base")


def test_naive_and_aware_times_mix_in_one_column(tmp_path):
    """FAULTS 24."""
    path = tmp_path / "talk.csv"
    path.write_text(
        "role,text,time\nuser,a,2026-03-01T09:00:00\nuser,b,2026-03-01T17:10:00+08:00\n"
        "user,c,1772356800\nuser,d,soon\nuser,e,\n"
    )
    corpus = readers.read_all(path)
    stamps = [time and time.strftime("%H:%M") for time in corpus.turns["time"].to_list()]
    assert stamps == ["09:00", "09:10", "09:20", None, None]
    assert corpus.turns["time"].dtype.time_zone == "UTC"
    zones = [meta and ("zone" in meta, meta) for meta in corpus.turns["meta"].to_list()]
    assert zones[:2] == [(True, '{"zone": "naive"}'), (True, '{"zone": "+08:00"}')]
    assert corpus.turns["meta"][3] == '{"time": "soon"}'
    assert corpus.events["status"].to_list() == ["salvaged"]
