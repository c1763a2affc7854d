"""Write the database of this version beside those of the earlier ones: python -m tests.stores.earlier."""

import sqlite3
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

from hydralab.stores import PostgresStore, SqliteStore
from hydralab.stores.schema import SCHEMA_VERSION
from hydralab.stores.servers import fresh_schema, postgres_server
from tests.stores.earlier.contents import fill

HERE = Path(__file__).parent


def write_sqlite(target):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lab.db"
        with SqliteStore(path) as store:
            fill(store)
        with closing(sqlite3.connect(path)) as connection:
            target.write_text("\n".join(connection.iterdump()) + "\n", encoding="utf-8")


def write_postgresql(target):
    with postgres_server() as server, fresh_schema(server) as url:
        with PostgresStore(url) as store:
            fill(store)
        schema = url.rpartition("%3D")[2].partition(",")[0]
        program = [
            server.bin_path / "pg_dump",
            "--inserts",
            "--no-owner",
            f"--schema={schema}",
            server.get_uri(),
        ]
        dump = subprocess.run(program, check=True, capture_output=True, text=True).stdout
    lines = [line for line in dump.replace(f"{schema}.", "").splitlines() if line and line[:1] not in "-\\"]
    kept = [
        line
        for line in lines
        if not line.startswith(("SET ", f"CREATE SCHEMA {schema}", "SELECT pg_catalog.set_config"))
    ]
    target.write_text("\n".join(kept).replace("public.vector", "vector") + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_sqlite(HERE / f"sqlite_{SCHEMA_VERSION}.sql")
    write_postgresql(HERE / f"postgresql_{SCHEMA_VERSION}.sql")
