"""What segmenting without reading scores."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hydralab.metrics import every_n_gaps, every_n_interval, random_gaps

gaps = st.lists(st.booleans(), max_size=60).map(lambda values: np.array(values, dtype=bool))


def test_every_n_starts_a_span_after_each_n_turns():
    assert np.flatnonzero(every_n_gaps(10, 3)).tolist() == [2, 5, 8]
    assert every_n_gaps(6, 1).all()
    assert not every_n_gaps(3, 3).any()
    assert every_n_gaps(1, 4).shape == (0,)


@given(gaps)
def test_the_interval_is_turns_over_spans(gold):
    assert every_n_interval(gold) == max(1, round((len(gold) + 1) / (gold.sum() + 1)))


def test_random_boundaries_have_the_density_of_the_gold():
    gold = np.arange(400) % 4 == 0
    drawn = random_gaps(gold, seeds=20)
    assert drawn.shape == (20, 400)
    assert abs(drawn.mean() - 0.25) < 0.02


@given(gaps)
def test_random_boundaries_come_again_with_their_seed(gold):
    assert (random_gaps(gold, seeds=3) == random_gaps(gold, seeds=5)[:3]).all()
    assert random_gaps(np.zeros_like(gold)).sum() == 0
    assert random_gaps(np.ones_like(gold)).all()


def test_dialogues_do_not_share_their_draws():
    gold = np.arange(50) % 2 == 0
    assert (random_gaps(gold, salt=1) != random_gaps(gold, salt=2)).any()
