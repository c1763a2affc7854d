"""An index on disk: a folder with a manifest that is checked before anything else is read."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hydralab.errors import HydralabError

__all__ = ["IndexFileError", "StoredIndex", "read_folder", "rows_hash", "stored_rows", "write_folder"]

FORMAT = 1
MANIFEST = "index.json"


class IndexFileError(HydralabError):
    """A stored index is damaged, or made of another model, dimension or rows than asked for."""


@dataclass(frozen=True)
class StoredIndex:
    """A checked folder: settings, the number of rows, and files whose size and checksum are right."""

    path: Path
    settings: Mapping[str, Any]
    rows: int

    def file(self, name: str) -> Path:
        """Return the path of one file."""
        return self.path / name

    def array(self, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
        """Return one array; its shape must be the expected one."""
        array = np.load(self.file(f"{name}.npy"), allow_pickle=False)
        if array.shape != shape:
            raise IndexFileError(
                f"index {self.path}: {name} has shape {array.shape}, expected {shape}; rebuild it"
            )
        return array


def rows_hash(ids: Sequence[str]) -> str:
    """Return a hash of ids in their order.

    >>> rows_hash(["a", "bc"]) == rows_hash(["ab", "c"])
    False
    """
    digest = hashlib.sha256()
    for each in ids:
        encoded = each.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return digest.hexdigest()


def write_folder(
    path: str | Path,
    kind: str,
    settings: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    *,
    rows: int,
    model: str,
    ids: Sequence[str] | None,
    native: Mapping[str, Any] | None = None,
) -> None:
    """Write an index folder beside its place, then move it there, so that a crash leaves the old one.

    Parameters
    ----------
    settings
        What the index is made again from; JSON.
    arrays
        Saved as ``{name}.npy``.
    native
        File name → function that writes it, for formats of other libraries.

    Raises
    ------
    IndexFileError
        When the number of ids is not that of rows, or `path` is something else than an index folder.
    """
    target = Path(path)
    if ids is not None and len(ids) != rows:
        raise IndexFileError(f"index {target}: {len(ids)} ids for {rows} rows, expected one each")
    if target.exists() and not (target / MANIFEST).exists() and (target.is_file() or any(target.iterdir())):
        raise IndexFileError(
            f"index {target}: the path holds something else, expected an index folder or nothing"
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        for name, array in arrays.items():
            np.save(draft / f"{name}.npy", array, allow_pickle=False)
        for name, write in (native or {}).items():
            write(str(draft / name))
        manifest = {
            "format": FORMAT,
            "kind": kind,
            "model": model,
            "rows": rows,
            "settings": dict(settings),
            "ids": None if ids is None else rows_hash(ids),
            "files": {each.name: _fingerprint(each) for each in sorted(draft.iterdir())},
        }
        (draft / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        _swap(draft, target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def read_folder(path: str | Path, kind: str, *, model: str | None, ids: Sequence[str] | None) -> StoredIndex:
    """Check a folder: manifest, sizes and checksums of its files, kind, model and rows.

    Raises
    ------
    IndexFileError
        For the first thing that is not as expected; the message names both sides.
    """
    target = Path(path)
    manifest = _manifest(target)
    where = f"index {target}"
    if manifest["kind"] != kind:
        raise IndexFileError(f"{where} is of kind {manifest['kind']!r}, expected {kind!r}")
    if model is not None and manifest["model"] != model:
        raise IndexFileError(
            f"{where} holds vectors of model {manifest['model']!r}, expected {model!r}; rebuild it"
        )
    if ids is not None and manifest["ids"] != rows_hash(ids):
        raise IndexFileError(
            f"{where} holds {manifest['rows']} other rows than the {len(ids)} expected; rebuild it"
        )
    for name, noted in manifest["files"].items():
        found = _fingerprint(target / name)
        if found != noted:
            raise IndexFileError(
                f"{where}: file {name} has {found['bytes']} bytes and checksum {found['sha256'][:12]}, "
                f"expected {noted['bytes']} and {noted['sha256'][:12]}; it is damaged, rebuild it"
            )
    return StoredIndex(target, manifest["settings"], manifest["rows"])


def stored_rows(path: str | Path) -> int:
    """Return how many rows a folder says that it holds; nothing else of it is checked.

    Raises
    ------
    IndexFileError
        There is no folder with a manifest.
    """
    return int(_manifest(Path(path))["rows"])


def _manifest(target: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((target / MANIFEST).read_text(encoding="utf-8"))
        if manifest["format"] != FORMAT:
            raise IndexFileError(
                f"index {target}: format {manifest['format']}, expected {FORMAT}; rebuild it"
            )
        missing = {"kind", "model", "rows", "settings", "ids", "files"} - manifest.keys()
    except FileNotFoundError:
        raise IndexFileError(
            f"index {target}: no {MANIFEST} there, expected a folder written by save()"
        ) from None
    except (ValueError, KeyError, TypeError, OSError) as error:
        if isinstance(error, IndexFileError):
            raise
        raise IndexFileError(f"index {target}: {MANIFEST} can't be read ({error}); rebuild it") from error
    if missing:
        raise IndexFileError(f"index {target}: {MANIFEST} lacks {', '.join(sorted(missing))}; rebuild it")
    return dict(manifest)


def _fingerprint(file: Path) -> dict[str, Any]:
    if not file.is_file():
        return {"bytes": 0, "sha256": "missing"}
    with file.open("rb") as opened:
        return {"bytes": file.stat().st_size, "sha256": hashlib.file_digest(opened, "sha256").hexdigest()}


def _swap(draft: Path, target: Path) -> None:
    if not target.exists():
        draft.rename(target)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{target.name}-old-", dir=target.parent))
    target.rename(old / "index")
    try:
        draft.rename(target)
    except OSError:
        (old / "index").rename(target)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)
