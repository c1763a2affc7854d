"""Write a store into a folder of Parquet files: to keep, to hand on, or to move to another store."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import polars as pl

from hydralab.errors import StoreError, check_kind
from hydralab.schemas import SCHEMAS
from hydralab.stores.parquet_folder import TOMBSTONES, TableFile, sha256_of, write_manifest
from hydralab.stores.protocol import ReadsInParts, Store

__all__ = ["export_store"]

ROW_GROUP = 2_500
"""Rows that a file holds together: so many have to be in memory at once when it is read in parts."""


def export_store(store: Store, folder: str | Path) -> Path:
    """Write all tables of a store into a new folder: a Parquet file a table, and for vectors one a model.

    The folder appears whole or not at all, and holds one state of the store: writers wait meanwhile.

    Parameters
    ----------
    store
        An open store.
    folder
        Not there yet, or empty.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    StoreError
        The folder holds something, or can't be written.

    >>> import tempfile, hydralab as hl
    >>> from hydralab.stores import import_store
    >>> folder, store = tempfile.TemporaryDirectory(), hl.MemoryStore()
    >>> store.append("turns", hl.read(hl.example("launch_en")))
    >>> [each.name for each in sorted(export_store(store, f"{folder.name}/out").iterdir())]
    ['hydralab.json', 'turns.parquet']
    >>> import_store(f"{folder.name}/out", "memory").read("turns").height
    22
    >>> folder.cleanup()
    """
    check_kind("export: folder", folder, (str, Path), "a path")
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise StoreError(f"{target} holds something already, expected a new or empty folder to export into")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    except OSError as error:
        raise StoreError(
            f"{target} can't be written ({error}), expected a folder with write permission"
        ) from error
    try:
        with store.transaction():
            files = list(_written(store, draft))
            forgotten = store.tombstones()
            if forgotten.height:
                path = draft / f"{TOMBSTONES}.parquet"
                rows = _write([forgotten], path)
                files.append(TableFile(path.name, TOMBSTONES, None, rows, sha256_of(path)))
        write_manifest(draft, files)
        draft.chmod(0o755)
        draft.replace(target)
    except OSError as error:
        raise StoreError(f"{target} can't be written ({error}); nothing was exported") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return target


def _written(store: Store, draft: Path) -> Iterator[TableFile]:
    wanted: list[tuple[str, str | None]] = [(table, None) for table in SCHEMAS if table != "vectors"]
    wanted += [("vectors", model) for model in sorted(store.models())]
    for number, (table, model) in enumerate(wanted, start=1):
        name = f"{table}.parquet" if model is None else f"{table}-{number}.parquet"
        rows = _write(_parts(store, table, model), draft / name)
        if rows:
            yield TableFile(name, table, model, rows, sha256_of(draft / name))


def _parts(store: Store, table: str, model: str | None) -> Iterator[pl.DataFrame]:
    if isinstance(store, ReadsInParts):
        return store.read_parts(table, model=model)
    return iter([store.read(table, model=model)])


def _write(parts: Iterable[pl.DataFrame], path: Path) -> int:
    """Write rows part after part into a file, if there are any, and return their number."""
    rows, pieces = 0, list[Path]()
    for part in parts:
        if part.height:
            rows += part.height
            pieces.append(path.with_suffix(f".{len(pieces)}"))
            part.write_parquet(pieces[-1])
    if pieces:
        pl.scan_parquet(pieces).sink_parquet(path, row_group_size=ROW_GROUP)
    for piece in pieces:
        piece.unlink()
    return rows
