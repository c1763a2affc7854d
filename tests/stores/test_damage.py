"""A damaged file is named and left as it is."""

import os
import random
import shutil
from pathlib import Path

import polars as pl
import pytest

from hydralab.errors import StoreError
from hydralab.stores import SqliteStore

NOISE = random.Random(21).randbytes(40960)


@pytest.mark.parametrize(
    "content", [b"not a database, but long enough to be read as a header " * 20, b"short"]
)
def test_a_file_that_is_no_database(path, content, refused):
    """FAULTS 21."""
    path.write_bytes(content)
    refused("is damaged .* it is left as it is")


def test_a_file_cut_short(written, refused):
    """FAULTS 21."""
    os.truncate(written, written.stat().st_size // 2)
    refused("is damaged")


def test_a_file_overwritten_in_the_middle(written, refused):
    """FAULTS 21."""
    content = bytearray(written.read_bytes())
    content[4096:40960] = NOISE[:36864]
    written.write_bytes(content)
    refused("is damaged")


def test_a_file_emptied_under_its_log(written, refused):
    """FAULTS 21."""
    with SqliteStore(written) as store:
        store.replace("turns", store.read("turns")[:1].with_columns(text=pl.lit("edited")))
        copies = [shutil.copy(f"{written}{end}", f"{written}{end}.kept") for end in ("", "-wal")]
    shutil.copy(copies[1], f"{written}-wal")
    written.write_bytes(b"")
    refused("is damaged .*it holds nothing while lab.db-wal does")
    written.unlink()
    refused("is damaged .*it holds nothing while lab.db-wal does")


def test_a_log_that_is_none(written, refused):
    """FAULTS 21."""
    Path(f"{written}-wal").write_bytes(b"garbage " * 100)
    refused("is damaged .*lab.db-wal is no write-ahead log")


def test_damage_in_a_file_too_large_to_check_is_met_when_read(written, monkeypatch):
    """FAULTS 21."""
    monkeypatch.setattr("hydralab.stores.files.CHECKED_BYTES", 0)
    content = written.read_bytes()
    written.write_bytes(content[:-40960] + NOISE)
    with SqliteStore(written) as store, pytest.raises(StoreError, match="is damaged"):
        store.read("turns")
