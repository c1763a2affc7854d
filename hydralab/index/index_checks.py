"""The contract of an index, as checks that anyone can run on theirs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from hydralab.errors import HydralabError, brief, broken_promises
from hydralab.index.choosing import get_index
from hydralab.index.contract import Index, Rows, Scores

__all__ = ["INDEX_CHECKS", "check_index"]

DIM = 16
Maker = Callable[[int], Index]


def check_index(index: str | Maker) -> None:
    """Check that an index holds what hydralab relies on.

    Empty; rows numbered in the order of adding; cosines, best first; k over the rows; masks, row
    numbers and `upto`; a batch answers as its queries alone; many copies of a vector hide no other;
    NaN, infinity, ragged rows and wrong dimensions refused without a trace; the same answers after a
    round trip to disk, then more rows; a repr without an address.

    Parameters
    ----------
    index
        A registered name, a class, or anything that makes an empty index when called with a dimension.

    Raises
    ------
    HydralabError
        With every check that failed, and how.

    >>> check_index("exact")
    """
    if not isinstance(index, str) and not callable(index):
        raise HydralabError(f"index: got {brief(index)}, expected a name or what makes one of a dimension")
    broken = broken_promises(INDEX_CHECKS, lambda: get_index(index, DIM))
    if broken:
        raise HydralabError(f"index {index!r} breaks its contract: {'; '.join(broken)}")


def _check_empty(make: Callable[[], Index]) -> None:
    index = make()
    _hold(len(index) == 0, f"a new index has {len(index)} rows")
    index.add(np.empty((0, DIM), np.float32))
    scores, rows = index.search(_points(1)[0], 3)
    _hold(
        scores.shape == rows.shape == (0,),
        f"a search in no rows gives shapes {scores.shape} and {rows.shape}",
    )


def _check_order(make: Callable[[], Index]) -> None:
    index, points = make(), _points(60)
    for start in range(0, 60, 7):
        index.add(points[start : start + 7])
    _hold(len(index) == 60, f"{len(index)} rows after adding 60")
    found = index.search(points, 1)[1][:, 0].tolist()
    _hold(found == list(range(60)), "a row is not its own nearest, or rows are not numbered as added")


def _check_cosines(make: Callable[[], Index]) -> None:
    index, points = _filled(make, 80)
    scores, rows = index.search(2 * points[5], 10)
    expected = np.sort(points @ points[5])[::-1][:10]
    _hold(
        scores.dtype == np.float32 and rows.dtype == np.int64, f"dtypes are {scores.dtype} and {rows.dtype}"
    )
    _hold(bool(np.allclose(scores, expected, atol=1e-4)), "scores are not the highest cosines, best first")
    _hold(
        bool(np.allclose(points[rows] @ points[5], scores, atol=1e-4)), "scores are not those of their rows"
    )


def _check_many_wanted(make: Callable[[], Index]) -> None:
    index, points = _filled(make, 5)
    _hold(index.search(points[0], 50)[1].size == 5, "k over the rows does not give all rows")
    _hold(index.search(points[0], 0)[1].size == 0, "k of 0 does not give nothing")


def _check_filters(make: Callable[[], Index]) -> None:
    index, points = _filled(make, 50)
    even = np.arange(50) % 2 == 0
    _hold(not (index.search(points[1], 50, allowed=even)[1] % 2).any(), "a mask lets other rows through")
    _hold(
        sorted(index.search(points[1], 9, allowed=[4, 7])[1].tolist()) == [4, 7],
        "row numbers are not kept to",
    )
    _hold(
        sorted(index.search(points[49], 99, upto=3)[1].tolist()) == [0, 1, 2], "upto lets later rows through"
    )
    _hold(index.search(points[0], 3, allowed=[], upto=20)[1].size == 0, "nothing allowed still gives rows")


def _check_batches(make: Callable[[], Index]) -> None:
    index, points = _filled(make, 40)
    scores, rows = index.search(points[:6], 4)
    _hold(scores.shape == rows.shape == (6, 4), f"a batch of 6 gives shape {scores.shape}, expected (6, 4)")
    for query in range(6):
        _hold(
            _same(index.search(points[query], 4), (scores[query], rows[query])), "a batch answers otherwise"
        )


def _check_copies(make: Callable[[], Index]) -> None:
    index, points = make(), _points(105)
    index.add(np.repeat(points[:5], 200, axis=0))
    index.add(points[5:])
    nearest = index.search(points[5:], 1)[1][:, 0]
    misses = int((nearest != np.arange(1000, 1100)).sum())
    _hold(misses == 0, f"beside 1,000 copies {misses} of 100 rows do not find themselves")


def _check_refusals(make: Callable[[], Index]) -> None:
    index, points = _filled(make, 10)
    spoiled = points.copy()
    spoiled[3, 2] = np.nan
    endless = points.astype(np.float64)
    endless[3, 2] = np.inf
    ragged = [points[0].tolist()] * 3 + [[1.0, 2.0]]
    for what, bad, sign in (
        ("NaN", spoiled, "row 3"),
        ("infinity", endless, "row 3"),
        ("ragged rows", ragged, "row 3"),
        ("another dimension", np.ones((2, DIM + 1)), str(DIM)),
        ("no numbers", [["a"] * DIM], "dtype"),
    ):
        try:
            index.add(bad)
        except HydralabError as error:
            _hold(sign in str(error), f"{what}: the error {str(error)!r} does not say {sign!r}")
        else:
            raise AssertionError(f"{what} is taken in")
    _hold(len(index) == 10, "a refused batch leaves rows behind")


def _check_round_trip(make: Callable[[], Index]) -> None:
    index, points = _filled(make, 70)
    with tempfile.TemporaryDirectory() as folder:
        index.save(Path(folder) / "index", model="m", ids=[str(row) for row in range(70)])
        again = type(index).load(Path(folder) / "index", model="m", ids=[str(row) for row in range(70)])
    _hold(_same(index.search(points, 8), again.search(points, 8)), "answers otherwise after a round trip")
    more = _points(90)[70:]
    again.add(more)
    _hold(again.search(more, 1)[1][:, 0].tolist() == list(range(70, 90)), "does not grow after a round trip")


def _check_vectors(make: Callable[[], Index]) -> None:
    index, points = _filled(make, 12)
    _hold(bool(np.allclose(index.vectors(), points, atol=1e-6)), "vectors() is not what was added")
    _hold(
        bool(np.allclose(index.vectors([3, 1]), points[[3, 1]], atol=1e-6)),
        "vectors([3, 1]) is not rows 3 and 1",
    )


def _check_printable(make: Callable[[], Index]) -> None:
    _hold(" at 0x" not in repr(make()), f"repr is {make()!r}, expected one without an address")


INDEX_CHECKS: Mapping[str, Callable[[Callable[[], Index]], None]] = MappingProxyType(
    {
        "empty": _check_empty,
        "order": _check_order,
        "cosines": _check_cosines,
        "many wanted": _check_many_wanted,
        "filters": _check_filters,
        "batches": _check_batches,
        "copies": _check_copies,
        "refusals": _check_refusals,
        "round trip": _check_round_trip,
        "vectors": _check_vectors,
        "printable": _check_printable,
    }
)
"""Name → check; a check raises AssertionError with what it found and what was expected."""


def _points(count: int) -> NDArray[np.float32]:
    rows = np.random.default_rng(7).standard_normal((count, DIM)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _filled(make: Callable[[], Index], count: int) -> tuple[Index, NDArray[np.float32]]:
    index, points = make(), _points(count)
    index.add(points)
    return index, points


def _same(one: tuple[Scores, Rows], other: tuple[Scores, Rows]) -> bool:
    return bool((one[1] == other[1]).all() and np.allclose(one[0], other[0], atol=1e-5))


def _hold(held: bool, otherwise: str) -> None:
    if not held:
        raise AssertionError(otherwise)
