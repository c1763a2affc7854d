"""A file goes to a server and is the same there."""

import pytest

from hydralab.benchmarks.moving import measure_moving
from hydralab.errors import HydralabError


def test_a_small_file():
    found = measure_moving(turns=120, dialogues=3)
    assert found.select("turns", "dialogues").unique().row(0) == (120, 3)
    assert (found["value"] > 0).all()
    assert found.filter(unit="s")["peak_mb"].null_count() == 0
    assert {"export it to a folder", "import the folder into PostgreSQL"} < set(found["what"])


def test_fewer_turns_than_dialogues_cannot_be_meant():
    with pytest.raises(HydralabError, match=r"turns is 2, expected .* 3"):
        measure_moving(turns=2, dialogues=3)
