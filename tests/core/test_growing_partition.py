"""Change points and scatter of rows that come one by one, beside those of all rows."""

import numpy as np
import pytest

from hydralab.core.changepoints import optimal_partition
from hydralab.core.growing_partition import GrowingPartition, GrowingScatter
from hydralab.core.scatter import BLOCK, running_scatter


def unit_rows(count, dim=6, seed=3):
    rows = np.random.default_rng(seed).normal(size=(count, dim)).astype(np.float32)
    rows += np.repeat(np.random.default_rng(seed + 1).normal(size=(count // 10 + 1, dim)), 10, axis=0)[:count]
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize("longest", [1, 5, 20, 64])
@pytest.mark.parametrize("step", [1, 7, 150])
def test_every_prefix_is_cut_as_the_whole_is(longest, step):
    rows, prices = unit_rows(150), np.linspace(0.3, 1.2, 150)
    _, wanted = optimal_partition(rows, prices, longest=longest)
    growing = GrowingPartition(longest)
    found = [growing.extend(rows[: end + step], prices[end : end + step]) for end in range(0, 150, step)]
    assert np.concatenate(found).tolist() == wanted[1:].tolist()


def test_scatter_is_the_same_bit_for_bit():
    rows = unit_rows(BLOCK + 40)
    rows[7] = np.nan
    wanted = running_scatter(rows, expected=0.7, weight=5.0)
    growing = GrowingScatter(expected=0.7, weight=5.0)
    found = np.concatenate([growing.extend(part) for part in np.array_split(rows, 9)])
    assert np.array_equal(found, wanted)
