"""Stores to try, and turns to put into them."""

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from hydralab.errors import StoreError
from hydralab.frames import build
from hydralab.stores import SqliteStore, open_store
from hydralab.stores.servers import fresh_schema, postgres_server, redis_server

WRITER = Path(__file__).with_name("writer.py")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "lab.db"


@pytest.fixture(scope="session")
def postgres():
    """Return a PostgreSQL server with pgvector."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def redis():
    """Return a Redis server."""
    with redis_server() as server:
        yield server


@pytest.fixture
def postgres_url(postgres):
    """Return the URL of a new schema."""
    with fresh_schema(postgres) as url:
        yield url


@pytest.fixture
def role(postgres):
    """Return a plain role that may log in."""
    with psycopg.connect(postgres.get_uri(), autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS hydralab_app")
        connection.execute("CREATE ROLE hydralab_app LOGIN PASSWORD 'app' NOSUPERUSER NOBYPASSRLS")
    yield "hydralab_app"
    with psycopg.connect(postgres.get_uri(), autocommit=True) as connection:
        connection.execute("DROP OWNED BY hydralab_app")
        connection.execute("DROP ROLE hydralab_app")


def url_of(kind, request):
    """Return what opens a new store of a kind."""
    if kind == "memory":
        return kind
    if kind == "sqlite":
        return f"sqlite:///{request.getfixturevalue('path')}"
    url = request.getfixturevalue("postgres_url")
    if kind == "postgresql":
        return url
    return f"{request.getfixturevalue('redis').url}?expiry=60+{url}"


@pytest.fixture(params=["memory", "sqlite", "encrypted", "postgresql", "redis+postgresql"])
def store(request):
    """Return a new store of each kind."""
    if request.param == "encrypted":
        with open_store(request.getfixturevalue("path"), key="a key") as opened:
            yield opened
        return
    with open_store(url_of(request.param, request)) as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgresql", "redis+postgresql"])
def url(request):
    """Return the URL of a new store of each kind that outlives a process."""
    return url_of(request.param, request)


@pytest.fixture
def dialogue():
    """Return a function that makes turns of one dialogue."""

    def make(numbers=range(4), dialogue_id="a", text="turn #", **columns):
        return build(
            "turns",
            [
                {
                    "dialogue_id": dialogue_id,
                    "turn_id": f"{dialogue_id}:{i}",
                    "position": i,
                    "round": i,
                    "role": "user",
                    "text": text.replace("#", str(i)),
                    "tokens": 2,
                    **columns,
                }
                for i in numbers
            ],
        )

    return make


@pytest.fixture
def start_writer(path):
    """Return a function that starts another process on the file; see writer.py."""
    started = []

    def start(*arguments):
        command = [sys.executable, str(WRITER), str(path), *map(str, arguments)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def written(path, dialogue):
    """Return a file with a few hundred turns."""
    with SqliteStore(path) as store:
        store.append("turns", dialogue(range(300), text="turn # " * 20))
    return path


@pytest.fixture
def refused(path):
    """Return a function that opens a file, expects an error, and sees that not a byte changed."""

    def expect(match, path=path):
        before = {
            each: each.read_bytes() for each in path.parent.glob("*") if each.suffix in (".db", ".db-wal")
        }
        with pytest.raises(StoreError, match=match) as raised:
            SqliteStore(path, busy_timeout=0.1)
        assert str(path) in str(raised.value)
        assert all(each.read_bytes() == content for each, content in before.items())

    return expect
