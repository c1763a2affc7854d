from hypothesis import given, settings
from hypothesis import strategies as st

from hydralab.widgets import diffs
from hydralab.widgets.diffs import diff_lines, prompt_lines

lines = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12)


@settings(deadline=None)
@given(lines, lines)
def test_a_diff_accounts_for_every_line_of_both_sides(before, now):
    signed = diff_lines(before, now)
    hidden = sum(int(text.split()[0]) for sign, text in signed if sign == "…")
    count = {sign: sum(other == sign for other, _ in signed) for sign in "+- "}
    assert count["+"] + count[" "] + hidden == len(now)
    assert count["-"] + count[" "] + hidden == len(before)


@settings(deadline=None)
@given(lines)
def test_equal_prompts_have_no_change(prompt):
    assert {sign for sign, _ in diff_lines(prompt, prompt)} <= {"…"}


def test_a_changed_line_is_shown_with_its_neighbours():
    before, now = list("abcdefgh"), list("abcdXfgh")
    assert diff_lines(before, now) == [
        ("…", "2 lines as before"), (" ", "c"), (" ", "d"), ("-", "e"), ("+", "X"), (" ", "f"), (" ", "g"),
        ("…", "1 line as before"),
    ]  # fmt: skip


def test_huge_changes_are_not_aligned(monkeypatch):
    monkeypatch.setattr(diffs, "MOST_COMPARED", 3)
    assert diff_lines(list("abcd"), list("xbyz")) == [
        *(("-", line) for line in "abcd"), *(("+", line) for line in "xbyz"),
    ]  # fmt: skip


def test_a_message_without_content_is_its_role_alone():
    assert prompt_lines([{"role": "assistant", "content": None}]) == ["[assistant]", ""]
