"""Times as they are found, told as UTC: ISO 8601 strings, POSIX times, naive and aware datetimes."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from hydralab.errors import ReadError, brief, check_value

__all__ = ["to_utc", "zone_named"]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
POSIX = re.compile(r"-?\d{9,}(\.\d+)?")
UNITS = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (float("inf"), 1e9))


def zone_named(name: str) -> tzinfo:
    """Return the time zone of an IANA name such as "Asia/Shanghai".

    >>> zone_named("UTC").utcoffset(None)
    datetime.timedelta(0)
    """
    check_value("timezone", name, "str")
    if name.upper() == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # it looks for a file of that name
        raise ReadError(f"timezone {brief(name)}, expected an IANA name such as 'Asia/Shanghai'") from error


def to_utc(found: datetime | str | float | None, naive: tzinfo = UTC) -> tuple[datetime | None, str | None]:
    """Return a time as UTC, and the zone it came with: an offset, "naive", or None for a POSIX time.

    Parameters
    ----------
    found
        An ISO 8601 string, a datetime, or a POSIX time in s, ms, µs or ns (told by its size: a time in
        seconds is under 1e11, which is the year 5138).
    naive
        The zone of times that name none.

    Raises
    ------
    ReadError
        When the time can't be understood.

    >>> to_utc("2026-03-02T08:00:00+08:00")
    (datetime.datetime(2026, 3, 2, 0, 0, tzinfo=datetime.timezone.utc), '+08:00')
    >>> to_utc(1700000000)[0] == to_utc("1700000000000")[0]
    True
    """
    if found is None or found == "":
        return None, None
    if isinstance(found, bool):
        raise ReadError(f"time {found!r}, expected ISO 8601 or a POSIX time")
    number = _number(found)
    if number is not None:
        return _from_posix(number), None
    moment = found if isinstance(found, datetime) else _parsed(str(found))
    if moment.tzinfo is None:
        return moment.replace(tzinfo=naive).astimezone(UTC), "naive"
    return moment.astimezone(UTC), _offset(moment)


def _number(found: datetime | str | float) -> float | None:
    if isinstance(found, int | float):
        return float(found)
    return float(found) if isinstance(found, str) and POSIX.fullmatch(found.strip()) else None


def _from_posix(number: float) -> datetime:
    scale = next((scale for limit, scale in UNITS if abs(number) < limit), None)
    try:
        return EPOCH + timedelta(microseconds=round(number / (scale or 1.0) * 1e6))
    except (OverflowError, ValueError) as error:
        raise ReadError(f"time {number!r}, expected a POSIX time") from error


def _parsed(found: str) -> datetime:
    text = found.strip().replace("/", "-")
    for suffix in (" UTC", " GMT"):
        text = text.removesuffix(suffix) + "+00:00" if text.endswith(suffix) else text
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise ReadError(f"time {found!r}, expected ISO 8601 or a POSIX time") from error


def _offset(moment: datetime) -> str:
    text = moment.strftime("%z")
    return f"{text[:3]}:{text[3:5]}"
