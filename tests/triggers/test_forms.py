from collections.abc import Callable
from typing import Any, get_overloads, get_type_hints

import numpy as np
import polars as pl
import pytest

from hydralab.errors import HydralabError, UnknownNameError
from hydralab.registry import generation
from hydralab.triggers import (
    Trigger,
    check_trigger,
    col,
    cue,
    find_boundaries,
    from_json,
    get_trigger,
    parse_trigger,
    segmenter,
    step_trigger,
    to_json,
    trigger,
)


def positions(chosen, turns, vectors=None, **settings):
    return find_boundaries(chosen, turns, vectors, **settings)["position"].to_list()


def test_a_function_of_signals_may_give_a_tree_an_expression_or_a_column(dialogue, registered):
    @trigger(lookahead=0, reads=("tokens",))
    def tree(signals, *, least=3):
        return (col.tokens > least) | cue("a")

    @trigger(lookahead=0, reads=("tokens",))
    def expression(signals):
        return pl.col("tokens") > 3

    @trigger(reads=("tokens",))
    def column(signals):
        return signals["tokens"] > signals["tokens"].mean()

    turns = dialogue("x", "bbbb", "ac", "cc")
    assert positions(tree, turns) == [1, 2]
    assert positions(get_trigger("tree", least=4), turns) == [2]
    assert positions(expression & cue("b", role=None), turns) == [1]
    assert positions(column, turns) == [1]
    assert (tree.lookahead, column.lookahead) == (0, "all")
    assert parse_trigger("tree(least=4)") == from_json(to_json(get_trigger("tree", least=4)))


def test_a_function_is_given_what_it_reads_and_no_more(dialogue, registered):
    @trigger(lookahead=0, reads=("tokens",))
    def greedy(signals):
        assert "question" not in signals.columns
        return pl.col("questoin") > 0

    with pytest.raises(UnknownNameError, match="unknown column 'questoin'; known:"):
        find_boundaries(greedy | (col.question > 0.5), dialogue("a?", "b"))


def test_an_expression_that_cannot_be_computed_is_named(dialogue, registered):
    @trigger(lookahead=0, reads=())
    def wrong_kind(signals):
        return pl.col("position")

    @trigger(lookahead=0, reads=())
    def nonsense(signals):
        return pl.col("text").dt.year() > 2000

    with pytest.raises(HydralabError, match=r"'wrong_kind'\): gives Int64, expected a Boolean a turn"):
        find_boundaries(wrong_kind, dialogue("a", "b"))
    with pytest.raises(HydralabError, match=r"'nonsense'\) can't be computed"):
        find_boundaries(nonsense, dialogue("a", "b"))


def test_a_step_trigger_carries_a_state(dialogue, registered):
    @step_trigger(init=[], reads=("question",))
    def third_question(asked, row, *, count=3):
        asked = [*asked, row["position"]] if row["question"] else asked
        return ([], True, 1.0) if len(asked) == count else (asked, False, len(asked) / count)

    turns = dialogue("a?", "b", "c?", "d?", "e", "f?", "g?", "h?")
    assert positions(third_question, turns) == [3, 7]
    assert positions(third_question, turns) == [3, 7]
    assert positions(get_trigger("third_question", count=2), turns) == [2, 5, 7]
    check_trigger(third_question)


def test_a_step_that_answers_something_else_is_named(dialogue, registered):
    @step_trigger
    def wrong(state, row):
        return True

    with pytest.raises(
        HydralabError, match=r"trigger 'wrong': turn 0: got True, expected \(state, fire, score\)"
    ):
        find_boundaries(wrong, dialogue("a"))


@pytest.mark.parametrize(
    "answer",
    [
        [2],
        np.asarray([2]),
        [False, False, True, False],
        pl.Series([None, False, True, False]),
        pl.DataFrame({"position": [2]}),
        (np.asarray([0, 0, 1, 0]), np.asarray([0.1, 0.2, 0.3, 0.4])),
    ],
)
def test_a_segmenter_may_answer_by_positions_columns_or_a_table(dialogue, registered, answer):
    @segmenter(vectors=False)
    def fixed(turns, vectors):
        assert vectors is None
        return answer

    assert positions(fixed, dialogue(*"abcd")) == [2]


@pytest.mark.parametrize("answer", [[9], [0.5], [True], (np.zeros(2), np.zeros(4))])
def test_an_answer_that_does_not_fit_names_the_trigger(dialogue, registered, answer):
    @segmenter(vectors=False)
    def fixed(turns, vectors):
        return answer

    with pytest.raises(HydralabError, match="trigger 'fixed'"):
        find_boundaries(fixed, dialogue(*"abcd"))


def test_a_rerun_cell_replaces_and_a_stranger_clashes(registered):
    def define():
        @segmenter(vectors=False)
        def mine(turns, vectors):
            return []

    define()
    define()
    with pytest.raises(HydralabError, match="trigger 'mine' is already registered"):

        @segmenter(name="mine", vectors=False)
        def other(turns, vectors):
            return []


def test_what_is_kept_by_trigger_and_generation_is_not_found_again_after_a_rerun_cell(dialogue, registered):
    def define(cut):
        @segmenter(vectors=False)
        def mine(turns, vectors):
            return [cut]

        return mine

    kept = {(define(1), generation()): "boundaries at 1"}
    assert (get_trigger("mine"), generation()) in kept
    redefined = define(2)
    assert (redefined, generation()) not in kept
    assert positions(redefined, dialogue(*"abc")) == [2]


def test_the_entry_point_of_a_decorated_function_may_name_it(dialogue, registered):
    @segmenter(vectors=False)
    def mine(turns, vectors):
        return [1]

    registered.add("mine", mine)
    registered.add("other_name", mine)
    assert positions("mine", dialogue("a", "b")) == positions("other_name", dialogue("a", "b")) == [1]


@pytest.mark.parametrize("decorator", [trigger, step_trigger, segmenter])
def test_a_decorator_is_typed_with_and_without_its_settings(decorator):
    returned = {get_type_hints(each)["return"] for each in get_overloads(decorator)}
    assert returned == {Trigger, Callable[[Callable[..., Any]], Trigger]}


def test_parameters_need_defaults(registered):
    with pytest.raises(HydralabError, match="parameter 'n' has no default"):

        @segmenter
        def needy(turns, vectors, *, n):
            return []


@pytest.mark.parametrize("lookahead", [True, -1, 1.5, "none"])
def test_a_look_ahead_is_a_number_of_turns(registered, lookahead):
    with pytest.raises(HydralabError, match=r"trigger 'hasty': lookahead is .*expected a number of turns"):

        @trigger(lookahead=lookahead)
        def hasty(signals):
            return signals["tokens"] > 3


def test_an_expression_can_be_filed_by_name(dialogue, registered):
    registered.add("greeting", cue("你好"))
    assert get_trigger("greeting") == parse_trigger("greeting") == cue("你好")
    with pytest.raises(HydralabError, match="is an expression and takes no parameters"):
        get_trigger("greeting", n=3)
