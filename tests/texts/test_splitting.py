"""Sentences of both languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.texts import sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("预算定了。日期呢？还没有！", ["预算定了。", "日期呢？", "还没有！"]),
        ("他说：“好的。”然后走了。", ["他说：“好的。”", "然后走了。"]),
        ("It costs 3.5 euros. Really? Yes!", ["It costs 3.5 euros.", "Really?", "Yes!"]),
        (
            "Dr. Lee met J. Smith at 5 p.m. today. They agreed.",
            ["Dr. Lee met J. Smith at 5 p.m. today.", "They agreed."],
        ),
        ("See example.com. Then e.g. this one.", ["See example.com.", "Then e.g. this one."]),
        ("a wrapped\nline goes on\nNew line", ["a wrapped\nline goes on", "New line"]),
        ("- one\n- two\n1. three", ["- one", "- two", "1. three"]),
        ("用 Python 写。It works. 好的", ["用 Python 写。", "It works.", "好的"]),
        (
            "Look at https://a.org/find?q=1!x&b=2?c. Then (http://b.org/?d=e)! Is it www.c.org/f?g=h? Yes.",
            [
                "Look at https://a.org/find?q=1!x&b=2?c.",
                "Then (http://b.org/?d=e)!",
                "Is it www.c.org/f?g=h?",
                "Yes.",
            ],
        ),
        (
            "见https://a.org/x?q=1，好吗？好。Is it http://a.org? 是",
            ["见https://a.org/x?q=1，好吗？", "好。", "Is it http://a.org?", "是"],
        ),
        ("等等……好吧", ["等等……", "好吧"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_end_where_readers_say(text, expected):
    assert [" ".join(sentence.split()) for sentence in sentences(text)] == [
        " ".join(part.split()) for part in expected
    ]


def test_code_and_tables_stay_whole():
    code = "```python\nx = 1. \nprint('a. B')\n```"
    table = "| a. B | c |\n|---|---|\n| 1. X | 2 |"
    assert sentences(f"Look. Here:\n{code}\nAnd:\n{table}\nDone.") == [
        "Look.",
        "Here:",
        code,
        "And:",
        table,
        "Done.",
    ]


@given(st.text(alphabet="ab. 。！\n|\t`“”Mr12-"))
def test_nothing_but_whitespace_is_lost(text):
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


def test_a_megabyte_without_a_break_is_read_in_time():
    assert len(sentences("字" * 1_000_000)) == 1
