"""Full disks, servers that go away, locks that are kept: what is said, and that nothing is half there."""

import os
import random
import resource
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from hydralab.errors import StoreError
from hydralab.frames import build
from hydralab.stores import PostgresStore, SqliteStore, open_store
from hydralab.stores.database import ConnectionLostError
from hydralab.stores.servers import postgres_server

MEGABYTE = 2**20
NOISE = random.Random(5).randbytes(4 * MEGABYTE).hex()


def outgrow(store, dialogue):
    """Append turns of a megabyte, two together, until there is no room; return how many and the error."""
    kept = 0
    while True:
        text = NOISE[kept * MEGABYTE : (kept + 2) * MEGABYTE] or NOISE[:MEGABYTE]
        try:
            with store.transaction():
                store.append("turns", dialogue([kept], text=text))
                store.append("turns", dialogue([kept + 1], text=text))
        except StoreError as error:
            return kept, str(error)
        kept += 2


def go_on(store, refused, later, first=None, between=()):
    """Write a part of what was to be together after a part that was refused, as if nothing had been."""
    with store.transaction():
        if first is not None:
            store.append("turns", first)
        for each in between:
            each()
        with pytest.raises(StoreError):
            store.append("turns", refused)
        store.append("turns", later)


@contextmanager
def files_up_to(size):
    """Let no file of this process, and of those that it starts, grow beyond a size: a disk that is full to it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


def test_a_file_that_has_no_room_to_grow(path, dialogue):
    """FAULTS 21."""
    with files_up_to(6 * MEGABYTE), SqliteStore(path) as store:
        kept, told = outgrow(store, dialogue)
        assert store.read("turns").height == kept > 0
        with pytest.raises(StoreError, match="lost within this transaction"):
            go_on(store, dialogue([kept], text=NOISE), dialogue([kept]))
        assert store.read("turns").height == kept
    assert "there is no room" in told
    assert "nothing of this write was kept" in told
    with SqliteStore(path) as store:
        assert store.read("turns")["position"].to_list() == list(range(kept))
        store.append("turns", dialogue([kept]))


def test_a_server_that_has_no_room_to_grow(dialogue):
    """FAULTS 21."""
    with files_up_to(20 * MEGABYTE), postgres_server() as server, PostgresStore(server.get_uri()) as store:
        kept, told = outgrow(store, dialogue)
        assert "there is no room on the server" in told
        assert "nothing of this write was kept" in told
        assert store.read("turns")["position"].to_list() == list(range(kept))
        store.append("gold", build("gold", [{"dialogue_id": "a", "position": 1}]))


def test_a_server_that_goes_away_and_comes_back(postgres, postgres_url, dialogue):
    with PostgresStore(postgres_url) as store:
        store.append("turns", dialogue([0]))
        postgres.stop()
        try:
            for call in (lambda: store.append("turns", dialogue([1])), lambda: store.read("turns")):
                with pytest.raises(ConnectionLostError, match=r"postgresql://.* can't be reached \("):
                    call()
        finally:
            postgres.ensure_postgres_running()
        assert store.read("turns").equals(dialogue([0]))
        store.append("turns", dialogue([1]))
        postgres.stop()
        postgres.ensure_postgres_running()
        store.append("turns", dialogue([2]))
        assert store.read("turns").equals(dialogue(range(3)))


def test_a_server_that_goes_away_within_a_transaction(postgres, postgres_url, dialogue):
    """FAULTS 21."""
    with PostgresStore(postgres_url) as store:
        restart = (postgres.stop, postgres.ensure_postgres_running)
        with pytest.raises(ConnectionLostError, match="lost within this transaction"):
            go_on(store, dialogue([1]), dialogue([2]), dialogue([0]), restart)
        assert store.read("turns").height == 0
        store.append("turns", dialogue([0]))


def test_a_server_that_was_never_there(tmp_path):
    with pytest.raises(ConnectionLostError, match=r"postgresql://ann:\*\*\*@.* can't be reached"):
        PostgresStore(f"postgresql://ann:secret@/lab?host={tmp_path}")
    for wrong in ("mysql://host", "postgresql", 5):
        with pytest.raises(
            StoreError, match=r"PostgresStore: url is .*expected 'postgresql://user@host/database'"
        ):
            PostgresStore(wrong)


def test_a_server_that_takes_no_writes(postgres_url, dialogue):
    PostgresStore(postgres_url).close()
    with PostgresStore(
        postgres_url.replace("public", "public%20-cdefault_transaction_read_only%3Don")
    ) as store:
        assert store.read("turns").height == 0
        with pytest.raises(StoreError, match="the server takes no writes"):
            store.append("turns", dialogue())


def test_a_lock_that_is_kept_names_its_holder(postgres_url, dialogue):
    """FAULTS 22."""
    with PostgresStore(postgres_url) as one, PostgresStore(postgres_url, busy_timeout=0.2) as other:
        with one.transaction():
            one.append("turns", dialogue([0]))
            assert other.read("turns").height == 0
            with pytest.raises(
                StoreError, match=rf"is locked by hydralab, process {os.getpid()}, .* within 0.2 s"
            ):
                other.append("turns", dialogue([1]))
        other.append("turns", dialogue([1]))
        assert one.read("turns").equals(dialogue(range(2)))


def test_another_process_writes_while_this_one_does(url, dialogue):
    """FAULTS 22."""
    program = "import sys; from tests.stores.writer import session; from hydralab.stores import open_store; "
    run = [sys.executable, "-c", program + "session(open_store(sys.argv[1]), 'b', 0)", url]
    with open_store(url) as store, subprocess.Popen(run, stdout=subprocess.PIPE, text=True) as writer:
        writer.stdout.readline()
        for position in range(20):
            store.append("turns", dialogue([position]))
            assert int(writer.stdout.readline()) == position + 1
        writer.kill()
        writer.wait()
        others = store.read("turns", dialogue_id="b")
        assert others["position"].to_list() == list(range(others.height))
        assert others.height >= 21
        assert store.read("turns", dialogue_id="a").equals(dialogue(range(20)))
