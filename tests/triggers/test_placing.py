from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hydralab.triggers.placing import place_all, place_spans


@st.composite
def dialogues(draw):
    n = draw(st.integers(1, 40))
    bools = st.lists(st.booleans(), min_size=n, max_size=n)
    fires, allowed = np.asarray(draw(bools)), np.asarray(draw(bools))
    allowed[0] = False
    scores = np.asarray(draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))) / 4
    return fires, scores, allowed


def place_slowly(fires, scores, allowed, shortest, longest):
    """Go turn by turn, as one would by hand."""
    n, start, cuts, row = len(fires), 0, [], 0
    overdue = False
    while row < n:
        length = row - start
        if allowed[row] and (overdue or (fires[row] and length >= shortest)):
            cuts.append(row)
            start, overdue = row, False
        if longest is not None and row - start + 1 == longest and not overdue:
            inside = [g for g in range(start + shortest, row + 1) if allowed[g]]
            if inside:
                best = max(inside, key=lambda g: (scores[g], g))
                cuts.append(best)
                start, row = best, best
            else:
                overdue = True
        row += 1
    return cuts


@settings(deadline=None)
@given(dialogues(), st.integers(1, 6), st.none() | st.integers(0, 8))
def test_the_scan_is_what_one_would_do_by_hand(dialogue, shortest, extra):
    longest = None if extra is None else shortest + extra
    fires, scores, allowed = dialogue
    found = place_spans(
        fires, scores, allowed, min_turns=shortest, max_turns=longest, known=fires.size, delay=0
    )
    assert found.rows.tolist() == place_slowly(fires, scores, allowed, shortest, longest)


@settings(deadline=None)
@given(dialogues(), st.integers(1, 5), st.integers(0, 6), st.integers(0, 3))
def test_what_is_decided_early_stands_and_spans_keep_their_lengths(dialogue, shortest, extra, delay):
    fires, scores, allowed = dialogue
    longest = shortest + extra
    settings_ = {"min_turns": shortest, "max_turns": longest, "delay": delay}
    whole = place_spans(fires, scores, allowed, known=max(0, fires.size - delay), **settings_)
    for n in range(1, fires.size):
        prefix = place_spans(fires[:n], scores[:n], allowed[:n], known=max(0, n - delay), **settings_)
        decided = whole.decided < n
        assert prefix.rows.tolist() == whole.rows[decided].tolist()
        assert prefix.decided.tolist() == whole.decided[decided].tolist()
    starts = [0, *whole.rows.tolist()]
    for start, stop in pairwise(starts):
        assert stop - start >= min(shortest, longest)
        assert stop - start <= longest or not allowed[start + shortest : stop].any()
    assert (whole.decided >= whole.rows).all()


def test_the_longest_span_is_cut_at_its_best_gap_the_latest_of_equals():
    scores = np.asarray([0, 0, 0.9, 0.9, 0.1, 0.2, 0, 0, 0, 0])
    found = place_spans(
        np.zeros(10, dtype=bool), scores, np.ones(10, dtype=bool), min_turns=2, max_turns=6, known=10, delay=1
    )
    assert found.rows.tolist() == [3, 5]
    assert found.decided.tolist() == [6, 9]


def test_without_an_allowed_gap_the_next_rounds_start_is_cut():
    allowed = np.isin(np.arange(12), [1, 9])
    found = place_spans(
        np.zeros(12, dtype=bool), np.zeros(12), allowed, min_turns=3, max_turns=5, known=12, delay=0
    )
    assert found.rows.tolist() == [9]
    assert found.decided.tolist() == [9]


def test_the_first_turn_is_no_boundary():
    fires = np.ones(3, dtype=bool)
    assert place_all(fires, known=3, delay=0).rows.tolist() == [1, 2]
    assert place_all(fires, known=2, delay=1).decided.tolist() == [2]
