import numpy as np
import pytest

from hydralab.errors import HydralabError
from hydralab.index import INDEXES, Exact, check_index


@pytest.mark.parametrize("name", list(INDEXES))
def test_every_registered_index_holds_the_contract(name):
    check_index(name)


def test_a_graph_that_never_scores_exactly_holds_the_contract():
    from hydralab.index import Hnsw

    check_index(lambda dim: Hnsw(dim, exact_rows=0))


class Forgetful(Exact):
    """Finds rows that may not be found, and takes NaN for numbers."""

    def search(self, queries, k, *, allowed=None, upto=None):
        return super().search(queries, k)

    def add(self, vectors):
        super().add(np.nan_to_num(np.asarray(vectors, dtype=float)))


def test_each_broken_promise_is_named():
    with pytest.raises(HydralabError) as caught:
        check_index(Forgetful)
    message = str(caught.value)
    assert "filters: a mask lets other rows through" in message
    assert "refusals: NaN is taken in" in message
    assert "cosines" not in message
