import numpy as np
import pytest

from hydralab.errors import HydralabError, UnknownNameError
from hydralab.index import CROSSOVER, Exact, Hnsw, get_index, measure_crossover, open_index


def test_auto_picks_by_size_and_any_can_be_asked_for():
    assert isinstance(get_index("auto", 8), Exact)
    assert isinstance(get_index("auto", 8, size=CROSSOVER), Exact)
    assert isinstance(get_index("auto", 8, size=CROSSOVER + 1), Hnsw)
    assert isinstance(get_index("hnsw", 8, size=10), Hnsw)
    assert isinstance(get_index(lambda dim: Hnsw(dim, breadth=300), 8), Hnsw)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(UnknownNameError, match="unknown index 'hsnw'; known: 'hnsw', 'exact'"):
        get_index("hsnw", 8)
    with pytest.raises(HydralabError, match="dim is 0"):
        get_index("exact", 0)


def test_the_crossover_is_measured_side_by_side():
    random = np.random.default_rng(0)
    vectors = random.standard_normal((700, 12)).astype(np.float32)
    measured = measure_crossover(vectors[50:], vectors[:50], [200, 600, 5000], repeats=1)
    assert measured["rows"].to_list() == [200, 600]
    assert measured["recall"].min() > 0.9
    assert (
        measured.select("exact_ms", "hnsw_ms", "exact_batch_ms", "exact_half_ms", "build_ms").min_horizontal()
        > 0
    ).all()
    with pytest.raises(HydralabError, match="no queries"):
        measure_crossover(vectors, vectors[:0])


@pytest.mark.parametrize("wrong", [{"path": 5}, {"vectors": 5}, {"ids": 5}, {"model": 5}])
def test_opening_an_index_with_something_else_is_refused(tmp_path, wrong):
    given = {"path": tmp_path / "i", "vectors": np.zeros((1, 4), np.float32), "ids": ["a"], "model": "use"}
    with pytest.raises(HydralabError, match=f"open_index: {next(iter(wrong))} is 5, expected"):
        open_index(**(given | wrong))
