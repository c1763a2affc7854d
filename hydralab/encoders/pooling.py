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
    advance: Callable[[int], Any] = lambda _done: None,
) -> Pooled:
    """Encode texts window by window and pool the windows of each text.

    Each text is scrubbed and cut; equal windows are encoded once, in batches of similar length. The
    vector of a text is the mean of its windows' unit vectors, weighted by their characters, at
    length 1. A blank text gets zeros and no window. When a batch raises anything but a
    HydralabError it is halved until the texts at fault stand alone; those get zeros and a failure.

    Parameters
    ----------
    encode
        Takes a batch of non-blank texts, returns rows of length `dim`.
    advance
        Called with the number of windows done after each batch.

    Raises
    ------
    HydralabError
        What `encode` returned is no finite (n, dim) matrix, or nothing at all could be encoded.
    """
    cut = [windows(clean) if not _blank(clean) else [] for clean in map(scrub, texts)]
    cut = [[window for window in parts if not _blank(window)] for parts in cut]
    counts = np.fromiter(map(len, cut), dtype=np.int64, count=len(cut))
    owners = np.repeat(np.arange(len(cut)), counts)
    flat = [window for parts in cut for window in parts]
    unique: dict[str, int] = {}
    places = np.fromiter((unique.setdefault(window, len(unique)) for window in flat), np.int64, count=len(flat))
    rows, reasons = _encode_unique(list(unique), encode, dim=dim, name=name, batch_size=batch_size, advance=advance)

    weights = np.fromiter(map(len, flat), dtype=np.float32, count=len(flat))
    sums = np.zeros((len(cut), dim), dtype=np.float32)
    np.add.at(sums, owners, rows[places] * weights[:, None])
    failed = {int(owners[k]): reasons[place] for k, place in enumerate(places.tolist()) if place in reasons}
    sums[list(failed)] = 0
    return Pooled(unit_rows(sums), counts, tuple(sorted(failed.items())))


def unit_rows(matrix: Vectors) -> Vectors:
    """Return the rows at length 1; a row of zeros stays.

    >>> import numpy as np
    >>> unit_rows(np.array([[3, 4], [0, 0]], dtype=np.float32)).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    # Scaling by the largest entry first keeps the squares of very small or large ones in range.
    largest = np.abs(matrix).max(axis=1, keepdims=True, initial=0)
    scaled = matrix / np.where(largest > 0, largest, 1)
    norms = np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, None]
    return np.asarray(scaled / np.where(norms > 0, norms, 1), dtype=np.float32)


def checked_rows(returned: Any, texts: Sequence[str], *, dim: int | None, name: str) -> Vectors:
    """Return what an encoder gave back as float32 (n, dim), or say what is wrong with it.

    Raises
    ------
    HydralabError
        Not numbers, not one row a text, another dimension than before, NaN or infinity: with the
        encoder, the row and its text.
    """
    try:
        found = to_numpy(returned) if hasattr(returned, "__array_namespace__") else returned
        matrix = to_numpy(found) if hasattr(found, "detach") else np.asarray(found)
    except ValueError as error:
        raise HydralabError(f"encoder {name!r} returned rows of different lengths, expected {len(texts)} equal rows") from error
    if matrix.dtype.kind not in "fiu":
        raise HydralabError(f"encoder {name!r} returned {matrix.dtype}, expected floating-point numbers")
    if matrix.ndim != 2 or matrix.shape[0] != len(texts) or matrix.shape[1] == 0 or (dim and matrix.shape[1] != dim):
        raise HydralabError(f"encoder {name!r} returned shape {matrix.shape}, expected ({len(texts)}, {dim or 'dim'})")
    with np.errstate(over="ignore"):
        rows = np.ascontiguousarray(matrix, dtype=np.float32)
    finite = np.isfinite(rows).all(axis=1)
    if not finite.all():
        row = int(np.argmin(finite))
        raise HydralabError(f"encoder {name!r} returned NaN or infinity in row {row}, for the text {texts[row][:60]!r}")
    return rows


def _blank(text: str) -> bool:
    return not text.strip() or not normalise(text)


def _encode_unique(
    texts: list[str], encode: Callable[[list[str]], Any], *, dim: int, name: str, batch_size: int, advance: Callable[[int], Any]
) -> tuple[Vectors, dict[int, str]]:
    rows = np.zeros((len(texts), dim), dtype=np.float32)
    reasons: dict[int, str] = {}
    order = sorted(range(len(texts)), key=lambda k: len(texts[k]))
    pending = [order[k : k + batch_size] for k in range(0, len(order), batch_size)][::-1]
    while pending:
        batch = pending.pop()
        try:
            returned = encode([texts[k] for k in batch])
        except HydralabError:
            raise
        except Exception as error:
            if len(batch) > 1:
                pending += [batch[len(batch) // 2 :], batch[: len(batch) // 2]]
                continue
            reasons[batch[0]] = f"{type(error).__name__}: {error}"
        else:
            rows[batch] = unit_rows(checked_rows(returned, [texts[k] for k in batch], dim=dim, name=name))
        advance(len(batch))
    if reasons and len(reasons) == len(texts):
        raise HydralabError(f"encoder {name!r} could encode none of {len(texts)} texts; the first said {next(iter(reasons.values()))}")
    return rows, reasons
