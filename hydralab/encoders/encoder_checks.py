"""The contract of an encoder, as checks that anyone can run on theirs."""

from __future__ import annotations

import resource
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from hydralab.encoders.contract import Encoder, Vectors
from hydralab.encoders.embedding import embed
from hydralab.encoders.names import get_encoder
from hydralab.errors import HydralabError, broken_promises

__all__ = ["ENCODER_CHECKS", "check_encoder"]

MEMORY_BOUND = 2**30
"""Bytes that a text of 1 MB may take beyond what the loaded model takes."""

TOLERANCE = 1e-4

SAMPLES = (
    "The marketing budget is 84,500 euros.",
    "市场推广预算大约是四十万元。",
    "好的",
    "ok",
    "👩‍👩‍👧‍👦 🎉",
    "half a pair: \ud83d",
    "\u202bשלום\u202c  NUL\x00 and \ufeffBOM\r\n",
)


def check_encoder(encoder: str | Encoder | Callable[[list[str]], Any]) -> None:
    """Check that an encoder holds what hydralab relies on.

    Name and dimension; no texts; blank texts; emoji, lone surrogates, NULs; a text of 1 MB within
    bounded memory; float32 unit rows; the same vector for the same text in any batch and any order;
    nothing that was passed in is changed; a repr without an address.

    Raises
    ------
    HydralabError
        With every check that failed, and how.

    >>> check_encoder("use")
    """
    chosen = get_encoder(encoder)
    broken = broken_promises(ENCODER_CHECKS, chosen)
    if broken:
        raise HydralabError(
            f"encoder {getattr(chosen, 'name', chosen)!r} breaks its contract: {'; '.join(broken)}"
        )


def _check_names(encoder: Encoder) -> None:
    _hold(isinstance(encoder.name, str) and bool(encoder.name), f"name is {encoder.name!r}, expected a word")
    _hold(
        isinstance(encoder.dim, int) and encoder.dim > 0, f"dim is {encoder.dim!r}, expected a positive int"
    )


def _check_printable(encoder: Encoder) -> None:
    shown = repr(encoder)
    _hold(" at 0x" not in shown, f"repr is {shown}, expected one without an address")


def _check_no_texts(encoder: Encoder) -> None:
    shape = _vectors([], encoder).shape
    _hold(shape == (0, encoder.dim), f"no texts give shape {shape}, expected {(0, encoder.dim)}")


def _check_blank(encoder: Encoder) -> None:
    found = embed(["", " \n\t\u3000", "\u200b", "word"], encoder, cache=False)
    _hold(not found.vectors[:3].any(), "a blank text has no row of zeros")
    _hold(
        found.windows[:3].tolist() == [0, 0, 0],
        f"blank texts have {found.windows[:3].tolist()} windows, expected none",
    )
    _hold(bool(found.vectors[3].any()), "a word beside blank texts has a row of zeros")


def _check_unit_rows(encoder: Encoder) -> None:
    vectors = _vectors(SAMPLES, encoder)
    _hold(vectors.dtype == np.float32, f"dtype is {vectors.dtype}, expected float32")
    lengths = np.linalg.norm(vectors, axis=1)
    wrong = int(np.argmax(np.abs(lengths - 1)))
    _hold(
        bool(np.allclose(lengths, 1, atol=TOLERANCE)),
        f"{SAMPLES[wrong]!r} has length {lengths[wrong]:.4f}, expected 1",
    )


def _check_any_batch(encoder: Encoder) -> None:
    together = _vectors(SAMPLES, encoder)
    backwards = _vectors(SAMPLES[::-1], encoder)[::-1]
    alone = np.concatenate([_vectors([text], encoder) for text in SAMPLES])
    for other in (backwards, alone, _vectors(SAMPLES, encoder)):
        apart = np.abs(together - other).max(axis=1)
        worst = int(apart.argmax())
        _hold(
            apart[worst] < 100 * TOLERANCE, f"{SAMPLES[worst]!r} moves by {apart[worst]:.4f} in another batch"
        )


def _check_long_text(encoder: Encoder) -> None:
    _vectors(SAMPLES, encoder)  # loads the model
    # Equal lines make equal windows, so that a slow model has few of them to encode.
    long = "预算是多少？ What does it cost to move the date?\n" * 23_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = embed([long], encoder, cache=False)
    taken = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    _hold(
        taken < MEMORY_BOUND,
        f"a text of 1 MB takes {taken / 2**20:.0f} MB, expected under {MEMORY_BOUND / 2**20:.0f}",
    )
    _hold(bool(found.windows[0] > 1), "a text of 1 MB is one window")
    _hold(bool(found.vectors[0].any()), "a text of 1 MB has a row of zeros")


def _check_nothing_changed(encoder: Encoder) -> None:
    texts = list(SAMPLES)
    embed(texts, encoder, cache=False)
    _hold(texts == list(SAMPLES), "the list of texts was changed")


ENCODER_CHECKS: Mapping[str, Callable[[Encoder], None]] = MappingProxyType(
    {
        "names": _check_names,
        "printable": _check_printable,
        "no texts": _check_no_texts,
        "blank": _check_blank,
        "unit rows": _check_unit_rows,
        "any batch": _check_any_batch,
        "long text": _check_long_text,
        "nothing changed": _check_nothing_changed,
    }
)
"""Name → check; a check raises AssertionError with what it found and what was expected."""


def _vectors(texts: Sequence[str], encoder: Encoder) -> Vectors:
    return embed(texts, encoder, cache=False).vectors


def _hold(held: bool, otherwise: str) -> None:
    if not held:
        raise AssertionError(otherwise)
