"""A store that is filled, and what each step takes for whoever comes later."""

import pytest

from hydralab.benchmarks.scale import measure_scale
from hydralab.errors import HydralabError

STEPS = 16


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_a_small_store(engine):
    found = measure_scale([engine], turns=240, dialogues=4)
    assert found.select("engine", "turns", "dialogues").unique().row(0) == (engine, 240, 4)
    assert found["what"].n_unique() == found.height == STEPS
    assert (found["value"] > 0).all()
    of_a_process = found.filter(found["unit"] == "ms")
    assert (of_a_process["peak_mb"] >= 0).all()
    assert {"hydrate within the dialogue", "hydrate with facts across the user's dialogues"} < set(
        found["what"]
    )


def test_what_cannot_be_meant():
    with pytest.raises(HydralabError, match="unknown engine 'mysql'"):
        measure_scale(["mysql"], turns=80, dialogues=1)
    with pytest.raises(HydralabError, match="80 turns in 8 dialogues, expected at least 40 in each"):
        measure_scale(turns=80, dialogues=8)
