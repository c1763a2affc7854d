"""A trigger's text and its JSON."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydralab.errors import HydralabError
from hydralab.triggers import col, cue, from_json, get_trigger, parse_trigger, resolve_trigger, to_json

LEAVES = st.one_of(
    st.builds(
        lambda name, threshold, above: col[name] > threshold if above else col[name] <= threshold,
        st.sampled_from(["shift", "tokens", "my column", "预算"]),
        st.floats(-1e6, 1e6) | st.integers(-9, 9),
        st.booleans(),
    ),
    st.builds(
        cue,
        st.sampled_from(["换个话题|另外", "it's", 'a"b', r"\bnow\b"]),
        cut=st.sampled_from(["before", "after"]),
    ),
    st.builds(lambda n: get_trigger("every", n=n), st.integers(1, 9)),
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a & b, inner, inner),
        st.builds(lambda a, b: a | b, inner, inner),
        st.builds(lambda a: ~a, inner),
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=80)
@given(TREES, st.booleans())
def test_text_and_json_give_the_trigger_back(trigger, placed):
    trigger = trigger.place(min_turns=2, max_turns=9) if placed else trigger
    assert parse_trigger(repr(trigger)) == trigger
    assert from_json(to_json(trigger)) == trigger


def test_the_prefix_may_be_left_out_and_numbers_may_stand_first():
    assert parse_trigger("col.shift > 0.8") == parse_trigger(" 0.8 < hl.col.shift ") == (col.shift > 0.8)
    assert parse_trigger("-1 >= col['x']") == (col["x"] <= -1)


def test_a_bare_name_is_a_registered_trigger():
    assert parse_trigger("texttiling") == get_trigger("texttiling")
    assert parse_trigger("every(n=4) | cue('另外')") == get_trigger("every", n=4) | cue("另外")
    assert parse_trigger("default").lookahead == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no expression"),
        ("hl.col.shift >", "is no expression"),
        ("hl.col.shift", "is a signal, not a trigger"),
        ("hl.col.shift > 0.8 | cue('a')", "is no number; put each comparison in brackets"),
        ("(col.shift > 0.8) or cue('a')", "use &, | and ~"),
        ("not cue('a')", "use &, | and ~"),
        ("0.2 < col.shift < 0.8", "compares twice"),
        ("col.shift == 0.8", "compares by something else"),
        ("shift > 0.8", "compares no signal"),
        ("evry", "unknown trigger 'evry'; known: 'every'"),
        ("cue('(')", "is no regular expression .*: unclosed group"),
        ("cue(sorry='a')", "has wrong arguments"),
        ("every(3)", "has an argument without its name"),
        ("every(**{'n': 3})", "spreads arguments by a star"),
        ("__import__('os').system('true')", "calls something else than"),
        ("(lambda: 1)()", "calls something else than"),
        ("[c for c in ()]", "is no trigger"),
        ("f'{1}'", "is no trigger"),
        ("cue('a').place(4)", "has an argument without its name"),
        ("(" * 4000 + "cue('a')" + ")" * 4000, "is no expression"),
        ("~" * 15000 + "cue('a')", "is no expression|too deeply nested"),
        ("cue('a') | " * 4000 + "cue('a')", "expected at most 20,000"),
    ],
)
def test_text_that_is_no_trigger_says_where_and_why(text, message):
    with pytest.raises(HydralabError, match=message):
        parse_trigger(text)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "3", '{"not": 3}', '{"all": []}', '{"signal": "a", "operator": "=", "threshold": 1}'],
)
def test_json_that_is_no_trigger_is_refused(text):
    with pytest.raises(HydralabError, match="trigger JSON"):
        from_json(text)


def test_a_trigger_is_taken_in_any_form():
    trigger = col.shift > 0.8
    assert resolve_trigger(trigger) is trigger
    assert resolve_trigger("hl.col.shift > 0.8") == trigger
    with pytest.raises(HydralabError, match=r"got hl\.col\.shift, expected a trigger"):
        resolve_trigger(col.shift)
