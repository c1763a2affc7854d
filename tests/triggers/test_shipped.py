import numpy as np
import pytest

from hydralab.core.backend import use_backend
from hydralab.core.changepoints import causal_change_points, change_points
from hydralab.errors import HydralabError
from hydralab.signals import Depth
from hydralab.triggers import default_trigger, find_boundaries, get_trigger

SEGMENTERS = [
    "every",
    "texttiling",
    "change_points",
    "change_points(lookahead=1)",
    "drift",
    "default",
    "bocpd",
    "graphseg",
    "greedyseg",
    "valleys",
]


def positions(chosen, turns, vectors=None, **settings):
    return find_boundaries(chosen, turns, vectors, **settings)["position"].to_list()


def test_every_n_turns(dialogue):
    assert positions("every(n=3)", dialogue(*"abcdefgh")) == [3, 6]
    assert positions("every", dialogue(*["x"] * 21)) == [10, 20]
    with pytest.raises(HydralabError, match="n is 0, expected at least 1"):
        positions("every(n=0)", dialogue("a"))


@pytest.mark.parametrize("name", [name for name in SEGMENTERS if name != "every"])
def test_fifty_identical_turns_are_one_span(dialogue, topics, name):
    """FAULTS 40."""
    vectors = np.repeat(topics(1), 50, axis=0)
    chosen = default_trigger(max_turns=None) if name == "default" else name
    assert positions(chosen, dialogue(*["好的"] * 50), vectors) == []


@pytest.mark.parametrize("name", SEGMENTERS)
@pytest.mark.parametrize("turns", [0, 1, 2])
def test_hardly_any_turns(dialogue, topics, name, turns):
    """FAULTS 40."""
    assert positions(
        name, dialogue(*["x"] * turns), topics(*[1] * turns) if turns else np.zeros((0, 16), np.float32)
    ) in ([], [1])


@pytest.mark.parametrize(
    "name",
    [
        "change_points(penalty=0.6)",
        "change_points(penalty=0.6, lookahead=0)",
        "drift(threshold=0.6, scale='raw')",
        "greedyseg(window=1)",
        "graphseg(shortest=1)",
        "bocpd(concentration=16.0, threshold=0.3)",
    ],
)
def test_a_topic_of_one_turn_can_be_expressed(dialogue, name):
    """FAULTS 40."""
    vectors = np.eye(16, dtype=np.float32)[[0] * 6 + [1] + [2] * 6]
    assert positions(name, dialogue(*["x"] * 13), vectors) == [6, 7]


def test_change_points_are_those_of_the_core(dialogue, topics):
    turns, vectors = dialogue(*["x"] * 32), topics(9, 4, 12, 7)
    assert (
        positions("change_points(penalty=1.4, scale='unit')", turns, vectors)
        == change_points(vectors, 1.4).tolist()
    )
    causal = causal_change_points(vectors, 1.4, lookahead=2)
    assert (
        positions("change_points(penalty=1.4, scale='unit', lookahead=2)", turns, vectors)
        == np.flatnonzero(causal).tolist()
    )
    assert get_trigger("change_points", lookahead=2).lookahead == 2
    assert get_trigger("change_points").lookahead == "all"


@pytest.mark.parametrize("settings", [{"penalty": 0}, {"scale": "raw"}, {"lookahead": -1}, {"longest": 0}])
def test_impossible_settings_of_change_points(dialogue, topics, settings):
    with pytest.raises(HydralabError, match="expected a penalty above 0"):
        positions(get_trigger("change_points", **settings), dialogue("a"), topics(1))


def test_texttiling_cuts_valleys_deep_for_their_dialogue(dialogue, topics):
    turns, vectors = dialogue(*["x"] * 40), topics(10, 10, 10, 10, noise=0.5)
    depth = Depth(reach=None).values(turns, vectors, closed=True)
    limit = np.nanmean(depth) + np.nanstd(depth)
    found = positions("texttiling(alpha=1.0)", turns, vectors)
    assert found == np.flatnonzero(np.nan_to_num(depth) > limit).tolist()
    assert {10, 20, 30} <= set(found)


def test_drift_from_the_centroid_of_the_open_span(dialogue, topics):
    turns, vectors = dialogue(*["x"] * 24), topics(8, 8, 8, noise=0.2)
    found, start = [], 0
    for t in range(1, 24):
        centroid = vectors[start:t].mean(0)
        if 1 - vectors[t] @ centroid / np.linalg.norm(centroid) > 0.5:
            found.append(t)
            start = t
    assert positions("drift(threshold=0.5, scale='raw')", turns, vectors) == found == [8, 16]


def test_drift_by_rank_needs_no_scale(dialogue, topics):
    turns, vectors = dialogue(*["x"] * 120), topics(*[30] * 4, noise=0.5)
    found = positions("drift(threshold=0.95)", turns, vectors)
    assert {30, 60, 90} <= set(found)
    assert len(found) <= 9


@pytest.mark.parametrize(
    "settings", [{"threshold": 1.5}, {"threshold": 3, "scale": "raw"}, {"scale": "other"}]
)
def test_a_drift_outside_its_range_names_it(dialogue, topics, settings):
    """FAULTS 43."""
    with pytest.raises(HydralabError, match="expected 0 to 1 with 'percentile', 0 to 2 with 'raw'"):
        positions(get_trigger("drift", **settings), dialogue("a", "b"), topics(2))


def test_the_default_is_causal_and_can_be_placed_otherwise():
    assert default_trigger().lookahead == 2
    assert default_trigger() == get_trigger("default")
    assert default_trigger(align="turn").align == "turn"


def test_another_backend_cuts_alike(dialogue, topics):
    turns, vectors = dialogue(*["x"] * 30), topics(8, 12, 10)
    expected = positions("default", turns, vectors)
    before = use_backend("torch")
    try:
        assert positions("default", turns, vectors) == expected
    finally:
        use_backend(before.name, device=before.device)


def test_marks_cut_where_they_stand_and_know_nothing_of_later_turns(dialogue):
    turns = dialogue(*"abcdef")
    cuts = find_boundaries(get_trigger("marks", positions=[2, 4, 99]), turns)
    assert cuts["position"].to_list() == cuts["decided_at"].to_list() == [2, 4]
    with pytest.raises(HydralabError, match="'marks': positions has -1, expected positions of turns"):
        find_boundaries(get_trigger("marks", positions=[2, -1]), turns)
