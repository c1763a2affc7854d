"""Acknowledged means kept, whole, and in order."""

import random
import time

import pytest
from polars.testing import assert_frame_equal
from sqlalchemy import Engine, event

from hydralab.stores import SqliteStore


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("key", ["", "a key"])
def test_killed_at_any_moment_everything_acknowledged_is_there(key, seed, path, start_writer, monkeypatch):
    """FAULTS 21, in clear text and encrypted; `hydralab bench kills` does it on a server, too."""
    monkeypatch.setenv("HYDRALAB_KEY", key)
    chance = random.Random(seed)
    acknowledged = -1
    for _ in range(2):
        writer = start_writer("session", "a", acknowledged + 1)
        for _ in range(chance.randint(1, 40)):
            acknowledged = int(writer.stdout.readline())
        time.sleep(chance.random() / 100)
        writer.kill()
        later = writer.stdout.read().split()
        writer.wait()
        acknowledged = int(later[-1]) if later else acknowledged
        with SqliteStore(path) as store:
            turns, spans = store.read("turns"), store.read("checkpoints")
        kept = turns.height
        assert kept in (acknowledged + 1, acknowledged + 2)
        assert turns["position"].to_list() == spans["start"].to_list() == list(range(kept))
        assert turns["text"].to_list() == [f"turn {i} " * 50 for i in range(kept)]
        assert spans["keywords"].to_list() == [[str(i)] for i in range(kept)]
        acknowledged = kept - 1


def test_a_store_opens_where_it_was_left(path, dialogue):
    turns = dialogue(range(10))
    with SqliteStore(path) as store:
        store.append("turns", turns[:6])
    with SqliteStore(path) as store:
        store.append("turns", turns)
        assert_frame_equal(store.read("turns"), turns)


def test_a_transaction_open_when_the_store_closes_is_undone(path, dialogue):
    store = SqliteStore(path)
    unfinished = store.transaction()
    unfinished.__enter__()
    store.append("turns", dialogue())
    store.close()
    with SqliteStore(path) as again:
        assert again.read("turns").height == 0


def test_appending_a_turn_reads_nothing_but_the_number_of_the_last_tombstone(path, dialogue):
    statements = []
    with SqliteStore(path) as store:
        store.append("turns", dialogue(range(50)))

        def note(connection, cursor, statement, *rest):
            statements.append(" ".join(statement.split()))

        event.listen(Engine, "before_cursor_execute", note)
        try:
            store.append("turns", dialogue([50]))
        finally:
            event.remove(Engine, "before_cursor_execute", note)
    asked, written = statements
    assert asked == "SELECT max(hydralab_forgotten.seq) AS max_1 FROM hydralab_forgotten"
    assert written.startswith("INSERT INTO turns")
