"""Texts to unit rows, each text encoded once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hydralab import frames
from hydralab.encoders.contract import Embedding, Encoder, Vectors
from hydralab.encoders.names import get_encoder
from hydralab.encoders.pooling import Pooled, pooled_vectors
from hydralab.encoders.vector_caches import KeptVectors, text_keys
from hydralab.encoders.windows import DEFAULT_WINDOW, cut_windows
from hydralab.errors import HydralabError
from hydralab.texts import scrub

__all__ = ["embed"]

CHUNK = 128
"""Texts after which the progress bar moves and what was computed is on disk."""

Kind = Literal["passage", "query"]


def embed(
    texts: Sequence[str],
    encoder: str | Encoder | Callable[[list[str]], Any] = "use",
    *,
    kind: Kind = "passage",
    progress: bool = False,
    cache: bool = True,
) -> Embedding:
    """Return the vectors of texts: float32 unit rows.

    Texts are scrubbed first. Equal texts are encoded once, in batches of similar length; a long text
    in windows of the encoder's size, whose vectors are averaged by length. A blank text has a row of
    zeros and no window: its cosine with anything is 0.

    Parameters
    ----------
    texts
        Any strings: blank ones, emoji, lone surrogates and megabytes included.
    encoder
        Whatever `get_encoder` takes. What a function returned is remembered as long as the encoder
        lives that `get_encoder` makes of it, so make that once.
    kind
        "query" for what is searched for: some models (e5) encode it unlike what is found.
    progress
        Show a bar, unless everything is known already.
    cache
        Look vectors up, and keep them, in memory and on disk.

    Returns
    -------
    Embedding
        `vectors` (n, dim) float32, `windows` (n,) int64, `events`.

    Raises
    ------
    HydralabError
        A text is no string; the encoder is missing, unreachable, or returns something else than one
        finite row of its dimension a text; or no text at all could be encoded. A text that fails
        among others has a row of zeros and a "failed" event.

    >>> found = embed(["hello", ""], "use")
    >>> found.vectors.shape, found.windows.tolist()
    ((2, 512), [1, 0])
    """
    chosen = get_encoder(encoder)
    scrubbed = _scrubbed(texts)
    places: dict[str, int] = {}
    order = np.fromiter(
        (places.setdefault(text, len(places)) for text in scrubbed), np.int64, count=len(scrubbed)
    )
    clean = list(places)
    keys = text_keys(clean, kind if hasattr(chosen, "encode_queries") else "passage")
    kept = KeptVectors(chosen, chosen.dim) if cache else None

    rows = np.zeros((len(clean), chosen.dim), dtype=np.float32)
    windows = np.zeros(len(clean), dtype=np.int64)
    missing = np.arange(len(clean))
    if kept:
        known, rows_known, windows_known = kept.get(keys)
        rows[known], windows[known] = rows_known, windows_known
        missing = np.flatnonzero(~known)

    failed: dict[int, str] = {}
    for chunk in _chunks(missing, clean, f"encoding with {chosen.name}" if progress else None):
        pooled = _encode([clean[place] for place in chunk], chosen, kind)
        rows[chunk], windows[chunk] = pooled.vectors, pooled.windows
        failed |= {int(chunk[row]): reason for row, reason in pooled.failures}
        sound = [row for row, place in enumerate(chunk) if int(place) not in failed]
        if kept:
            kept.put([keys[place] for place in chunk[sound]], pooled.vectors[sound], pooled.windows[sound])
    if failed and len(failed) == np.count_nonzero(windows):
        raise HydralabError(
            f"encoder {chosen.name!r} could encode no text; the first failed with {failed[min(failed)]}"
        )

    lost = np.flatnonzero((windows > 0) & ~rows.any(axis=1)).tolist()
    events = [_event(clean[place], failed.get(place)) for place in lost]
    return Embedding(
        rows[order], windows[order], frames.build("events", [*(kept.events if kept else ()), *events])
    )


def _scrubbed(texts: Sequence[str]) -> list[str]:
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        given = "one string" if isinstance(texts, str) else type(texts).__name__
        raise HydralabError(f"embed: got {given}, expected a list of strings")
    listed = list(texts)
    for row, text in enumerate(listed):
        if not isinstance(text, str):
            raise HydralabError(f"embed: text {row} is {type(text).__name__}, expected str")
    return [scrub(text) for text in listed]


def _chunks(missing: NDArray[np.int64], texts: list[str], title: str | None) -> Iterator[NDArray[np.int64]]:
    """Yield what is to be encoded, texts of similar length together, with a bar when it has a title."""
    by_length = (
        missing[np.argsort([len(texts[place]) for place in missing], kind="stable")]
        if missing.size
        else missing
    )
    chunks = [by_length[start : start + CHUNK] for start in range(0, len(by_length), CHUNK)]
    if title is None or not chunks:
        yield from chunks
        return
    from tqdm.auto import tqdm

    with tqdm(total=len(missing), desc=title, unit="text") as bar:
        for chunk in chunks:
            yield chunk
            bar.update(len(chunk))


def _encode(texts: list[str], encoder: Encoder, kind: Kind) -> Pooled:
    encode: Callable[[list[str]], Vectors] = encoder.encode
    if kind == "query":
        encode = getattr(encoder, "encode_queries", encode)
    windows = getattr(encoder, "windows", lambda text: cut_windows(text, DEFAULT_WINDOW))
    return pooled_vectors(texts, encode, dim=encoder.dim, name=encoder.name, windows=windows, salvage=True)


def _event(text: str, reason: str | None) -> dict[str, Any]:
    if reason is None:
        return frames.event(
            "embed", "salvaged", detail=f"the encoder finds no direction in {text[:60]!r}: a row of zeros"
        )
    return frames.event("embed", "failed", detail=f"{text[:60]!r} could not be encoded: {reason}")
