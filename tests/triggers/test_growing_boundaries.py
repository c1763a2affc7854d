"""What a trigger decides as turns come is what it decides over all of them, as a running dialogue would."""

import numpy as np
import polars as pl
import pytest

import hydralab as hl
from hydralab.signals import default_signals
from hydralab.triggers import find_boundaries, resolve_trigger
from hydralab.triggers.growing_boundaries import GrowingBoundaries, can_grow

GROWING = (
    "default",
    '((hl.col.shift > 0.8) | hl.cue("换个话题|by the way")).place(min_turns=4, max_turns=40)',
    '(hl.col.depth > 0.2) & ~hl.cue("好|ok", cut="after")',
    'hl.cue("好|ok", role=None, cut="after").place(min_turns=2)',
    '(hl.col.shift_long > 0.9).place(max_turns=7, align="turn")',
    "hl.get_trigger('change_points', lookahead=0, scale='unit') | (hl.col.question > 0.5)",
)


@pytest.fixture(scope="module", params=["long_zh", "launch_en"])
def material(request):
    turns = hl.read(hl.example(request.param)).head(260)
    return turns, hl.embed(turns["text"].to_list()).vectors


@pytest.mark.parametrize("text", GROWING)
def test_turn_by_turn_or_all_at_once_it_is_the_same(text, material):
    turns, vectors = material
    signals, trigger = default_signals(), resolve_trigger(text)
    assert can_grow(trigger, signals)
    wanted = find_boundaries(trigger, turns, vectors, signals=signals, closed=False)
    whole = GrowingBoundaries(trigger, signals).extend(turns, vectors)
    assert whole.equals(wanted)
    growing, steps = GrowingBoundaries(trigger, signals), []
    for end in [1, 2, 3, *range(10, turns.height), turns.height]:
        fresh = growing.extend(turns.head(end), vectors[:end])
        assert (fresh["decided_at"] < end).all()
        steps.append(fresh)
    assert pl.concat(steps).equals(wanted)


@pytest.mark.parametrize(
    "trigger",
    [
        hl.col.tokens > 400,  # how much that is depends on all turns before
        hl.expr(pl.col("tokens").cum_sum() > 400, lookahead=0),
        hl.get_trigger("drift"),
        hl.get_trigger("change_points"),  # sees the whole dialogue
        hl.get_trigger("change_points", lookahead=1) & (hl.col.gap_seconds > 60),
    ],
)
def test_what_may_look_back_to_the_first_turn_is_told(trigger):
    assert not can_grow(trigger, default_signals())


def test_a_turn_without_a_vector_is_no_obstacle(material):
    turns, vectors = material
    vectors = vectors.copy()
    vectors[[5, 9]] = 0
    vectors[12] = np.nan
    trigger, signals = resolve_trigger("default"), default_signals()
    growing = GrowingBoundaries(trigger, signals)
    found = [growing.extend(turns.head(end), vectors[:end]) for end in range(1, 21)]
    wanted = find_boundaries(trigger, turns.head(20), vectors[:20], signals=signals, closed=False)
    assert pl.concat(found).equals(wanted)
