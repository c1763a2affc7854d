"""The short window is read from Redis, is never believed against the truth, and may go at any time."""

import time
from contextlib import closing

import polars as pl
import pytest

from hydralab.errors import HydralabError, StoreError
from hydralab.stores import MemoryStore, RedisWindow, SqliteStore, TieredStore, open_store
from hydralab.stores.redis_window import REST
from hydralab.stores.servers import redis_server


@pytest.fixture
def tiered(redis, path):
    """Return a store with a window of four turns."""
    with TieredStore(short=RedisWindow(redis.url, turns=4), long=SqliteStore(path)) as store:
        yield store


@pytest.fixture
def asked(tiered, monkeypatch):
    """Return what was read of the long store's turns, call by call."""
    calls = []

    def noting(name, real):
        def call(self, *given, **named):
            calls.append(name)
            return real(self, *given, **named)

        return call

    for name in ("recent", "read"):
        monkeypatch.setattr(SqliteStore, name, noting(name, getattr(SqliteStore, name)))
    return calls


def test_a_live_dialogue_reads_its_window_from_redis_alone(tiered, asked, dialogue):
    for position in range(10):
        tiered.append("turns", dialogue([position]))
        assert tiered.recent("a", 3).equals(dialogue(range(max(position - 2, 0), position + 1)))
    assert asked == []


def test_what_the_window_does_not_hold_is_read_from_the_truth(tiered, asked, dialogue):
    tiered.append("turns", dialogue(range(10)))
    assert tiered.recent("a", 6).equals(dialogue(range(4, 10)))
    assert asked == ["recent"]


def test_redis_that_is_emptied_or_restarted_loses_nothing(tiered, asked, redis, dialogue):
    tiered.append("turns", dialogue(range(10)))
    redis.stop()
    redis.start()
    for calls in (1, 1):  # the first reader fills the window again
        assert tiered.recent("a", 4).equals(dialogue(range(6, 10)))
        assert len(asked) == calls


def test_a_window_expires(redis, path, dialogue):
    with open_store(f"{redis.url}?expiry=0.2&turns=4+sqlite:///{path}") as store:
        store.append("turns", dialogue(range(6)))
        key = f"hydralab:{store.long.store_id}:a"
        stamp = store.long.stamp("a")
        assert store.short.get(key, stamp).equals(dialogue(range(2, 6)))
        time.sleep(0.4)
        assert store.short.get(key, stamp) is None
        assert store.recent("a", 2).equals(dialogue(range(4, 6)))


def test_an_outage_is_told_once_and_costs_no_turn(tiered, redis, dialogue, monkeypatch):
    monkeypatch.setattr("hydralab.stores.redis_window.REST", 0.0)
    tiered.append("turns", dialogue(range(3)))
    redis.stop()
    try:
        for position in (3, 4):
            tiered.append("turns", dialogue([position]))
            assert tiered.recent("a", 2).equals(dialogue(range(position - 1, position + 1)))
        told = tiered.read("events").filter(pl.col("stage") == "store")
        assert told["status"].to_list() == ["salvaged"]
        assert "did not answer" in told["detail"][0]
    finally:
        redis.start()
    tiered.append("turns", dialogue([5]))
    assert tiered.recent("a", 2).equals(dialogue([4, 5]))


def test_what_was_forgotten_while_redis_was_away_goes_once_it_is_back(tiered, redis, dialogue):
    """FAULTS 18: Redis comes back with what it held, and is not asked anything before that is gone."""
    tiered.append("turns", dialogue(range(3), text="a secret #"))
    redis.pause()
    try:
        told = tiered.forget(dialogue="a")
    finally:
        redis.resume()
    assert "Redis did not answer: never read again" in told.filter(kind="cache")["detail"].item()
    time.sleep(REST)  # for so long it is left alone
    assert tiered.recent("a", 3).height == 0
    assert b"a secret" not in b"".join(tiered.short.contents(f"hydralab:{tiered.long.store_id}:*").values())


@pytest.mark.parametrize("what", [{"dialogue": "a"}, {"turn": "a:1"}])
def test_a_server_killed_and_started_with_its_data_serves_nothing_forgotten(what, path, dialogue):
    """FAULTS 17, 18: neither to who forgot nor to another process, and it holds nothing of it in the end."""
    with redis_server(durable=True) as server:
        url = f"{server.url}+sqlite:///{path}"
        with open_store(url) as store, open_store(url) as other:
            store.append("turns", dialogue(range(3), text="a secret #"))
            server.stop()
            assert "Redis did not answer" in store.forget(**what).filter(kind="cache")["detail"].item()
            server.start()
            with closing(RedisWindow(server.url)) as window:
                held = b"".join(window.contents("hydralab:*").values())
            assert b"a secret 1" in held  # so that there is something to serve
            left = store.long.read("turns")
            for each in (other, store):
                assert each.recent("a", 3).equals(left)
            time.sleep(REST)
            assert store.recent("a", 3).equals(left)
            assert store.audit("a secret 1")["found"].sum() == 0
            assert store.audit("windows").filter(pl.col("detail").str.contains("not looked at")).height == 0


def test_forgetting_asks_redis_though_it_just_failed(tiered, redis, dialogue):
    redis.pause()
    try:
        tiered.append("turns", dialogue(range(3)))
    finally:
        redis.resume()
    told = tiered.forget(dialogue="a")
    assert told.filter(kind="cache")["detail"].to_list() == ["dropped"]


def test_what_others_wrote_while_redis_was_not_told_is_seen(tiered, path, dialogue):
    """FAULTS 20: an outdated window is passed over, whether turns were added or replaced."""
    tiered.append("turns", dialogue(range(3)))
    with SqliteStore(path) as other:
        other.append("turns", dialogue([3]))
        assert tiered.recent("a", 2).equals(dialogue([2, 3]))
        edited = dialogue([3], text="edited")
        other.replace("turns", edited)
        assert tiered.recent("a", 1).equals(edited)
        other.append("turns", dialogue([4]))
        tiered.append("turns", dialogue([5]))
    assert tiered.recent("a", 3).equals(pl.concat([edited, dialogue([4, 5])]))


def leave_half_way(store, dialogue, other):
    with store.transaction():
        store.append("turns", dialogue([1]))
        assert store.recent("a", 1).equals(dialogue([1]))
        assert other.recent("a", 1).equals(dialogue([0]))
        raise KeyError


def test_an_unfinished_transaction_shows_nobody_its_turns(tiered, redis, path, dialogue):
    tiered.append("turns", dialogue([0]))
    with TieredStore(short=RedisWindow(redis.url, turns=4), long=SqliteStore(path)) as other:
        with pytest.raises(KeyError):
            leave_half_way(tiered, dialogue, other)
        for store in (other, tiered):
            assert store.recent("a", 1).equals(dialogue([0]))
        with tiered.transaction():
            tiered.append("turns", dialogue([1]))
            with pytest.raises(HydralabError):
                tiered.append(
                    "turns", pl.concat([dialogue([2]), dialogue([0], text="edited")]).sort("position")
                )
        assert other.recent("a", 2).equals(dialogue([0, 1]))


def test_two_stores_on_one_redis_keep_apart(tiered, redis, tmp_path, dialogue):
    tiered.append("turns", dialogue([0]))
    with TieredStore(short=RedisWindow(redis.url), long=SqliteStore(tmp_path / "other.db")) as other:
        other.append("turns", dialogue([0], text="another"))
        assert other.recent("a", 1).equals(dialogue([0], text="another"))
    assert tiered.recent("a", 1).equals(dialogue([0]))


def test_what_cannot_be_meant(redis):
    with pytest.raises(
        StoreError, match=r"RedisWindow: url is 'http://host', expected 'redis://host:6379/0'"
    ):
        RedisWindow("http://host")
    for wrong in ("expiry=0", "expiry=soon", "turns=0"):
        with pytest.raises(
            HydralabError, match=f"RedisWindow: {wrong.partition('=')[0]} is .*, expected a number of"
        ):
            RedisWindow(f"{redis.url}?{wrong}")
    with pytest.raises(StoreError, match="keeps only a short window"):
        open_store(redis.url)
    with pytest.raises(
        StoreError, match=r"TieredStore: .* expected a RedisWindow and a PostgresStore or SqliteStore"
    ):
        TieredStore(short=RedisWindow(redis.url), long=MemoryStore())
    assert "***" in repr(RedisWindow("redis://:secret@host:6379/0"))
