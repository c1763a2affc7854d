"""Processes and threads that share a store."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from hydralab.errors import StoreError
from hydralab.stores import SqliteStore


def read_lines(writer, count):
    return [writer.stdout.readline() for _ in range(count)]


def test_two_processes_append_to_a_file_they_create_together(path, start_writer):
    """FAULTS 22."""
    writers = {name: start_writer("session", name, 0) for name in ("a", "b")}
    for writer in writers.values():
        read_lines(writer, 20)
    for writer in writers.values():
        writer.kill()
        writer.wait()
    with SqliteStore(path) as store:
        for name in writers:
            turns = store.read("turns", dialogue_id=name)
            assert turns.height >= 20
            assert turns["position"].to_list() == list(range(turns.height))


def test_a_lock_that_is_kept_names_its_holder(path, start_writer, dialogue):
    """FAULTS 22."""
    with SqliteStore(path, busy_timeout=0.1) as store:
        holder = start_writer("hold")
        read_lines(holder, 1)
        assert store.read("turns").height == 0
        with pytest.raises(StoreError, match=rf"is locked by process {holder.pid} \(python.*within 0.1 s"):
            store.append("turns", dialogue())
        holder.communicate("done\n")
        store.append("turns", dialogue())
        assert store.read("turns").height == 4


def test_a_lock_of_this_process_is_told_apart(path, dialogue):
    told = pytest.raises(StoreError, match=rf"is locked by this process \({os.getpid()}\)")
    with SqliteStore(path) as one, SqliteStore(path, busy_timeout=0) as other, one.transaction(), told:
        other.append("turns", dialogue())


def test_threads_append_to_one_store(store, dialogue):
    def write(name):
        for i in range(20):
            with store.transaction():
                store.append("turns", dialogue([2 * i], name))
                store.append("turns", dialogue([2 * i + 1], name))
            assert store.read("turns", dialogue_id=name).height == 2 * i + 2

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, ["a", "b"]))
    for name in ("a", "b"):
        assert store.read("turns", dialogue_id=name).equals(dialogue(range(40), name))


def test_the_same_turns_from_two_stores_are_stored_once(path, dialogue):
    """FAULTS 15."""
    with SqliteStore(path) as one, SqliteStore(path) as other:
        one.append("turns", dialogue(range(4)))
        other.append("turns", dialogue(range(6)))
        assert one.read("turns").equals(dialogue(range(6)))
