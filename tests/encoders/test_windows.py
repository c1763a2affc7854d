"""Cutting long texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.encoders.windows import cut_windows, cut_windows_by_count

TEXT = st.text(alphabet="ab. 。，\n字")


@given(TEXT, st.integers(2, 9))
def test_windows_join_to_the_text_and_keep_the_limit(text, limit):
    windows = cut_windows(text, limit)
    assert "".join(windows) == text
    assert all(len(window) <= limit for window in windows)


@given(TEXT, st.integers(2, 9))
def test_windows_by_count_join_to_the_text_and_keep_the_limit(text, limit):
    windows = cut_windows_by_count(text, limit, lambda part: len(part.encode()))
    assert "".join(windows) == text
    assert all(len(window.encode()) <= limit or len(window) == 1 for window in windows)


@pytest.mark.parametrize(
    ("text", "limit", "windows"),
    [
        ("One two. Three four.", 12, ["One two. ", "Three four."]),
        ("预算是四十万。日期是下周。", 10, ["预算是四十万。", "日期是下周。"]),
        ("no end to be seen", 10, ["no end to ", "be seen"]),
        ("字" * 5, 2, ["字字", "字字", "字"]),
    ],
)
def test_a_cut_falls_after_a_sentence_else_between_words_else_at_the_limit(text, limit, windows):
    assert cut_windows(text, limit) == windows


def test_a_short_text_is_not_counted():
    def never(_part):
        raise AssertionError

    assert cut_windows_by_count("short", 10, never) == ["short"]
