"""Sessions killed at random moments lose nothing that was acknowledged, and leave nothing half."""

import pytest

from hydralab.benchmarks.kills import measure_kills
from hydralab.benchmarks.live_session import MODEL, turn_row, vector_rows
from hydralab.errors import HydralabError
from hydralab.stores import SqliteStore


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_a_few_kills(engine):
    """FAULTS 21, 23, 26."""
    row = measure_kills([engine], kills=6).row(0, named=True)
    assert (row["kills"], row["lost"], row["half"], row["index_differs"]) == (6, 0, 0, 0)
    assert row["turns"] >= row["vectors"] >= row["spans"] > 0


def test_what_is_lost_or_half_is_seen(tmp_path, monkeypatch):
    """The check would find a store that forgets a turn, or keeps half of what belongs together."""
    from hydralab.benchmarks import kills

    with SqliteStore(tmp_path / "lab.db") as store:
        for position in (0, 1, 3):
            store.append("turns", turn_row("a", position))
        store.append("vectors", vector_rows("a", 0, 2), model=MODEL)
        found = kills._check(store, str(tmp_path), "a", {"turn": 3, "vector": 2, "span": 0})
    assert (found["lost"], found["half"]) == (3, 1)


def test_what_cannot_be_meant():
    with pytest.raises(HydralabError, match="unknown engine 'mysql'"):
        measure_kills(["mysql"])
    with pytest.raises(HydralabError, match="kills is 0, expected a whole number of at least 1"):
        measure_kills(kills=0)
