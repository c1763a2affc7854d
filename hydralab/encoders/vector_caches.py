"""Vectors that were computed before: in memory, and on disk through diskcache.

On disk there is one cache a model in the user's cache folder (environment variable HYDRALAB_CACHE), at
most 2 GB each, oldest vectors first out. A key is the SHA-256 of the text, so no text is kept.
Reading 10,000 vectors one by one from it takes about 0.2 s, after that they come from memory.
"""

from __future__ import annotations

import atexit
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from hydralab import frames
from hydralab.encoders.contract import Vectors
from hydralab.texts import scrub
from hydralab.texts.folders import cache_folder

if TYPE_CHECKING:
    from diskcache import Cache

__all__ = ["DiskVectors", "KeptVectors", "MemoryVectors", "forget_texts", "text_keys"]

DISK_LIMIT = 2 * 2**30
MEMORY_LIMIT = 2**29
"""Bytes a model."""

Windows = NDArray[np.int64]

RecallResult = tuple[NDArray[np.bool_], Vectors, Windows]
"""Which keys are known, and the rows and windows of those, in order."""


def text_keys(texts: Sequence[str], kind: str = "passage") -> list[bytes]:
    """Return what texts are filed under; a query's vector is not a passage's."""
    mark = b"" if kind == "passage" else f"{kind}\0".encode()
    return [sha256(mark + text.encode()).digest() for text in texts]


class MemoryVectors:
    """The vectors of one model, in one array that grows.

    Parameters
    ----------
    dim
        Columns of a vector.
    limit
        Bytes at which everything is let go; the disk still has it.
    """

    def __init__(self, dim: int, *, limit: int = MEMORY_LIMIT) -> None:
        self._limit = max(1, limit // (4 * dim))
        self._places: dict[bytes, int] = {}
        self._rows: Vectors = np.empty((0, dim), dtype=np.float32)
        self._windows: Windows = np.empty(0, dtype=np.int64)
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._places)

    def get(self, keys: Sequence[bytes]) -> RecallResult:
        """Return which keys are known, and the rows and windows of those, in order."""
        with self._lock:
            places = np.fromiter((self._places.get(key, -1) for key in keys), dtype=np.int64, count=len(keys))
            known = places >= 0
            return known, self._rows[places[known]], self._windows[places[known]]

    def put(self, keys: Sequence[bytes], rows: Vectors, windows: Windows) -> None:
        """Keep rows under keys that are not known yet."""
        with self._lock:
            if len(self._places) + len(keys) > self._limit:
                self._places.clear()
            fresh = {key: k for k, key in enumerate(keys) if key not in self._places}
            first, chosen = len(self._places), list(fresh.values())
            self._make_room(first + len(chosen))
            self._rows[first : first + len(chosen)] = rows[chosen]
            self._windows[first : first + len(chosen)] = windows[chosen]
            self._places.update(zip(fresh, range(first, first + len(chosen)), strict=True))

    def drop(self, keys: Sequence[bytes]) -> int:
        """Forget the vectors of keys and return how many there were."""
        with self._lock:
            places = [place for key in keys if (place := self._places.pop(key, None)) is not None]
            kept = list(self._places.values())
            self._rows, self._windows = self._rows[kept], self._windows[kept]
            self._places = dict(zip(self._places, range(len(kept)), strict=True))
            return len(places)

    def _make_room(self, size: int) -> None:
        if size > len(self._rows):
            more = max(size, 2 * len(self._rows), 256) - len(self._rows)
            self._rows = np.concatenate([self._rows, np.empty((more, self._rows.shape[1]), dtype=np.float32)])
            self._windows = np.concatenate([self._windows, np.empty(more, dtype=np.int64)])


class DiskVectors:
    """The vectors of one model in a folder.

    A value is 8 bytes with the number of windows and then the row. Values of another length are of
    another model and count as not there.
    """

    def __init__(self, folder: Path, dim: int) -> None:
        self._cache = _open(str(folder))
        self._dim = dim

    def get(self, keys: Sequence[bytes]) -> RecallResult:
        """Return which keys are known, and the rows and windows of those, in order."""
        length = 8 + 4 * self._dim
        found = [self._cache.get(key) for key in keys]
        known = np.fromiter(
            (isinstance(v, bytes) and len(v) == length for v in found), np.bool_, count=len(found)
        )
        table = np.frombuffer(b"".join(v for v, use in zip(found, known, strict=True) if use), dtype=np.uint8)
        table = table.reshape(-1, length)
        windows = np.ascontiguousarray(table[:, :8]).view(np.int64)[:, 0]
        rows = np.ascontiguousarray(table[:, 8:]).view(np.float32)
        sound = np.isfinite(rows).all(axis=1)
        known[np.flatnonzero(known)[~sound]] = False
        return known, rows[sound], windows[sound]

    def put(self, keys: Sequence[bytes], rows: Vectors, windows: Windows) -> None:
        """Keep rows under keys, all or none."""
        with self._cache.transact():
            for key, row, count in zip(keys, rows, windows, strict=True):
                self._cache.set(key, count.astype(np.int64).tobytes() + row.astype(np.float32).tobytes())

    def drop(self, keys: Sequence[bytes]) -> int:
        """Forget the vectors of keys and return how many there were."""
        with self._cache.transact():
            return sum(bool(self._cache.delete(key)) for key in keys)


class KeptVectors:
    """What is known of a model's vectors: from memory, else from disk, which fills the memory.

    A disk that can't be used is no reason to stop: it becomes an event, and memory alone serves.

    Parameters
    ----------
    model
        An encoder, or what else makes rows of texts. With a `cache_key` its vectors are on disk as well, and shared
        by equal models.
    dim
        Columns of a vector.

    Attributes
    ----------
    events
        What went wrong with the disk.
    """

    def __init__(self, model: object, dim: int) -> None:
        self.events: list[dict[str, Any]] = []
        self._memory = _memory_for(model, dim)
        self._dim = dim
        key = getattr(model, "cache_key", None) if getattr(model, "on_disk", True) else None
        self._folder = _folder_for(key) if key else None

    def get(self, keys: Sequence[bytes]) -> RecallResult:
        """Return which keys are known, and the rows and windows of those, in order."""
        known, rows, windows = self._memory.get(keys)
        missing = [key for key, there in zip(keys, known, strict=True) if not there]
        if not missing or self._folder is None:
            return known, rows, windows
        with self._noting():
            there, found, counts = DiskVectors(self._folder, self._dim).get(missing)
            self._memory.put([key for key, read in zip(missing, there, strict=True) if read], found, counts)
        return self._memory.get(keys)

    def put(self, keys: Sequence[bytes], rows: Vectors, windows: Windows) -> None:
        """Keep rows in memory and on disk."""
        self._memory.put(keys, rows, windows)
        if self._folder is not None and len(keys):
            with self._noting():
                DiskVectors(self._folder, self._dim).put(keys, rows, windows)

    @contextmanager
    def _noting(self) -> Iterator[None]:
        from diskcache import Timeout

        try:
            yield
        except (OSError, sqlite3.Error, Timeout) as error:
            detail = f"the vector cache in {self._folder} can't be used: {type(error).__name__}: {error}"
            self.events.append(frames.event("embed", "failed", detail=detail))
            self._folder = None
            _open.cache_clear()


def forget_texts(texts: Sequence[str]) -> int:
    """Delete the vectors of texts from memory and disk, of every model, and return how many there were.

    A vector gives away what its text was about; call this when a text has to be gone.
    """
    keys = [key for kind in ("passage", "query") for key in text_keys(list(map(scrub, texts)), kind)]
    with _lock:
        memories = [*_by_key.values(), *_by_model.values()]
    dropped = sum(memory.drop(keys) for memory in memories)
    folder = cache_folder("vectors")
    for model in sorted(folder.iterdir()) if folder.is_dir() else ():
        dropped += DiskVectors(model, dim=0).drop(keys)
    return dropped


_lock = Lock()
_by_key: dict[str, MemoryVectors] = {}
_by_model: WeakKeyDictionary[Any, MemoryVectors] = WeakKeyDictionary()


def _memory_for(model: object, dim: int) -> MemoryVectors:
    key = getattr(model, "cache_key", None)
    holder: Any = _by_key if key else _by_model
    with _lock:
        kept: MemoryVectors = holder.setdefault(key or model, MemoryVectors(dim))
    return kept


def _folder_for(key: str) -> Path:
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", key)[:60]
    return cache_folder("vectors") / f"{readable}-{sha256(key.encode()).hexdigest()[:12]}"


@lru_cache(maxsize=16)
def _open(folder: str) -> Cache:
    from diskcache import Cache, Disk
    from diskcache.core import MODE_RAW

    class BytesOnly(Disk):
        """Values as they are: diskcache would unpickle, and so run, whatever somebody put there."""

        def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
            return super().fetch(mode, filename, value, read) if mode == MODE_RAW else None

    cache = Cache(folder, disk=BytesOnly, size_limit=DISK_LIMIT, disk_min_file_size=2**20, timeout=5)
    atexit.register(cache.close)
    return cache
