import copy
import pickle

import numpy as np
import polars as pl
import pytest

from hydralab.errors import HydralabError, UnknownNameError
from hydralab.triggers import StateMachine, col, cue, expr, from_json, get_trigger, parse_trigger, to_json

EXAMPLES = [
    col.shift > 0.8,
    col["my column"] <= -2,
    cue("换个话题|另外"),
    cue(r"sum\s+\"up\"", role=None, cut="after"),
    (col.shift > 0.8) | cue("另外"),
    (col.shift >= 0.8) & (col.tokens < 40) & ~cue("谢谢"),
    ((col.shift > 0.8) | cue("另外")) & ~((col.tokens > 400) | (col.depth > 0.2)),
    expr(pl.col("shift").rolling_mean(3) > 0.5, lookahead=0, source="rolling"),
    expr((pl.col("tokens").shift(1) > 400) | pl.col("text").str.contains("(dyn int: 5)")),
    get_trigger("change_points", penalty=1.5, lookahead=1) | (col.question > 0.5),
    StateMachine(["a", "b"], {("a", "b"): col.shift > 0.5, ("b", "a"): cue("回来")}),
    StateMachine(["a"], [("a", "a", cue("x") | cue("y"))]),
    ((col.shift > 0.8) | cue("换个话题|另外")).place(min_turns=4, max_turns=40),
    get_trigger("every", n=3).place(align="turn"),
]


@pytest.mark.parametrize("trigger", EXAMPLES, ids=repr)
def test_repr_is_python_that_makes_the_trigger(trigger):
    import hydralab.triggers as hl

    assert eval(repr(trigger), {"hl": hl}) == trigger


@pytest.mark.parametrize("trigger", EXAMPLES, ids=repr)
def test_triggers_are_keys_and_survive_copying(trigger):
    for twin in (copy.deepcopy(trigger), pickle.loads(pickle.dumps(trigger))):
        assert twin == trigger
        assert {trigger: 1}[twin] == 1


def test_equality_is_structural():
    a, b, c = col.shift > 0.8, cue("另外"), col.tokens > 4
    assert (a | b) | c == a | (b | c)
    assert a | b != b | a
    assert ~~a == a
    assert (col.shift > 0.8) != (col.shift > 0.7)


def test_the_reading_of_the_issue_is_the_text():
    trigger = ((col.shift > 0.8) | cue("换个话题|另外")).place(min_turns=4, max_turns=40)
    assert repr(trigger) == (
        "((hl.col.shift > 0.8) | hl.cue('换个话题|另外')).place(min_turns=4, max_turns=40)"
    )


def test_placement_stands_once_at_the_root():
    placed = (col.shift > 0.8).place(min_turns=3)
    for join in (
        lambda: placed | cue("a"),
        lambda: cue("a") & placed,
        lambda: ~placed,
        lambda: placed.place(),
    ):
        with pytest.raises(HydralabError, match=r"\.place\(\) stands once, at the root"):
            join()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"min_turns": 0}, "min_turns is 0, expected a whole number of at least 1"),
        ({"min_turns": 9, "max_turns": 4}, "max_turns is 4, expected at least min_turns, 9"),
        ({"align": "word"}, "align is 'word', expected 'round' or 'turn'"),
    ],
)
def test_impossible_lengths_are_refused(settings, message):
    with pytest.raises(HydralabError, match=message):
        (col.shift > 0.8).place(**settings)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: bool(col.shift > 0.8),
        lambda: 0.2 < col.shift < 0.8,
        lambda: col.shift and cue("a"),
        lambda: ~col.shift,
        lambda: cue("a") | col.shift,
        lambda: col.shift & cue("a"),
        lambda: col.shift == 0.5,
        lambda: col.shift > "0.8",
        lambda: col.shift > float("nan"),
        lambda: (col.shift > 0.8) | "another",
        lambda: cue("(unclosed"),
        lambda: cue("a(?=b)"),
        lambda: cue(""),
        lambda: cue("a", role="boss"),
        lambda: cue("a", cut="middle"),
        lambda: expr("not json"),
        lambda: expr(42),
        lambda: expr(pl.col("shift") > 0, lookahead=-1),
        lambda: expr(pl.col("shift") > 0, lookahead=True),
        lambda: expr(pl.col("shift").map_batches(lambda shift: shift > 0)),
        lambda: col.shift > np.float64("nan"),
    ],
)
def test_what_is_no_trigger_says_so(wrong):
    with pytest.raises(HydralabError):
        wrong()


@pytest.mark.parametrize(
    ("trigger", "text"),
    [
        (col.shift > np.float64(0.8), "hl.col.shift > 0.8"),
        (np.float64(0.8) < col.shift, "hl.col.shift > 0.8"),
        (col.tokens <= np.int64(40), "hl.col.tokens <= 40"),
        ((col.tokens > 4).place(min_turns=np.int64(4), max_turns=np.int32(9)), None),
        (
            get_trigger("change_points", penalty=np.float64(1.5)),
            "hl.get_trigger('change_points', penalty=1.5)",
        ),
        (get_trigger("every", n=np.int64(4)), "hl.get_trigger('every', n=4)"),
        (expr(pl.col("shift") > 0.5, lookahead=np.int64(1)), None),
    ],
)
def test_numbers_of_numpy_are_written_and_read_as_those_of_python(trigger, text):
    assert text is None or repr(trigger) == text
    assert parse_trigger(repr(trigger)) == from_json(to_json(trigger)) == trigger


def test_code_is_not_read_from_text():
    carried = pl.col("text").map_elements(len, return_dtype=pl.Int64).meta.serialize(format="json")
    with pytest.raises(HydralabError, match="the text carries a function"):
        expr(carried)
    assert expr(expr(pl.col("text").str.contains("Python"), lookahead=0).code, lookahead=0).lookahead == 0


def test_parameters_are_checked_by_name_and_kind():
    with pytest.raises(UnknownNameError, match="unknown parameter of trigger 'every': 'm'; known: 'n'"):
        get_trigger("every", m=3)
    with pytest.raises(UnknownNameError, match="unknown trigger 'evry'; known: 'every'"):
        get_trigger("evry")
    with pytest.raises(HydralabError, match="expected a value that JSON has"):
        get_trigger("every", n=object())


def test_names_complete():
    assert {"shift", "intent_decision"} <= set(dir(col))
    assert not hasattr(col, "_repr_html_")


@pytest.mark.parametrize(
    ("expression", "spoken"),
    [
        (pl.col("shift") > 0.5, 'col("shift") > 0.5'),
        (pl.col("tokens").shift(1) > 400, '(col("tokens").shift(1)) > 400'),
        ((pl.col("a b") > 1) & (pl.col("c") < -2), '(col("a b") > 1) & (col("c") < -2)'),
    ],
)
def test_the_repr_of_an_expression_begins_with_what_people_read(expression, spoken):
    trigger = expr(expression, lookahead=0)
    assert repr(trigger).startswith(f"hl.expr(source={spoken!r}, lookahead=0, expression='{{")
    assert parse_trigger(repr(trigger)) == trigger
    assert expr(trigger.code, lookahead=0) == trigger
