"""`bench peers`: the other memories run for real, on the same turns and vectors."""

import pytest

from hydralab.benchmarks.peers import PEERS, measure_peers
from hydralab.errors import HydralabError
from hydralab.readers import example


@pytest.mark.slow
def test_each_memory_adds_and_recalls_by_the_same_vectors():
    frame = measure_peers({"launch": example("launch_en")})
    assert frame["method"].to_list() == list(PEERS)
    assert (frame["add_milliseconds"] > 0).all()
    assert (frame["recall_milliseconds"] > 0).all()
    by_vectors = frame.filter(method="chroma").item(0, "recall_proportional@5")
    assert set(frame.filter(frame["method"] != "hydralab")["recall_proportional@5"]) == {by_vectors}
    assert frame.filter(method="hydralab").item(0, "recall_proportional@5") >= by_vectors


def test_an_unknown_memory_names_those_there_are():
    with pytest.raises(HydralabError, match="'chroma'"):
        measure_peers(methods=["chrome"])
