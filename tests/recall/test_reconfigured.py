import numpy as np
import pytest

import hydralab as hl
from hydralab.errors import HydralabError

QUERY = "What was the marketing budget we mentioned earlier?"


@pytest.fixture(scope="module")
def lab():
    return hl.Lab(hl.read_all(hl.example("launch_en")))


@pytest.fixture
def recaller(lab):
    made = hl.Recaller(lab.turns, lab.vectors())
    made.add_checkpoints(lab.checkpoints())
    return made


@pytest.mark.parametrize(
    "config", [hl.Recall(blend="dense"), hl.Recall(turns=3, checkpoints=0), hl.Recall(index="hnsw", rounds=2)]
)
def test_other_settings_find_what_a_recaller_made_with_them_finds(lab, recaller, config):
    fresh = hl.Recaller(lab.turns, lab.vectors(), config=config)
    fresh.add_checkpoints(lab.checkpoints())
    before = recaller.candidates(QUERY)
    for at in (8, None):
        assert recaller.reconfigured(config).candidates(QUERY, at=at).equals(fresh.candidates(QUERY, at=at))
    assert recaller.candidates(QUERY).equals(before)


def test_turns_that_are_added_later_are_in_both(lab):
    first = hl.Recaller(lab.turns.head(6), lab.vectors()[:6])
    other = first.reconfigured(hl.Recall(blend="lexical"))
    first.extend(lab.turns.slice(6), lab.vectors()[6:])
    fresh = hl.Recaller(lab.turns, lab.vectors(), config=hl.Recall(blend="lexical"))
    assert other.candidates(QUERY).equals(fresh.candidates(QUERY))


def test_what_are_no_settings_is_refused(recaller):
    with pytest.raises(HydralabError, match=r"expected an hl\.Recall"):
        recaller.reconfigured("dense")
    assert np.isfinite(recaller.candidates(QUERY)["score"].to_numpy()).all()
