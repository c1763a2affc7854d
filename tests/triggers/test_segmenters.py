import numpy as np
import pytest

from hydralab.core.run_lengths import change_probability
from hydralab.errors import HydralabError
from hydralab.triggers import find_boundaries, get_trigger

NAMES = ["bocpd(concentration=16.0)", "graphseg", "greedyseg", "valleys(cuts=3)"]


def positions(chosen, turns, vectors):
    return find_boundaries(chosen, turns, vectors)["position"].to_list()


@pytest.mark.parametrize("name", NAMES)
def test_clear_topics_are_cut_at_their_first_turns(dialogue, topics, name):
    """FAULTS 39: one turn off on either side and nothing would be right."""
    turns, vectors = dialogue(*["x"] * 28), topics(7, 6, 8, 7, noise=0.15, dim=64)
    assert positions(name, turns, vectors) == [7, 13, 21]


def test_the_score_of_bocpd_is_its_probability_curve(dialogue, topics):
    turns, vectors = dialogue(*["x"] * 20), topics(9, 11)
    found = find_boundaries("bocpd(threshold=0.0)", turns, vectors)
    curve = change_probability(vectors, hazard=0.2, concentration=8.0)
    assert found["score"].to_numpy() == pytest.approx(curve[found["position"].to_numpy()])
    assert get_trigger("bocpd", lookahead=3).lookahead == 3


def test_valleys_cut_a_handful_at_any_length(dialogue, topics):
    for scale in (1, 20):
        turns, vectors = dialogue(*["x"] * 25 * scale), topics(*[5 * scale] * 5, noise=0.3)
        found = positions("valleys", turns, vectors)
        assert found == [5 * scale, 10 * scale, 15 * scale, 20 * scale]
    assert len(positions("valleys(cuts=2)", turns, vectors)) == 2
    assert positions("valleys(cuts=0)", turns, vectors) == []


def test_graphseg_joins_a_topic_over_a_turn_that_fits_nowhere(dialogue, topics):
    vectors = np.insert(topics(6, 6, noise=0.1), 3, np.eye(16, dtype=np.float32)[0], axis=0)
    assert positions("graphseg", dialogue(*["x"] * 13), vectors) == [7]


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("bocpd", {"hazard": 1.0}, "expected a hazard above 0 and below 1"),
        ("bocpd", {"threshold": 50}, "a threshold from 0 to 1"),
        ("bocpd", {"lookahead": -1}, "lookahead is -1"),
        ("graphseg", {"reach": 0}, "reach is 0"),
        ("greedyseg", {"window": 0}, "window is 0"),
        ("valleys", {"share": 0.5}, "share is 0.5"),
    ],
)
def test_settings_out_of_range_are_named(dialogue, topics, name, settings, message):
    """FAULTS 43."""
    with pytest.raises(HydralabError, match=message):
        positions(get_trigger(name, **settings), dialogue("a", "b"), topics(2))
