"""A message served from the tiers alone, measured at small size."""

import pytest

from hydralab.benchmarks.tiers import measure_tiers
from hydralab.errors import HydralabError


@pytest.mark.parametrize("engine", ["sqlite", "redis+postgresql"])
def test_a_short_dialogue(engine):
    found = measure_tiers([engine], turns=100, limit=2)
    assert found.select("engine", "turns").unique().row(0) == (engine, 100)
    assert found["what"].n_unique() == found.height == 5
    assert (found["value"] > 0).all()


def test_what_cannot_be_meant():
    with pytest.raises(HydralabError, match="unknown engine 'mysql'"):
        measure_tiers(["mysql"], turns=80)
    with pytest.raises(HydralabError, match=r"bench tiers: turns is 3, expected"):
        measure_tiers(turns=3)
