import re
from time import perf_counter

import numpy as np
import pytest

from hydralab.errors import HydralabError
from hydralab.index import Exact, Hnsw

DIM = 16


def points(count, seed=0):
    return np.random.default_rng(seed).standard_normal((count, DIM)).astype(np.float32)


def filled(count, **settings):
    index = Hnsw(DIM, **settings)
    index.add(points(count))
    return index


def test_k_over_the_rows_gives_fewer_rows():
    """FAULTS 25."""
    index = filled(3)
    assert sorted(index.search(points(1)[0], 50)[1].tolist()) == [0, 1, 2]
    assert index.search(points(2), 50)[1].shape == (2, 3)
    assert index.search(points(1)[0], 5, allowed=[1])[1].tolist() == [1]
    assert Hnsw(DIM).search(points(1)[0], 5)[1].size == 0


@pytest.mark.parametrize(("row", "value"), [(2, "nan"), (1, "inf"), (3, "1e+300")])
def test_what_would_poison_the_graph_is_refused_with_its_row(row, value):
    """FAULTS 27."""
    index, rows = filled(5), points(4).astype(np.float64)
    rows[row, 5] = float(value)
    with pytest.raises(HydralabError, match=f"vectors: row {row} holds {re.escape(value)}, expected finite"):
        index.add(rows)
    with pytest.raises(HydralabError, match=f"queries: row 0 holds {re.escape(value)}"):
        index.search(rows[row], 2)
    assert len(index) == 5


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1.0] * DIM, [1.0, 2.0]], "row 1 has 2 numbers, expected 16"),
        (np.ones((2, DIM + 1)), r"shape is \(2, 17\), expected \(n, 16\)"),
        (np.ones(DIM), r"shape is \(16,\)"),
        (np.array([["a"] * DIM]), "dtype is <U1, expected real numbers"),
    ],
)
def test_ragged_rows_and_wrong_shapes_are_refused(rows, message):
    """FAULTS 27."""
    with pytest.raises(HydralabError, match=message):
        filled(5).add(rows)
    if np.ndim(rows[0]) == 1:
        with pytest.raises(HydralabError, match=message.replace("vectors", "queries")):
            filled(5).search(rows, 1)


def test_float64_is_taken_as_float32():
    """FAULTS 27."""
    index = Hnsw(DIM)
    index.add(points(4).astype(np.float64))
    assert index.search(points(4)[2].astype(np.float64), 1)[1].tolist() == [2]


def test_a_thousand_copies_hide_nobody():
    """FAULTS 37."""
    index, rows = Hnsw(DIM), points(105)
    index.add(np.repeat(rows[:5], 200, axis=0))
    index.add(rows[5:])
    assert index.search(rows[5:], 1)[1][:, 0].tolist() == list(range(1000, 1100))
    assert index.search(rows[1], 3)[1].tolist() == [200, 201, 202]
    assert index.search(rows[1], 3, allowed=[5, 399, 1050])[1][0] == 399


def test_a_filter_is_far_cheaper_than_a_callback():
    """FAULTS 28."""
    index, mask = filled(4000, construction=50), np.arange(4000) % 10 == 0
    query = points(1, seed=1)[0]

    def fastest(search):
        times = []
        for _ in range(7):
            started = perf_counter()
            search()
            times.append(perf_counter() - started)
        return min(times)

    index._graph.set_ef(100)
    by_callback = fastest(lambda: index._graph.knn_query(query, k=10, filter=lambda label: bool(mask[label])))
    assert fastest(lambda: index.search(query, 10, allowed=mask)) < by_callback / 2


@pytest.mark.parametrize("kept", [2, 3, 50])
def test_overfetching_and_exact_scoring_agree_under_a_filter(kept):
    rows, queries = points(2000), points(20, seed=2)
    mask = np.arange(2000) % kept == 0
    exact = Exact(DIM)
    exact.add(rows)
    truth = exact.search(queries, 5, allowed=mask)[1]
    for index in (filled(2000), filled(2000, exact_rows=0)):
        found = index.search(queries, 5, allowed=mask)[1]
        assert mask[found].all()
        assert (
            np.mean([len(set(a) & set(b)) for a, b in zip(truth.tolist(), found.tolist(), strict=True)]) > 4.5
        )


@pytest.mark.parametrize("upto", [40, 900, 1999])
def test_nothing_past_a_moment_is_found_by_the_graph_either(upto):
    """The last rows are the nearest ones, so that a search that saw them would return them."""
    index, rows = filled(2000, exact_rows=0), points(2000)
    found, numbers = index.search(rows[-20:], 10, upto=upto)
    assert numbers.shape == (20, 10)
    assert numbers.min() >= 0
    assert numbers.max() < upto
    early = Exact(DIM)
    early.add(rows[:upto])
    truth = early.search(rows[-20:], 10)[0]
    assert np.mean(found >= truth - 1e-5) > 0.9


def test_an_index_from_disk_answers_as_before_and_grows(tmp_path):
    """FAULTS 38."""
    index, queries = filled(3000, construction=60, breadth=200), points(30, seed=3)
    before = index.search(queries, 10)
    index.save(tmp_path / "index")
    again = Hnsw.load(tmp_path / "index")
    assert again.breadth == 200
    np.testing.assert_array_equal(again.search(queries, 10)[1], before[1])
    more = points(3500, seed=4)
    again.add(more)
    assert (again.search(more[:50], 1)[1][:, 0] == np.arange(3000, 3050)).all()


def test_a_graph_that_has_come_apart_gives_all_that_was_asked_for():
    near = np.random.default_rng(1).normal(scale=1e-3, size=(1020, DIM))
    rows = (near + np.where(np.arange(1020) < 1000, 1, -1)[:, None]).astype(np.float32)
    index, exact = Hnsw(DIM, links=4), Exact(DIM)
    index.add(rows)
    exact.add(rows)
    scores, numbers = index.search(rows[0], len(rows))
    np.testing.assert_array_equal(np.sort(numbers), np.arange(len(rows)))
    np.testing.assert_allclose(scores, exact.search(rows[0], len(rows))[0], atol=1e-5)
