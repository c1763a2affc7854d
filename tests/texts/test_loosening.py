"""Patterns without look-around find at least what the patterns find."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydralab.texts.amounts_chinese import CHINESE_AMOUNTS
from hydralab.texts.amounts_english import ENGLISH_AMOUNTS
from hydralab.texts.loosening import can_match, loosened
from hydralab.texts.marks import MARKS

PATTERNS = [pattern for _, pattern in (*MARKS, *ENGLISH_AMOUNTS, *CHINESE_AMOUNTS)]
PIECES = [
    *"0129 .,:-/%$€@+#()年月日号点万元块一二两三十百个半天晚 \n",
    *("twenty", "one", "ten to", "half past", "a dozen", "million", "euros", "kg", "May", "Friday", "noon"),
    *(
        "order",
        "room",
        "call",
        "www",
        "com",
        "http",
        "ISBN",
        "v1",
        "上午",
        "下周",
        "小时",
        "电话",
        "订单",
        "预算",
    ),
]
said = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@settings(max_examples=150, deadline=None)
@given(st.lists(said, max_size=4))
def test_where_a_rule_finds_something_its_loose_form_says_that_it_can(texts: list[str]) -> None:
    for pattern, can in zip(PATTERNS, can_match(texts, PATTERNS), strict=True):
        for text, may in zip(texts, can, strict=True):
            assert may or not pattern.search(text), (text, pattern.pattern)


@pytest.mark.parametrize(
    ("pattern", "loose"),
    [
        (r"(?<!\d) \d{4} (?! (?:st|nd) \b)", "[0-9]{4}"),
        (r"a (?= b (c | d) ) e", "ae"),
        (r"[\w)&] \ \#", r"[0-9A-Za-z_)&][ ]\#"),
        (r"(?P<value> x )(?<=[)]) \b", r"(?P<value>x)(?-u:\b)"),
    ],
)
def test_looks_go_with_all_they_hold_and_the_rest_is_written_for_rust(pattern: str, loose: str) -> None:
    assert loosened(re.compile(pattern, re.VERBOSE | re.ASCII)) == loose


def test_it_rules_most_out() -> None:
    texts = ["We should paint the shed before winter comes.", "那家店的老板人真不错。"]
    assert sum(any(can) for can in can_match(texts, PATTERNS)) < 4
