import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.widgets.controls import Controls, Rule, controls_of

rules = st.builds(
    Rule,
    st.sampled_from(["shift", "depth", "tokens"]),
    st.integers(-900, 900).map(lambda n: n / 100),
    st.sampled_from([">", ">=", "<", "<="]),
)
controls = st.builds(
    Controls,
    rules=st.lists(rules, max_size=3).map(tuple),
    cue=st.sampled_from(["", "另外", "by the way|换个话题", r"\bnew\b"]),
    every=st.booleans(),
    min_turns=st.integers(1, 9),
    max_turns=st.none() | st.integers(9, 90),
    align=st.sampled_from(["round", "turn"]),
).filter(lambda made: made.rules or made.cue)


@settings(deadline=None)
@given(controls)
def test_controls_and_trigger_are_made_from_each_other(made):
    again = controls_of(made.trigger())
    assert again.trigger() == made.trigger()
    assert (again.rules, again.cue) == (made.rules, made.cue)


@settings(deadline=None)
@given(controls)
def test_controls_survive_the_way_through_the_browser(made):
    assert Controls.of_json(json.loads(json.dumps(made.to_json()))) == made


@pytest.mark.parametrize(
    "trigger",
    [
        hl.col.shift > 0.8,
        (~(hl.col.shift > 0.8)).place(min_turns=4),
        ((hl.col.shift > 0.8) | ((hl.col.depth > 1) & hl.cue("a"))).place(min_turns=4),
        hl.cue("a", cut="after").place(min_turns=4),
        (hl.cue("a") | hl.cue("b")).place(min_turns=4),
        (hl.cue("a") | (hl.col.shift > 0.8)).place(min_turns=4),
    ],
)
def test_a_trigger_that_no_control_can_say_is_left_to_the_text_box(trigger):
    assert controls_of(trigger) is None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Controls(rules=()), "expected at least one"),
        (Controls(cue="("), "is no regular expression"),
        (Controls(min_turns=9, max_turns=3), "max_turns is 3, expected at least min_turns, 9"),
    ],
)
def test_wrong_settings_are_refused_in_words(wrong, message):
    with pytest.raises(HydralabError, match=message):
        wrong.trigger()
