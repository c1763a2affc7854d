"""From texts of any length to unit rows: windows, batches by length, validation, pooling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hydralab.core.backend import to_numpy
from hydralab.encoders.contract import Vectors
from hydralab.errors import HydralabError
from hydralab.texts import normalise, scrub

__all__ = ["Pooled", "checked_rows", "pooled_vectors", "unit_rows"]

BATCH_SIZE = 64
"""Windows a call of the model; callers that pay per request set their own."""


@dataclass(frozen=True)
class Pooled:
    """Unit rows, windows a text, and (row, reason) of each text that could not be encoded."""

    vectors: Vectors
    windows: NDArray[np.int64]
    failures: tuple[tuple[int, str], ...] = ()


def pooled_vectors(
    texts: Sequence[str],
    encode: Callable[[list[str]], Any],
    *,
    dim: int,
    name: str,
    windows: Callable[[str], list[str]],
    batch_size: int = BATCH_SIZE,
    salvage: bool = False,
) -> Pooled:
    """Encode texts window by window and pool the windows of each text.

    Each text is scrubbed and cut; equal windows are encoded once, in batches of similar length. The
    vector of a text is the mean of its windows' unit vectors, weighted by their characters, at
    length 1. A blank text gets zeros and no window.

    Parameters
    ----------
    encode
        Takes a batch of non-blank texts, returns rows of length `dim`.
    salvage
        A batch that raises is halved until the texts at fault stand alone; those get zeros and a
        failure. A HydralabError tells of the encoder, not of a text, and is raised all the same.

    Raises
    ------
    HydralabError
        What `encode` returned is no finite (n, dim) matrix.
    """
    cut = [_windows(scrub(text), windows) for text in texts]
    counts = np.fromiter(map(len, cut), dtype=np.int64, count=len(cut))
    flat = [window for parts in cut for window in parts]
    unique: dict[str, int] = {}
    places = np.fromiter(
        (unique.setdefault(window, len(unique)) for window in flat), np.int64, count=len(flat)
    )

    def encode_checked(batch: list[str]) -> Vectors:
        return unit_rows(checked_rows(encode(batch), batch, dim=dim, name=name))

    rows, reasons = _encode_batches(list(unique), encode_checked, dim, batch_size, salvage=salvage)

    sums = np.zeros((len(cut), dim), dtype=np.float32)
    filled = np.flatnonzero(counts)
    if filled.size:
        weights = np.fromiter(map(len, flat), dtype=np.float32, count=len(flat))
        starts = (np.cumsum(counts) - counts)[filled]
        sums[filled] = np.add.reduceat(rows[places] * weights[:, None], starts, axis=0)
    owners = np.repeat(np.arange(len(cut)), counts).tolist()
    failed = {
        owner: reasons[place]
        for owner, place in zip(owners, places.tolist(), strict=True)
        if place in reasons
    }
    sums[list(failed)] = 0
    return Pooled(unit_rows(sums), counts, tuple(sorted(failed.items())))


def unit_rows(matrix: Vectors) -> Vectors:
    """Return the rows at length 1; a row of zeros stays.

    >>> import numpy as np
    >>> unit_rows(np.array([[3, 4], [0, 0]], dtype=np.float32)).round(3).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    # Scaling by the largest entry first keeps the squares of very small or large ones in range.
    largest = np.abs(matrix).max(axis=1, keepdims=True, initial=0)
    scaled = matrix / np.where(largest > 0, largest, 1)
    norms = np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, None]
    return np.asarray(scaled / np.where(norms > 0, norms, 1), dtype=np.float32)


def checked_rows(returned: Any, texts: Sequence[str], *, dim: int | None, name: str) -> Vectors:
    """Return what an encoder gave back as float32 (n, dim), or say what is wrong with it.

    Parameters
    ----------
    returned
        A numpy, torch or other Array-API array, or a list of rows.
    texts
        What it was asked to encode.
    dim
        The columns expected; None takes any.

    Raises
    ------
    HydralabError
        Not numbers, not one row a text, another dimension than before, NaN or infinity: with the
        encoder, the row and its text.
    """
    try:
        matrix = to_numpy(returned) if hasattr(returned, "shape") else np.asarray(returned)
    except ValueError as error:
        raise HydralabError(
            f"encoder {name!r} returned rows of different lengths, expected {len(texts)} rows of {dim or 'one'} length"
        ) from error
    if matrix.dtype.kind not in "fiu":
        raise HydralabError(f"encoder {name!r} returned {matrix.dtype}, expected floating-point numbers")
    if (
        matrix.ndim != 2
        or matrix.shape[0] != len(texts)
        or matrix.shape[1] == 0
        or (dim and matrix.shape[1] != dim)
    ):
        raise HydralabError(
            f"encoder {name!r} returned an array of shape {matrix.shape}, expected ({len(texts)}, {dim or 'dim'})"
        )
    with np.errstate(over="ignore"):
        rows = np.ascontiguousarray(matrix, dtype=np.float32)
    finite = np.isfinite(rows).all(axis=1)
    if not finite.all():
        row = int(np.argmin(finite))
        raise HydralabError(
            f"encoder {name!r} returned NaN or infinity in row {row}, for the text {texts[row][:60]!r}"
        )
    return rows


def _windows(text: str, windows: Callable[[str], list[str]]) -> list[str]:
    if not _written(text):
        return []
    parts = windows(text)
    return parts if len(parts) == 1 else [part for part in parts if _written(part)]


def _written(text: str) -> bool:
    """Tell whether anything is left of a text without spaces and invisible characters."""
    start = text.lstrip()[:32]
    return bool(start) and (start.isascii() or bool(normalise(start)) or bool(normalise(text)))


def _encode_batches(
    texts: list[str], encode: Callable[[list[str]], Vectors], dim: int, batch_size: int, *, salvage: bool
) -> tuple[Vectors, dict[int, str]]:
    rows = np.zeros((len(texts), dim), dtype=np.float32)
    reasons: dict[int, str] = {}
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    pending = [order[start : start + batch_size] for start in range(0, len(order), batch_size)]
    while pending:
        batch = pending.pop()
        try:
            rows[batch] = encode([texts[place] for place in batch])
        except Exception as error:  # an encoder of others may raise anything
            if not salvage or isinstance(error, HydralabError):
                raise
            if len(batch) > 1:
                pending += [batch[: len(batch) // 2], batch[len(batch) // 2 :]]
            else:
                reasons[batch[0]] = f"{type(error).__name__}: {error}"
    return rows, reasons
