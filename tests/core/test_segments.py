import numpy as np
import pytest

from hydralab.core.segments import find_sinks, one_hot, rollout_step, segment_sums, sink_votes
from hydralab.errors import HydralabError


def test_sums_over_segments_are_those_of_a_loop(to_array):
    rng = np.random.default_rng(0)
    weights, segments = rng.random((2, 3, 7)), np.asarray([0, 2, 2, 1, 0, 3, 2])
    slowly = np.zeros((2, 3, 5))
    for key, segment in enumerate(segments):
        slowly[:, :, segment] += weights[:, :, key]
    array = to_array(weights)
    found = np.asarray(segment_sums(array, one_hot(to_array(segments), 5, array.dtype)))
    np.testing.assert_allclose(found, slowly, atol=1e-12)
    np.testing.assert_allclose(found.sum(-1), weights.sum(-1), atol=1e-12)


@pytest.mark.parametrize("segments", [[0, 3], [-1, 0]])
def test_a_segment_that_there_is_none_of_is_an_error(to_array, segments):
    with pytest.raises(HydralabError, match="expected 0 to 2"):
        one_hot(to_array(segments), 3, to_array([0.0]).dtype)


def test_a_key_that_most_rows_look_at_is_a_sink_and_one_that_a_few_seek_is_none(to_array):
    rows, keys = 16, 100
    weights = np.full((1, rows, keys), 0.1 / keys)
    weights[0, :, 0] = 0.5  # whatever the row is
    weights[0, :3, 7] = 0.4  # three rows retrieve it
    weights[0, :, 90] = 0.4  # it is everybody's neighbour
    distance = np.full((rows, keys), 50)
    distance[:, 90] = 1
    seen = np.ones((rows, keys), dtype=bool)
    votes, count = sink_votes(to_array(weights), to_array(seen), to_array(distance), times=20.0, near=32)
    assert np.flatnonzero(np.asarray(find_sinks(votes, count))[0]).tolist() == [0]
    parts = [
        sink_votes(
            *(to_array(each) for each in (weights[:, part], seen[part], distance[part])), times=20.0, near=32
        )
        for part in (slice(0, 5), slice(5, 16))
    ]
    assert np.array_equal(np.asarray(parts[0][0] + parts[1][0]), np.asarray(votes))


def test_too_few_rows_call_no_key_a_sink(to_array):
    weights, seen = to_array(np.full((1, 7, 50), 1.0)), to_array(np.ones((7, 50), dtype=bool))
    votes = sink_votes(weights, seen, to_array(np.full((7, 50), 40)), times=2.0, near=32)
    assert not np.asarray(find_sinks(*votes)).any()


def test_rolling_out_segments_is_rolling_out_tokens_and_summing(to_array):
    rng = np.random.default_rng(1)
    layers = rng.dirichlet(np.ones(6), size=(3, 6))
    membership = np.eye(3)[[0, 0, 1, 1, 2, 2]]
    tokens = np.eye(6)
    for layer in layers:
        tokens = (0.5 * layer + 0.5 * np.eye(6)) @ tokens
    rolled = to_array(membership)
    for layer in layers:
        rolled = rollout_step(to_array(layer), rolled, rolled)
    np.testing.assert_allclose(np.asarray(rolled), tokens @ membership, atol=1e-12)
