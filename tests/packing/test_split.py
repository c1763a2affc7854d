import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.packing import BudgetError, Split


def test_a_system_text_over_its_share_comes_off_recent():
    within, over = Split().ceilings(1000, system=100), Split().ceilings(1000, system=160)
    assert (within.recent, over.recent) == (700, 640)
    assert within.recalled == over.recalled == 200


def test_a_system_text_that_takes_all_of_recent_comes_off_recalled():
    ceilings = Split().ceilings(1000, system=900)
    assert ceilings.recent == 0
    assert ceilings.recalled == 100


def test_a_system_text_over_the_room_is_an_error_that_names_both_numbers():
    """FAULTS 7."""
    with pytest.raises(BudgetError, match=r"needs 120 tokens, but the budget leaves 100"):
        Split().ceilings(100, system=120)


@pytest.mark.parametrize("shares", [(-1, 20, 70), (0, 0, 0), (50, 50, 50)])
def test_shares_that_are_none_are_refused(shares):
    """FAULTS 7."""
    with pytest.raises(BudgetError, match="at least 0 that sum to at most 100"):
        Split(*shares)


@given(room=st.integers(0, 5000), system=st.integers(0, 5000))
def test_no_ceiling_is_negative_or_over_what_is_left(room, system):
    """FAULTS 7."""
    if system > room:
        return
    ceilings = Split().ceilings(room, system=system)
    assert 0 <= ceilings.recalled <= ceilings.room == room - system
    assert 0 <= ceilings.recent <= ceilings.room


def test_a_share_of_zero_is_a_share():
    assert Split(system=0, recalled=0, recent=100).ceilings(500, system=0).recent == 500
