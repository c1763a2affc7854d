"""Read a folder that `export_store` wrote into a store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from hydralab.errors import StoreError, check_kind
from hydralab.schemas import KEYS
from hydralab.stores.opening import open_store
from hydralab.stores.parquet_folder import PART, TOMBSTONES, TableFile, check_whole, read_manifest
from hydralab.stores.protocol import Store

__all__ = ["import_store"]


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
    files = read_manifest(source)
    for each in files:
        check_whole(source, each)
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


def _frames(path: Path, file: TableFile, store: Store) -> Iterator[pl.DataFrame]:
    """Yield the rows of a file in parts; those without a key at once, without what the store holds."""
    if KEYS[file.table]:
        rows = pl.scan_parquet(path)
        yield from (rows.slice(start, PART).collect() for start in range(0, file.rows, PART))
        return
    frame = pl.read_parquet(path)
    yield frame.join(store.read(file.table), on=frame.columns, how="anti", nulls_equal=True)
