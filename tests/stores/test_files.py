"""Files that can't be opened are named, and left as they are."""

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from hydralab.errors import StoreError
from hydralab.stores import SqliteStore
from hydralab.stores.files import explain


def execute(path, *statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return [connection.execute(each).fetchall() for each in statements]


def test_a_missing_folder(tmp_path, refused):
    refused(f"there is no folder {tmp_path / 'none'}, expected one that exists", tmp_path / "none" / "lab.db")


def test_a_folder_in_the_place_of_the_file(tmp_path, refused):
    refused("is a folder, expected a file or a new name", tmp_path)


def test_an_empty_file_is_a_new_store(path):
    path.touch()
    with SqliteStore(path) as store:
        assert store.read("turns").height == 0


def test_a_database_of_something_else(path, refused):
    execute(path, "CREATE TABLE recipes (name TEXT)")
    refused(r"is a database of something else \(it has recipes\)")


def test_a_newer_schema(written, refused):
    execute(written, "UPDATE hydralab_schema SET version = 99")
    refused("has schema 99, written by a newer hydralab; this one reads schemas up to 2")


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
    assert str(explain(path, full.value, 1)).startswith(f"{path}: there is no room to write (")


def test_columns_and_tables_that_came_later_are_added(written):
    execute(
        written, "ALTER TABLE turns DROP COLUMN parts", "DROP TABLE memories", "CREATE TABLE notes (text)"
    )
    with SqliteStore(written) as store:
        assert store.read("turns")["parts"].null_count() == 300
        assert store.read("memories").height == 0


@pytest.fixture
def unprivileged(tmp_path):  # pytest's own folder is made before the rights to it go
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


def test_a_folder_without_write_permission(unprivileged, refused):
    unprivileged.chmod(0o500)
    refused("can't be written .* expected a file and folder with write permission", unprivileged / "lab.db")


def test_a_file_without_write_permission(unprivileged, dialogue, refused):
    path = unprivileged / "lab.db"
    with SqliteStore(path) as store:
        store.append("turns", dialogue())
    path.chmod(0o400)
    unprivileged.chmod(0o500)
    refused("can't be written", path)


def test_a_log_without_read_permission(unprivileged, dialogue):
    path = unprivileged / "lab.db"
    SqliteStore(path).close()
    log = Path(f"{path}-wal")
    log.write_bytes(b"x")
    log.chmod(0)
    with pytest.raises(StoreError, match=r"lab\.db-wal can't be read"):
        SqliteStore(path)
