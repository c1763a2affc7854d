"""Databases of every earlier version open with all they hold, and a schema grows on both engines."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from polars.testing import assert_frame_equal

from hydralab.errors import StoreError
from hydralab.schemas import SCHEMAS
from hydralab.stores import PostgresStore, SqliteStore, open_store
from hydralab.stores.migration import MIGRATIONS
from hydralab.stores.schema import SCHEMA_VERSION
from tests.stores.earlier.contents import MODEL, contents, fill

EARLIER = Path(__file__).with_name("earlier")
FILES = sorted(path.name for path in EARLIER.glob("sqlite_*.sql"))
SERVERS = sorted(path.name for path in EARLIER.glob("postgresql_*.sql"))


def holds_everything(store):
    for table, frame in contents().items():
        held = store.read(table, model=MODEL if table == "vectors" else None)
        assert_frame_equal(held.select(frame.columns), frame, check_exact=True)
    assert set(SCHEMAS) >= {
        table for table in SCHEMAS if table != "vectors" and store.read(table) is not None
    }


def test_there_is_a_step_and_a_file_of_each_version():
    versions = {int(re.search(r"\d+", name)[0]) for name in FILES}
    assert versions == {*range(1, SCHEMA_VERSION + 1)} == {*MIGRATIONS, SCHEMA_VERSION}
    assert {int(re.search(r"\d+", name)[0]) for name in SERVERS} == {*range(2, SCHEMA_VERSION + 1)}


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_an_earlier_version(name, path):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((EARLIER / name).read_text(encoding="utf-8"))
    with SqliteStore(path) as store:
        holds_everything(store)
        first = store.store_id
    with SqliteStore(path) as store:
        assert store.store_id == first
        fill(store)
        holds_everything(store)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version FROM hydralab_schema").fetchall() == [(SCHEMA_VERSION,)]


@pytest.mark.parametrize("name", SERVERS)
def test_a_schema_of_an_earlier_version(name, postgres_url):
    with psycopg.connect(postgres_url) as connection:
        connection.execute((EARLIER / name).read_text(encoding="utf-8"))
    for _ in range(2):
        with PostgresStore(postgres_url) as store:
            holds_everything(store)
            fill(store)


def test_the_steps_run_on_both_engines(url, path):
    """What the first version lacked is taken away, as no server ever held it."""
    with open_store(url) as store:
        fill(store)
    lacking = (
        "UPDATE hydralab_schema SET version = 1",
        "DROP INDEX turns_order",
        "DROP TABLE hydralab_edits",
        "ALTER TABLE hydralab_schema DROP COLUMN store_id",
        "ALTER TABLE turns DROP COLUMN parts",
        "DROP TABLE questions",
    )
    execute(url, path, *lacking)
    with open_store(url) as store:
        holds_everything(store)
        assert store.recent("a", 2).equals(contents()["turns"][1:])
        fill(store)


def test_a_newer_schema_is_refused_and_left(url, path):
    open_store(url).close()
    execute(url, path, "UPDATE hydralab_schema SET version = 99")
    with pytest.raises(
        StoreError, match=rf"has schema 99, .* reads schemas up to {SCHEMA_VERSION}\. Nothing was changed"
    ):
        open_store(url)


def test_a_schema_with_tables_of_others_by_our_names(postgres_url):
    execute(postgres_url, None, "CREATE TABLE recipes (name TEXT)", "CREATE TABLE turns (name TEXT)")
    with pytest.raises(StoreError, match=r"is a database of something else \(it has turns\)"):
        PostgresStore(postgres_url)
    execute(postgres_url, None, "DROP TABLE turns")
    PostgresStore(postgres_url).close()


def execute(url, path, *statements):
    """Run SQL past the store."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for each in statements:
                connection.execute(each)
    else:
        with psycopg.connect(url.partition("+")[2] if url.startswith("unix") else url) as connection:
            for each in statements:
                connection.execute(each)
