import numpy as np
import pytest

from hydralab.errors import HydralabError
from hydralab.signals import Shift, ShiftRaw, prior


def test_raw_shift_compares_three_turns_before_a_gap_with_two_after_it(rows):
    vectors = rows(12)
    found = ShiftRaw(window=3, lag=1).values(None, vectors, closed=True)
    for t in range(1, 12):
        before, after = vectors[max(0, t - 3) : t].mean(0), vectors[t : t + 2].mean(0)
        cosine = before @ after / np.linalg.norm(before) / np.linalg.norm(after)
        assert found[t] == pytest.approx(1 - cosine, abs=2e-5)
        assert found[t] == round(found[t], 5)
    assert np.isnan(found[0])


def test_shift_is_the_share_of_smaller_values_among_earlier_gaps_and_the_prior(rows):
    vectors = rows(40)
    raw = ShiftRaw().values(None, vectors, closed=True)[1:]
    found = Shift().values(None, vectors, closed=True)[1:]
    expected = prior("use", 3, 1)
    for gap, value in enumerate(raw):
        missing = max(0, 20 - gap)
        quantiles = np.interp(
            (np.arange(missing) + 0.5) / max(missing, 1), (np.arange(20) + 0.5) / 20, expected
        )
        smaller = (raw[:gap] < value).sum() + (quantiles < value).sum()
        assert found[gap] == pytest.approx(smaller / max(gap, 20))


def test_shift_carries_over_between_scales(rows):
    """After the first twenty gaps a curve that is stretched ranks the same."""
    vectors = rows(60)
    flat = vectors + 3 * vectors.mean(0)
    raw, other = (ShiftRaw().values(None, rows_, closed=True) for rows_ in (vectors, flat))
    assert np.nanmean(other) < np.nanmean(raw)
    assert abs(np.nanmean(Shift().values(None, flat, closed=True)[25:]) - 0.5) < 0.2


@pytest.mark.parametrize("signal", [Shift(), ShiftRaw(), Shift(window=6, lag=3)])
def test_while_a_dialogue_runs_incomplete_windows_are_unknown_and_known_ones_stay(signal, rows):
    vectors = rows(50)
    whole = signal.values(None, vectors, closed=True)
    for n in range(1, 50):
        prefix = signal.values(None, vectors[:n], closed=False)
        known = max(0, n - signal.lookahead)
        np.testing.assert_array_equal(prefix[:known], whole[:known])
        assert np.isnan(prefix[known:]).all()


def test_fifty_identical_turns_never_shift(rows):
    """FAULTS 40."""
    vectors = np.repeat(rows(1), 50, axis=0)
    assert np.nanmax(Shift().values(None, vectors, closed=True)) == 0.0


@pytest.mark.parametrize("n", [0, 1, 2])
def test_hardly_any_turns(n, rows):
    """FAULTS 40."""
    assert Shift().values(None, rows(n), closed=True).shape == (n,)


@pytest.mark.parametrize(
    ("settings", "said"),
    [({"window": 0}, "window is 0"), ({"lag": -1}, "lag is -1"), ({"window": "a"}, "'a'")],
)
def test_a_window_without_turns_is_refused(settings, said):
    with pytest.raises(HydralabError, match=f"{said}, expected a whole number of at least [01]"):
        Shift(**settings)
