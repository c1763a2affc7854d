import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.errors import HydralabError
from hydralab.widgets.controls import Controls, Rule, read_controls, write_controls

rules = st.builds(
    Rule, st.sampled_from(["shift", "depth", "tokens"]), st.integers(-900, 900).map(lambda n: n / 100)
)
controls = st.builds(
    Controls,
    rules=st.lists(rules, max_size=3).map(tuple),
    cue=st.text(max_size=12),
    every=st.booleans(),
    min_turns=st.integers(1, 50),
    max_turns=st.integers(1, 90),
).filter(lambda made: made.rules or made.cue)


@given(controls)
def test_controls_and_text_are_made_from_each_other(made):
    read = read_controls(write_controls(made))
    assert (read.rules, read.cue) == (made.rules, made.cue)
    assert (read.min_turns, read.max_turns) == (made.min_turns, made.max_turns)
    if len(made.rules) + bool(made.cue) > 1:
        assert read.every == made.every


@pytest.mark.parametrize(
    "text",
    [
        "",
        "texttiling",
        "(hl.col.shift > 0.8",
        "hl.col.shift > 0.8",
        "(hl.col.shift < 0.8).place(min_turns=4, max_turns=40)",
        "((hl.col.shift > 0.8) | (hl.col.depth > 1) & hl.cue('a')).place(min_turns=4, max_turns=40)",
        "(~(hl.col.shift > 0.8)).place(min_turns=4, max_turns=40)",
        "hl.cue('a', cut='after').place(min_turns=4, max_turns=40)",
        "(hl.col.shift > 0.8).place(4, 40)",
    ],
)
def test_a_text_that_no_control_can_say_is_left_to_the_text_box(text):
    assert read_controls(text) is None


def test_an_alignment_survives_the_sliders():
    read = read_controls("(hl.col.shift > 0.8).place(min_turns=4, max_turns=40, align='turn')")
    assert write_controls(read).endswith("max_turns=40, align='turn')")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": [], "cue": ""}, "expected at least one"),
        ({"cue": "("}, "is no regular expression"),
        ({"min_turns": 9, "max_turns": 3}, "max 3 is below min 9"),
    ],
)
def test_wrong_settings_are_refused_in_words(change, message):
    with pytest.raises(HydralabError, match=message):
        Controls.of_json({**Controls().to_json(), **change})
