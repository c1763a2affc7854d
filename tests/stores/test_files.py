"""Files that can't be opened are named, and left as they are."""

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

from hydralab.errors import StoreError
from hydralab.stores import SqliteStore
from hydralab.stores.files import explain


@pytest.fixture
def written(path, dialogue):
    """Return a file with a few hundred turns."""
    with SqliteStore(path) as store:
        store.append("turns", dialogue(range(300), text="turn # " * 20))
    return path


def execute(path, *statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return [connection.execute(each).fetchall() for each in statements]


def refused(path, match):
    """Open a file, expect an error, and see that not a byte of it changed."""
    before = {each: each.read_bytes() for each in path.parent.glob("*") if each.suffix in (".db", ".db-wal")}
    with pytest.raises(StoreError, match=match) as raised:
        SqliteStore(path, busy_timeout=0.1)
    assert str(path) in str(raised.value)
    assert all(each.read_bytes() == content for each, content in before.items())


def test_a_missing_folder(tmp_path):
    refused(tmp_path / "none" / "lab.db", f"there is no folder {tmp_path / 'none'}, expected one that exists")


def test_a_folder_in_the_place_of_the_file(tmp_path):
    refused(tmp_path, "is a folder, expected a file or a new name")


@pytest.mark.parametrize(
    "content", [b"not a database, but long enough to be read as a header " * 20, b"short"]
)
def test_a_file_that_is_no_database(path, content):
    """FAULTS 21."""
    path.write_bytes(content)
    refused(path, "is damaged .* it is left as it is")


def test_a_file_cut_short(written):
    """FAULTS 21."""
    os.truncate(written, written.stat().st_size // 2)
    refused(written, "is damaged")


def test_a_file_overwritten_in_the_middle(written):
    """FAULTS 21."""
    content = bytearray(written.read_bytes())
    content[4096:40960] = os.urandom(36864)
    written.write_bytes(content)
    refused(written, "is damaged")


def test_a_file_emptied_under_its_log(written):
    """FAULTS 21."""
    with SqliteStore(written) as store:
        store.replace("turns", store.read("turns")[:1].with_columns(text=pl.lit("edited")))
        copies = [shutil.copy(f"{written}{end}", f"{written}{end}.kept") for end in ("", "-wal")]
    shutil.copy(copies[1], f"{written}-wal")
    written.write_bytes(b"")
    refused(written, "is damaged .*it holds nothing while lab.db-wal does")
    written.unlink()
    refused(written, "is damaged .*it holds nothing while lab.db-wal does")


def test_a_log_that_is_none(written):
    """FAULTS 21."""
    Path(f"{written}-wal").write_bytes(b"garbage " * 100)
    refused(written, "is damaged .*lab.db-wal is no write-ahead log")


def test_damage_in_a_file_too_large_to_check_is_met_when_read(written, monkeypatch):
    """FAULTS 21."""
    monkeypatch.setattr("hydralab.stores.files.CHECKED_BYTES", 0)
    content = written.read_bytes()
    written.write_bytes(content[:-40960] + os.urandom(40960))
    with SqliteStore(written) as store, pytest.raises(StoreError, match="is damaged"):
        store.read("turns")


def test_an_empty_file_is_a_new_store(path):
    path.touch()
    with SqliteStore(path) as store:
        assert store.read("turns").height == 0


def test_a_database_of_something_else(path):
    execute(path, "CREATE TABLE recipes (name TEXT)")
    refused(path, r"is a database of something else \(it has recipes\)")


def test_a_newer_schema(written):
    execute(written, "UPDATE hydralab_schema SET version = 99")
    refused(written, "has schema 99, written by a newer hydralab; this one reads schemas up to 1")


def test_a_file_that_is_locked_while_it_has_to_grow(written):
    execute(written, "ALTER TABLE turns DROP COLUMN parts")
    with closing(sqlite3.connect(written)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="is locked by this process"):
            SqliteStore(written, busy_timeout=0.05)
    SqliteStore(written).close()


def test_a_full_disk_is_named(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(sqlite3.Error) as full:
            connection.execute("CREATE TABLE turns (text TEXT)")
    assert str(explain(path, full.value, 1)) == f"{path}: the disk is full; nothing of this write was kept"


def test_columns_and_tables_that_came_later_are_added(written):
    execute(
        written, "ALTER TABLE turns DROP COLUMN parts", "DROP TABLE memories", "CREATE TABLE notes (text)"
    )
    with SqliteStore(written) as store:
        assert store.read("turns")["parts"].null_count() == 300
        assert store.read("memories").height == 0


@pytest.fixture
def unprivileged():
    """Run without root's right to write everywhere, in a folder of one's own."""
    root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if root:
            os.chown(folder, 65534, 65534)
            os.seteuid(65534)
        try:
            yield folder
        finally:
            folder.chmod(0o700)
            if root:
                os.seteuid(0)


def test_a_folder_without_write_permission(unprivileged):
    unprivileged.chmod(0o500)
    refused(unprivileged / "lab.db", "can't be written .* expected a file and folder with write permission")


def test_a_file_without_write_permission(unprivileged, dialogue):
    path = unprivileged / "lab.db"
    with SqliteStore(path) as store:
        store.append("turns", dialogue())
    path.chmod(0o400)
    unprivileged.chmod(0o500)
    refused(path, "can't be written")


def test_a_log_without_read_permission(unprivileged, dialogue):
    path = unprivileged / "lab.db"
    SqliteStore(path).close()
    log = Path(f"{path}-wal")
    log.write_bytes(b"x")
    log.chmod(0)
    with pytest.raises(StoreError, match=r"lab\.db-wal can't be read"):
        SqliteStore(path)
