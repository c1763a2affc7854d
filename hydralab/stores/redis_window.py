"""The newest turns of each dialogue in Redis, for a while: a copy that may vanish at any time."""

from __future__ import annotations

import time
from io import BytesIO
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import polars as pl

from hydralab.errors import StoreError, brief, check_value
from hydralab.optional import load_optional

__all__ = ["RedisWindow"]

SCHEMES = ("redis", "rediss", "unix")
OWN = ("expiry", "turns")
"""What stands in an URL for the window and not for Redis."""

PATIENCE = 1.0
"""Seconds that a call waits for Redis."""

REST = 5.0
"""Seconds for which Redis is left alone after it failed, so that an outage doesn't make every call wait."""


class RedisWindow:
    """The newest turns of dialogues, each with the stamp of the state that they are of.

    Whoever reads compares the stamp with that of the store behind it, so an outdated window is never taken for
    a present one, whatever became of Redis meanwhile: it was emptied, went back to an old copy, or was away
    while others wrote.

    Parameters
    ----------
    url
        "redis://host:6379/0", "rediss://…" or "unix:///path/redis.sock"; "?expiry=60&turns=16" in it takes
        precedence.
    expiry
        Seconds after its last turn for which a window is kept.
    turns
        How many turns it holds at most.

    Raises
    ------
    StoreError
        The URL is none of Redis. A server that can't be reached is no error, neither here nor later.
    """

    def __init__(self, url: str, *, expiry: float = 86_400.0, turns: int = 64) -> None:
        if not isinstance(url, str) or urlsplit(url).scheme not in SCHEMES:
            raise StoreError(f"RedisWindow: url is {brief(url)}, expected 'redis://host:6379/0'")
        plain, own = _split(url)
        self.expiry = _number(own.get("expiry", expiry), "expiry", least=0.001)
        self.turns = int(_number(own.get("turns", turns), "turns", least=1))
        redis = load_optional("redis", extra="stores", purpose="RedisWindow")
        self._errors = (redis.RedisError, OSError)
        self._client: Any = redis.Redis.from_url(
            plain, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
        )
        self._where = _hidden(plain)
        self._rested_at = -REST
        self._owed: set[str] = set()
        """Keys that are to go before Redis is asked anything else."""
        self.outage = ""
        """Why Redis did not answer last; empty when it did."""

    def get(self, key: str, stamp: str) -> pl.DataFrame | None:
        """Return the turns kept under a key, if they are of the state that `stamp` names."""
        held = self._asked(lambda client: client.hmget(key, "stamp", "turns"))
        if held is None or held[0] != stamp.encode() or held[1] is None:
            return None
        return pl.read_ipc(BytesIO(held[1]))

    def put(self, key: str, stamp: str, turns: pl.DataFrame) -> None:
        """Keep the newest of these turns, as those of the state that `stamp` names."""
        packed = BytesIO()
        turns.tail(self.turns).rechunk().write_ipc(packed)

        def write(client: Any) -> None:
            with client.pipeline(transaction=True) as together:
                together.hset(key, mapping={"stamp": stamp, "turns": packed.getvalue()})
                together.pexpire(key, int(1000 * self.expiry))
                together.execute()

        self._asked(write)

    def drop(self, key: str) -> bool:
        """Forget what is kept under a key, and return whether Redis confirmed that there is nothing now.

        Redis is asked though it just failed. Where it doesn't answer, the key goes before anything else is asked.
        """
        self._owed.add(key)
        self._rested_at = -REST
        return self._asked(lambda client: True) is not None

    def contents(self, pattern: str) -> dict[str, bytes]:
        """Return what is kept under the keys that a pattern of Redis means, whatever state it is of."""

        def scan(client: Any) -> dict[str, bytes]:
            return {key.decode(): b"".join(client.hvals(key)) for key in client.scan_iter(match=pattern)}

        return self._asked(scan) or {}

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def __repr__(self) -> str:
        return f"RedisWindow({self._where!r}, expiry={self.expiry:g}, turns={self.turns})"

    def _asked(self, ask: Any) -> Any:
        """Return Redis's answer; None where it gives none, which costs nothing but time."""
        if time.monotonic() < self._rested_at + REST:
            return None
        try:
            if self._owed:
                owed = list(self._owed)
                self._client.delete(*owed)
                self._owed.difference_update(owed)
            answer = ask(self._client)
        except self._errors as error:
            self._rested_at = time.monotonic()
            self.outage = f"{self._where} did not answer ({error})"
            return None
        self.outage = ""
        return answer


def _split(url: str) -> tuple[str, dict[str, str]]:
    """Return an URL for Redis, and the settings in it that are the window's."""
    plain, _, text = url.partition("?")
    query = dict(parse_qsl(text))
    others = urlencode({name: value for name, value in query.items() if name not in OWN})
    return f"{plain}?{others}" if others else plain, {name: query[name] for name in OWN if name in query}


def _number(given: float | str, name: str, *, least: float) -> float:
    try:
        value = float(given)
    except (TypeError, ValueError):
        value = float("nan")
    check_value(f"RedisWindow: {name}", value if value == value else given, "float", least=least)
    return value


def _hidden(url: str) -> str:
    parts = urlsplit(url)
    if parts.password is None:
        return url
    return url.replace(f":{parts.password}@", ":***@")
