import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.checkpoints.hesitations import tidy


@pytest.mark.parametrize(
    ("spoken", "tidied"),
    [
        ("Okay, so, um, the budget is 84,500.", "The budget is 84,500."),
        ("I I mean we we need, uh, oak.", "I we need, oak."),
        ("Well, that's that.", "That's that."),
        ("You know, it is, you know, too dear.", "It is, too dear."),
        ("那么，我们我们定在五月，对吧？", "我们定在五月"),
        ("嗯嗯，呃预算四十万。", "预算四十万。"),
    ],
)
def test_hesitations_go(spoken, tidied):
    assert tidy(spoken) == tidied


@pytest.mark.parametrize(
    "said",
    [
        "No, it's 84,500 euros.",
        "So far the budget is fixed.",
        "For 4.2 metres of 40 mm worktop expect £980.",
        "Well done!",
        "Eleventy is easier if you know JavaScript.",
        "What I mean is the second one.",
        "Don't buy black granite.",
        "不要黑色的，预算 48.6 万元。",
        "那个方案不行。",
        "妈妈的号是3月24号。",
    ],
)
def test_negations_amounts_and_what_only_looks_like_a_filler_stay(said):
    assert tidy(said) == said


@given(st.text(max_size=80))
def test_nothing_is_added_and_lines_become_one(text):
    tidied = tidy(text)
    assert len(tidied) <= len(text) + text.count("ß") + 3
    assert "\n" not in tidied
