import numpy as np
import polars as pl
import pytest

from hydralab.errors import HydralabError, UnknownNameError
from hydralab.frames import validate
from hydralab.metrics import boundary_f1
from hydralab.signals import Shift, compute_signals
from hydralab.triggers import col, cue, expr, find_boundaries, get_trigger, resolve_trigger


def positions(trigger, turns, vectors=None, **settings):
    return find_boundaries(trigger, turns, vectors, **settings)["position"].to_list()


def test_a_cue_cuts_before_its_turn_or_after_its_round(dialogue):
    turns = dialogue("你好", "好", "换个话题", "嗯", "总结一下", "好的", "谢谢", "客气")
    assert positions(cue("换个话题"), turns) == [2]
    assert positions(cue("总结一下", cut="after"), turns) == [6]
    assert positions(cue("客气", role="assistant"), turns) == [7]
    assert positions(cue("客气|谢谢", role=None), turns) == [6, 7]
    assert positions(cue("谢谢", cut="after"), turns) == []


def test_letter_case_does_not_matter(dialogue):
    assert positions(cue("by the way"), dialogue("Hi", "Hi", "By The Way, lunch?")) == [2]


def test_a_boundary_is_the_first_turn_of_the_new_span(dialogue, topics):
    """FAULTS 39: shifted by one turn, a perfect prediction is worth nothing."""
    turns, vectors = dialogue(*["x"] * 24), topics(6, 6, 6, 6, noise=0.1)
    found = positions(get_trigger("change_points"), turns, vectors)
    assert found == [6, 12, 18]
    gold, gaps = np.zeros((2, 23), dtype=bool)
    gold[[5, 11, 17]] = gaps[np.asarray(found) - 1] = True
    assert boundary_f1(gaps, gold) == 1.0
    assert boundary_f1(np.roll(gaps, 1), gold) == 0.0


def test_the_first_turn_is_never_a_boundary(dialogue):
    assert positions(cue("a", role=None), dialogue("a", "a", "a")) == [1, 2]


def test_dialogues_do_not_see_each_other(dialogue, topics):
    first, second = dialogue(*["x"] * 8, name="a"), dialogue(*["y"] * 12, name="b")
    trigger = (col.shift > 0.6).place(min_turns=2, max_turns=5)
    vectors = topics(5, 3, 4, 4, 4)
    both = find_boundaries(trigger, pl.concat([first, second]), vectors)
    alone = [find_boundaries(trigger, first, vectors[:8]), find_boundaries(trigger, second, vectors[8:])]
    assert validate("boundaries", both).equals(pl.concat(alone))


def test_a_tree_decides_as_one(dialogue, topics):
    """The cue alone is known at once; joined with shift it waits for shift's look-ahead."""
    turns, vectors = dialogue("a", "b", "c", "d", "换个话题"), topics(5)
    alone = find_boundaries(cue("换个话题"), turns, closed=False)
    assert alone.select("position", "decided_at").rows() == [(4, 4)]
    joined = cue("换个话题") | (col.shift > 1.0)
    assert positions(joined, turns, vectors, closed=False) == []
    closed = find_boundaries(joined, turns, vectors)
    assert closed.select("position", "decided_at").rows() == [(4, 4)]
    longer = dialogue("a", "b", "c", "d", "换个话题", "e")
    later = find_boundaries(joined, longer, topics(6), closed=False)
    assert later.select("position", "decided_at").rows() == [(4, 5)]


def test_what_looks_over_the_whole_dialogue_decides_nothing_while_it_runs(dialogue, topics):
    turns, vectors = dialogue(*["x"] * 20), topics(10, 10)
    assert positions("change_points", turns, vectors) == [10]
    assert positions("change_points", turns, vectors, closed=False) == []


def test_unknown_is_neither_above_nor_below(dialogue):
    turns = dialogue("a", "b", "c", "d")
    table = turns.select("dialogue_id", "position", mine=pl.Series([1.0, None, float("nan"), 0.0]))
    assert positions(col.mine > 0.5, turns, signals=table) == []
    assert positions(~(col.mine > 0.5), turns, signals=table) == [3]
    assert positions((col.mine > 0.5) | cue("c", role=None), turns, signals=table) == [2]


def test_scores_follow_the_parts(dialogue):
    turns = dialogue("a", "换个话题", "c", roles=["user"] * 3)
    keys = turns.select("dialogue_id", "position")
    table = keys.with_columns(shift=pl.Series([None, 0.9, 0.7]), tokens=pl.Series([5.0, 9.0, 7.0]))

    def scores(trigger):
        return find_boundaries(trigger, turns, signals=table)["score"].round(3).to_list()

    assert scores(col.shift > 0.5) == [0.9, 0.7]
    assert scores(col.shift < 0.95) == [0.1, 0.3]
    assert scores(col.tokens > 6) == [1.0, 0.5]
    assert scores((col.shift > 0.5) | cue("换个话题")) == [1.0, 0.7]
    assert scores((col.shift > 0.5) & (col.tokens > 6)) == [0.9, 0.5]


@pytest.mark.parametrize("trigger", ["~(hl.col.a > 0.5)", "~((hl.col.a > 0.5) & (hl.col.b > 0.5))",
                                     "~((hl.col.a > 0.5) | (hl.col.b > 0.5))"])  # fmt: skip
def test_what_is_unknown_speaks_for_no_cut_under_not_either(dialogue, trigger):
    """A full span is cut at its best score, and the gap in front of "c" is the only one that is known."""
    turns = dialogue(*"abcde")
    known = pl.Series([None, None, 0.4, None, None])
    table = turns.select("dialogue_id", "position", a=known, b=known)
    placed = resolve_trigger(trigger).place(min_turns=2, max_turns=4, align="turn")
    assert positions(placed, turns, signals=table)[:1] == [2]
    closed_to_it = placed.trigger.place(min_turns=3, max_turns=4, align="turn")
    found = find_boundaries(closed_to_it, turns, signals=table)
    assert found["score"].to_list() == [0.0]


def test_a_threshold_at_the_end_of_the_range_leaves_the_cut_to_the_longest_span(dialogue):
    turns = dialogue(*"abcdef")
    shift = pl.Series([None, 0.2, 0.9, 0.1, 0.3, 0.2])
    table = turns.select("dialogue_id", "position", shift=shift)
    assert positions(col.shift > 1, turns, signals=table) == []
    assert positions((col.shift > 1).place(max_turns=4), turns, signals=table) == [2, 4]


def test_signals_come_from_a_table_from_settings_or_by_default(dialogue, topics):
    turns, vectors = dialogue(*["x"] * 30), topics(10, 10, 10)
    trigger = col.shift > 0.9
    default = positions(trigger, turns, vectors)
    assert positions(trigger, turns, signals=compute_signals(turns, vectors)) == default
    assert positions(trigger, turns, vectors, signals={"shift": Shift(window=1, lag=0)}) != default
    shuffled = compute_signals(turns, vectors).reverse()
    assert positions(trigger, turns, signals=shuffled) == default
    partly = turns.select("dialogue_id", "position", mine=pl.lit(1.0))
    assert positions((col.mine > 0.5) & trigger, turns, vectors, signals=partly) == default


def test_expressions_over_signals_and_turns(dialogue):
    turns = dialogue("a", "bbbb", "cc", "ddddd")
    assert positions(expr(pl.col("tokens") > pl.col("tokens").mean()), turns) == [1, 3]
    assert positions(expr(pl.col("turn_length").shift(1) > 3, lookahead=0), turns) == [2]
    assert positions(expr(pl.lit(True), lookahead=0), turns) == [1, 2, 3]
    assert expr(pl.col("shift").shift(-2) > 0.5, lookahead=2).lookahead == 3
    with pytest.raises(HydralabError, match="gives Int64, expected a Boolean"):
        positions(expr(pl.col("tokens") + 1, lookahead=0), turns)
    with pytest.raises(UnknownNameError, match="unknown signal 'tokns'; known: 'tokens'"):
        positions(expr(pl.col("tokns") > 1), turns)


@pytest.mark.parametrize(
    ("trigger", "message"),
    [
        (col.shift > 80, r"shift is from 0 to 1 \(share of earlier gaps\), 80 is outside"),
        (col.shift_raw > 2.5, r"shift_raw is from 0 to 2 \(cosine distance\), 2.5 is outside"),
        (col.tokens > -1, r"tokens is at least 0 \(tokens\), -1 is outside"),
        ((~(col.question < 2) | cue("a")).place(), r"question is from 0 to 1 \(0 or 1\), 2 is outside"),
    ],
)
def test_a_threshold_outside_the_range_names_it(dialogue, topics, trigger, message):
    """FAULTS 43."""
    with pytest.raises(HydralabError, match=message):
        find_boundaries(trigger, dialogue("a", "b"), topics(2))


def test_unknown_signals_list_the_known_nearest_first(dialogue, topics):
    with pytest.raises(UnknownNameError, match="unknown signal 'shfit'; known: 'shift', 'shift_raw'"):
        find_boundaries(col.shfit > 0.5, dialogue("a", "b"), topics(2))


def test_missing_or_ill_fitting_vectors_are_named(dialogue, topics):
    with pytest.raises(HydralabError, match="signal 'shift' is computed from vectors"):
        find_boundaries(col.shift > 0.5, dialogue("a"))
    with pytest.raises(HydralabError, match="trigger 'texttiling' is computed from vectors"):
        find_boundaries("texttiling", dialogue("a"))
    with pytest.raises(HydralabError, match=r"shape \(3, 16\) for 1 turns"):
        find_boundaries("texttiling", dialogue("a"), topics(3))


def test_turns_out_of_order_are_refused(dialogue):
    turns = dialogue("你好", "好", "另外，预算呢？")
    with pytest.raises(HydralabError, match="row 1 of 'd' has position 1 after 2"):
        find_boundaries(cue("另外"), turns[::-1])
