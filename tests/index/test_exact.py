import numpy as np
import pytest

from hydralab.core.backend import use_backend
from hydralab.errors import HydralabError
from hydralab.index import Exact


def points(count, dim=8, seed=0):
    return np.random.default_rng(seed).standard_normal((count, dim)).astype(np.float32)


def slow_search(rows, query, k, may):
    cosines = [row @ query / np.linalg.norm(row) / np.linalg.norm(query) for row in rows]
    return sorted((i for i in range(len(rows)) if may(i)), key=lambda i: -cosines[i])[:k]


@pytest.fixture
def filled():
    rows = points(50)
    index = Exact(8)
    for start in range(0, 50, 9):
        index.add(rows[start : start + 9])
    return index, rows


@pytest.mark.parametrize("backend", ["numpy", "torch", "array_api_strict"])
def test_the_nearest_rows_come_back_on_every_backend(filled, backend):
    index, rows = filled
    before = use_backend(backend)
    try:
        for k in (1, 7, 80):
            found = index.search(rows[3] + 1, k)[1].tolist()
            assert found == slow_search(rows, rows[3] + 1, k, lambda _row: True)
    finally:
        use_backend(before.name, device=before.device)


def test_masks_row_numbers_and_upto_say_what_may_be_found(filled):
    index, rows = filled
    odd = np.arange(50) % 2 == 1
    query = points(1, seed=5)[0]
    assert index.search(query, 5, allowed=odd)[1].tolist() == slow_search(rows, query, 5, lambda i: i % 2)
    assert index.search(query, 5, upto=9)[1].tolist() == slow_search(rows, query, 5, lambda i: i < 9)
    allowed = index.search(query, 5, allowed=[40, 3, 8], upto=20)[1].tolist()
    assert allowed == slow_search(rows, query, 5, lambda i: i in (3, 8))


def test_scores_of_one_query_with_a_prefix_are_its_cosines(filled):
    index, rows = filled
    query = points(1, seed=6)[0]
    expected = rows[:20] @ query / np.linalg.norm(rows[:20], axis=1) / np.linalg.norm(query)
    np.testing.assert_allclose(index.scores(query, upto=20), expected, atol=1e-6)
    assert index.scores(query).shape == (50,)


def test_a_batch_answers_as_its_queries_alone(filled):
    index, rows = filled
    scores, found = index.search(rows[:4], 3)
    for query in range(4):
        alone = index.search(rows[query], 3)
        np.testing.assert_array_equal(found[query], alone[1])
        np.testing.assert_allclose(scores[query], alone[0], atol=1e-6)


@pytest.mark.parametrize(
    ("search", "message"),
    [
        ({"allowed": [50]}, "allowed names row 50, expected rows 0 to 49"),
        ({"allowed": [-1]}, "allowed names row -1"),
        ({"allowed": np.ones(3, bool)}, r"the allowed mask has shape \(3,\), expected \(50,\)"),
        ({"upto": -2}, "upto is -2, expected at least 0"),
    ],
)
def test_a_filter_that_fits_no_row_is_refused(filled, search, message):
    index, rows = filled
    with pytest.raises(HydralabError, match=message):
        index.search(rows[0], 3, **search)


def test_a_million_small_steps_cost_few_copies():
    index = Exact(4)
    for _ in range(1000):
        index.add(np.ones((1, 4)))
    assert len(index) == 1000
    assert index.vectors().base is not None
