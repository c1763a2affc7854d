"""What a store is as a folder of Parquet files: the files, and the manifest that names them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hydralab.errors import StoreError

__all__ = [
    "MANIFEST",
    "PART",
    "TOMBSTONES",
    "TableFile",
    "check_whole",
    "read_manifest",
    "sha256_of",
    "write_manifest",
]

FORMAT = 2
"""Rises when a folder of this version can't be left to the one before; 1 had no tombstones."""

TOMBSTONES = "tombstones"
MANIFEST = "hydralab.json"

PART = 5_000
"""Rows that are taken out of a file at once, so that a copy takes little memory."""


class TableFile(NamedTuple):
    """A table in a file of the folder."""

    name: str
    table: str
    model: str | None
    rows: int
    sha256: str


def write_manifest(folder: Path, files: Sequence[TableFile]) -> None:
    """Name the files of a folder, so that it can be imported."""
    content = {"format": FORMAT, "files": [each._asdict() for each in files]}
    (folder / MANIFEST).write_text(json.dumps(content, indent=1), encoding="utf-8")


def read_manifest(source: Path) -> list[TableFile]:
    """Return the files of an exported folder, or refuse one that is none or a newer version's."""
    try:
        manifest: dict[str, Any] = json.loads((source / MANIFEST).read_text(encoding="utf-8"))
        if manifest["format"] not in range(1, FORMAT + 1):
            raise StoreError(
                f"{source} has format {manifest['format']!r}, expected at most {FORMAT}: upgrade hydralab to read it"
            )
        return [TableFile(**each) for each in manifest["files"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(
            f"{source} is no exported store ({error}), expected a folder that holds {MANIFEST}"
        ) from error


def check_whole(source: Path, file: TableFile) -> None:
    """Refuse a file of an exported folder that is missing or not as it was written."""
    path = source / file.name
    checksum = sha256_of(path) if path.is_file() else "missing"
    if checksum != file.sha256 or Path(file.name).name != file.name:
        raise StoreError(
            f"{path} is damaged (checksum {checksum[:12]}, expected {file.sha256[:12]}); nothing was imported"
        )


def sha256_of(path: Path) -> str:
    """Return the checksum of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
