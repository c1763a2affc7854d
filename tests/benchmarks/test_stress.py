"""Many processes on one store: no error, no turn lost or doubled."""

import polars as pl
import pytest

from hydralab.benchmarks.live_session import turn_row
from hydralab.benchmarks.stress import _are_newest, _is_whole, measure_stress
from hydralab.errors import HydralabError


@pytest.mark.parametrize("engine", ["sqlite", "postgresql", "redis+postgresql"])
def test_a_few_seconds(engine):
    """FAULTS 15, 22."""
    row = measure_stress([engine], seconds=4, writers=3, readers=2).row(0, named=True)
    assert row["first_error"] == ""
    assert (row["errors"], row["wrong_reads"], row["lost"], row["doubled"]) == (0, 0, 0, 0)


def test_a_wrong_read_is_seen():
    turns = pl.concat([turn_row("a", place) for place in range(4)])
    assert _is_whole("a", turns, 2)
    assert not _is_whole("a", turns, 6)
    assert not _is_whole("a", turns[:3], 0)
    assert not _is_whole("a", pl.concat([turns[:3], turns[2:3]]), 0)
    assert not _is_whole("a", turns.with_columns(text=pl.lit("x")), 0)
    assert _are_newest("a", turns, 4)
    assert not _are_newest("a", turns, 6)
    assert not _are_newest("a", turns[1:], 4)


def test_what_cannot_be_meant():
    with pytest.raises(HydralabError, match="unknown engine 'mysql'"):
        measure_stress(["mysql"])
    with pytest.raises(HydralabError, match=r"seconds is 0, expected a number of at least 0\.1"):
        measure_stress(seconds=0)
