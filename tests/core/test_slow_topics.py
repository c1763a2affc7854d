import numpy as np
import pytest

from hydralab.core.slow_topics import project_slowly, slow_directions


def streams(sizes, dim=8, seed=0):
    """Rows of dialogues that drift along their first direction and jump along all others."""
    random = np.random.default_rng(seed)
    parts = []
    for size in sizes:
        rows = random.standard_normal((size, dim))
        rows[:, 0] = np.repeat(random.standard_normal(-(-size // 5)), 5)[:size] * 2
        parts.append(rows)
    return np.concatenate(parts)


def directions_slowly(rows, sizes, rank, lags, ridge):
    """The same, pair by pair."""
    n, dim = rows.shape
    mean = sum(rows) / n
    centred = [row - mean for row in rows]
    spread = sum(np.outer(row, row) for row in centred) / n
    spread = spread + ridge * dim / n * np.trace(spread) / dim * np.eye(dim)
    agreement = np.zeros((dim, dim))
    for lag in range(1, lags + 1):
        pairs, first = [], 0
        for size in sizes:
            pairs += [(first + i, first + i + lag) for i in range(size - lag)]
            first += size
        for i, j in pairs:
            both = np.outer(centred[i], centred[j])
            agreement += (both + both.T) / 2 / len(pairs) / lags
    values, axes = np.linalg.eigh(spread)
    whitening = axes @ np.diag(values**-0.5) @ axes.T
    correlations, found = np.linalg.eigh(whitening @ agreement @ whitening)
    order = np.argsort(-correlations)[:rank]
    kept = np.maximum(correlations[order], 0)
    return mean, whitening @ found[:, order] * kept, kept


def test_the_directions_are_those_of_the_definition(to_array):
    sizes = (40, 25, 3, 1, 60)
    rows = streams(sizes)
    found = slow_directions(to_array(rows), sizes, rank=3, lags=4, ridge=2.0)
    mean, projection, correlations = directions_slowly(rows, sizes, 3, 4, 2.0)
    assert np.asarray(found.mean) == pytest.approx(mean)
    assert np.asarray(found.correlations) == pytest.approx(correlations, abs=1e-9)
    # The sign of an eigenvector is nobody's choice.
    assert np.abs(np.asarray(found.projection)) == pytest.approx(np.abs(projection), abs=1e-8)


def test_what_changes_slowly_comes_first(to_array):
    rows = streams([200, 200])
    found = slow_directions(to_array(rows), [200, 200], rank=2)
    strengths = np.abs(np.asarray(found.projection)[:, 0])
    assert strengths.argmax() == 0
    assert strengths[0] > 5 * strengths[1:].max()


def test_pairs_are_never_taken_across_dialogues(to_array):
    """Reordering dialogues changes nothing."""
    first, second = streams([50], seed=1), streams([70], seed=2)
    one = slow_directions(to_array(np.concatenate([first, second])), [50, 70], rank=2)
    other = slow_directions(to_array(np.concatenate([second, first])), [70, 50], rank=2)
    assert np.asarray(one.correlations) == pytest.approx(np.asarray(other.correlations))


def test_rows_in_slow_coordinates_have_length_one_and_blank_ones_stay_blank(to_array):
    rows = streams([80]).astype(np.float32)
    rows[7], rows[9, 2] = 0.0, np.nan
    found = slow_directions(to_array(rows), [80], rank=4)
    moved = np.asarray(project_slowly(to_array(rows), found.mean, found.projection))
    assert moved.shape == (80, 4)
    assert moved.dtype == np.float32
    lengths = np.linalg.norm(np.delete(moved, [7, 9], axis=0), axis=1)
    assert lengths == pytest.approx(np.ones(78), abs=1e-5)
    assert not moved[7].any()
    assert np.isnan(moved[9]).all()


@pytest.mark.parametrize("sizes", [(1,), (2,), (1, 1, 1)])
def test_hardly_any_rows(to_array, sizes):
    """FAULTS 40."""
    rows = streams(sizes)
    found = slow_directions(to_array(rows), sizes, rank=2)
    assert np.isfinite(np.asarray(project_slowly(to_array(rows), found.mean, found.projection))).all()


def test_identical_rows_have_no_direction(to_array):
    """FAULTS 40."""
    rows = np.ones((50, 4))
    found = slow_directions(to_array(rows), [50], rank=2)
    assert not np.asarray(project_slowly(to_array(rows), found.mean, found.projection)).any()
