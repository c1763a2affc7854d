"""A store as a folder of Parquet files: to keep, to hand on, or to move to another store."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from hydralab.errors import StoreError, check_kind
from hydralab.schemas import KEYS, SCHEMAS
from hydralab.stores.opening import open_store
from hydralab.stores.protocol import Store

__all__ = ["export_store", "import_store"]

FORMAT = 2
"""Rises when a folder of this version can't be left to the one before; 1 had no tombstones."""

TOMBSTONES = "tombstones"
MANIFEST = "hydralab.json"

PART = 50_000
"""Rows that are taken out of a file at once, so that a copy takes little memory."""


class _File(NamedTuple):
    """A table in a file of the folder."""

    name: str
    table: str
    model: str | None
    rows: int
    sha256: str


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
                files.append(_write(forgotten, draft, f"{TOMBSTONES}.parquet", TOMBSTONES, None))
        text = json.dumps({"format": FORMAT, "files": [each._asdict() for each in files]}, indent=1)
        (draft / MANIFEST).write_text(text, encoding="utf-8")
        draft.chmod(0o755)
        draft.replace(target)
    except OSError as error:
        raise StoreError(f"{target} can't be written ({error}); nothing was exported") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return target


def import_store(folder: str | Path, store: str | Path | Store) -> Store:
    """Append all tables of an exported folder to a store, together or not at all.

    What the store holds already with the same content is passed over, so an import can be repeated. What was
    forgotten in the store stays so, and an event says what was left out. What was forgotten where the folder
    comes from is forgotten here as well: late writes of it are dropped.

    Parameters
    ----------
    folder
        What `export_store` wrote.
    store
        A store, or what `open_store` takes.

    Returns
    -------
    Store
        The store, open.

    Raises
    ------
    StoreError
        The folder is none of an export, a file in it is damaged, the store holds other content under the same
        key, or something that was forgotten where the folder comes from.
    """
    check_kind("import_store: folder", folder, (str, Path), "a path")
    source = Path(folder)
    files = _manifest(source)
    for each in files:
        _check_whole(source, each)
    opened = open_store(store)
    try:
        with opened.transaction():
            for each in files:
                if each.table != TOMBSTONES:
                    for frame in _frames(source / each.name, each, opened):
                        opened.append(each.table, frame, model=each.model)
            for each in (file for file in files if file.table == TOMBSTONES):
                forgotten = pl.read_parquet(source / each.name)
                _check_gone(opened, forgotten)
                opened.set_tombstones(forgotten)
    except BaseException:
        if opened is not store:
            opened.close()
        raise
    return opened


def _written(store: Store, draft: Path) -> Iterator[_File]:
    wanted: list[tuple[str, str | None]] = [(table, None) for table in SCHEMAS if table != "vectors"]
    wanted += [("vectors", model) for model in sorted(store.models())]
    for number, (table, model) in enumerate(wanted, start=1):
        frame = store.read(table, model=model)
        if not frame.height:
            continue
        name = f"{table}.parquet" if model is None else f"{table}-{number}.parquet"
        yield _write(frame, draft, name, table, model)


def _write(frame: pl.DataFrame, draft: Path, name: str, table: str, model: str | None) -> _File:
    frame.write_parquet(draft / name, row_group_size=PART)
    return _File(name, table, model, frame.height, _sha256(draft / name))


def _check_gone(store: Store, forgotten: pl.DataFrame) -> None:
    """Refuse to take over tombstones of what the store still holds: nobody asked this store to forget it."""
    named = {kind: forgotten.filter(kind=kind)["name"].to_list() for kind in ("dialogue", "memory", "user")}
    dialogues = store.read("dialogues")
    held = {
        "dialogue": store.read("turns", dialogue_id=named["dialogue"])["dialogue_id"],
        "memory": store.read("memories").filter(pl.col("memory_id").is_in(named["memory"]))["memory_id"],
        "user": dialogues.filter(pl.col("user_id").is_in(named["user"]))["user_id"],
    }
    for kind, names in held.items():
        if names.len():
            raise StoreError(
                f"{store!r} holds {kind} {names[0]!r}, which was forgotten where the folder comes from; nothing was "
                f"imported, expected store.forget({kind}={names[0]!r}) before, or another store"
            )


def _manifest(source: Path) -> list[_File]:
    try:
        told: dict[str, Any] = json.loads((source / MANIFEST).read_text(encoding="utf-8"))
        if told["format"] not in range(1, FORMAT + 1):
            raise StoreError(
                f"{source} has format {told['format']!r}, expected at most {FORMAT}: upgrade hydralab to read it"
            )
        return [_File(**each) for each in told["files"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(
            f"{source} is no exported store ({error}), expected a folder that holds {MANIFEST}"
        ) from error


def _frames(path: Path, file: _File, store: Store) -> Iterator[pl.DataFrame]:
    """Yield the rows of a file in parts; those without a key at once, without what the store holds."""
    if KEYS[file.table]:
        rows = pl.scan_parquet(path)
        yield from (rows.slice(start, PART).collect() for start in range(0, file.rows, PART))
        return
    frame = pl.read_parquet(path)
    yield frame.join(store.read(file.table), on=frame.columns, how="anti", nulls_equal=True)


def _check_whole(source: Path, file: _File) -> None:
    path = source / file.name
    found = _sha256(path) if path.is_file() else "missing"
    if found != file.sha256 or Path(file.name).name != file.name:
        raise StoreError(
            f"{path} is damaged (checksum {found[:12]}, expected {file.sha256[:12]}); nothing was imported"
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
