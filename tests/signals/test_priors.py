import numpy as np
import pytest

from hydralab.signals import Shift, measure_prior, prior


@pytest.mark.parametrize("encoder", ["use", "minilm", "e5"])
def test_a_shipped_prior_rises_within_the_range_of_raw_shift(encoder):
    quantiles = prior(encoder, 3, 1)
    assert quantiles.shape == (20,)
    assert (np.diff(quantiles) >= 0).all()
    assert 0 <= quantiles[0] < quantiles[-1] <= 2


def test_an_unknown_encoder_gets_the_flat_prior(rows):
    assert prior("an encoder of mine").tolist() == pytest.approx(((np.arange(20) + 0.5) / 20).tolist())
    assert np.isfinite(Shift(prior="an encoder of mine").values(None, rows(5), closed=True)[1:]).all()


def test_the_nearest_window_and_lag_is_taken():
    assert prior("use", 60, 30).tolist() == prior("use", 8, 3).tolist()
    assert prior("use", 1, 0).tolist() != prior("use", 8, 3).tolist()


def test_each_corpus_weighs_the_same(rows):
    one = np.tile(rows(1), (100, 1))
    other = np.tile(np.eye(16, dtype=np.float32)[:2], (5, 1))
    quantiles = measure_prior([[one], [other]], window=1, lag=0)
    assert quantiles[:9].tolist() == pytest.approx([0.0] * 9, abs=1e-6)
    assert quantiles[11:].tolist() == pytest.approx([1.0] * 9, abs=1e-6)
