"""What is private in a text, and what only looks like it."""

from itertools import pairwise
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.errors import HydralabError, UnknownNameError
from hydralab.privacy import KINDS, find_private, redact
from hydralab.readers import example, read


def found(text):
    return [(text[start:end], kind) for start, end, kind in find_private(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("写信给 wang.li+a@mail.example.cn。", [("wang.li+a@mail.example.cn", "email")]),
        ("reach me at kim [at] example [dot] org", [("kim [at] example [dot] org", "email")]),
        ("我手机１５０１２３４０００１", [("１５０１２３４０００１", "phone")]),
        ("call (312) 555-0171 ext. 4", [("(312) 555-0171", "phone")]),
        ("致电 +86 (0)10 5555 0123", [("+86 (0)10 5555 0123", "phone")]),
        ("身份证11010519491231002x", [("11010519491231002x", "id_card")]),
        ("her SSN is 536-90-4399", [("536-90-4399", "id_card")]),
        ("National Insurance QQ123456C or AB 12 34 56 C", [("AB 12 34 56 C", "id_card")]),
        ("卡号 6222 6000 0000 0000 004", []),
        ("visa 4012-8888-8888-1881", [("4012-8888-8888-1881", "bank_card")]),
        ("护照号 E12345678", [("E12345678", "passport")]),
        ("密码是：Autumn_77，别外传", [("Autumn_77", "secret")]),
        ("postgresql://lab:s3cr3t@db.example.com/x", [("s3cr3t", "secret")]),
    ],
)
def test_each_kind_in_both_languages(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "订单号 13912345670 已发货",
        "配件 E12345678 到货",
        "the token limit is 128000 tokens",
        "password = os.environ['DB_PASSWORD']",
        "密码至少 12 位",
        "git clone git@code.example.com:team/app.git",
        "seed 1234567890123456, build 20260601",
        "commit 9f596fc634410986f91208b952cc158cf7a33210",
    ],
)
def test_what_only_looks_like_it(text):
    assert found(text) == []


def test_a_number_with_a_wrong_check_digit_is_neither_card():
    assert found("身份证 110105194912310021") == []
    assert found("card 4111 1111 1111 1112") == []


def test_redaction_of_some_kinds():
    text = "ann@example.org, +1 206-555-0148"
    assert redact(text, ["email"]) == "[email], +1 206-555-0148"
    assert redact(text, replacement="###") == "###, ###"
    assert redact(text, False) == text
    with pytest.raises(UnknownNameError, match="unknown kind of private text 'mail'"):
        redact(text, ["mail"])
    with pytest.raises(HydralabError, match="text is None, expected a text"):
        redact(None)


private = st.sampled_from(
    [
        "ann@example.org",
        "+86 138 0000 5521",
        "身份证11010519491231002X",
        "密码：Autumn_77",
        "4111111111111111",
        "AKIAIOSFODNN7EXAMPLE",
    ]
)


@given(st.lists(private | st.text(max_size=20), max_size=6).map(" ，".join))
def test_spans_are_ordered_and_apart_and_what_is_redacted_stays_so(text):
    spans = find_private(text)
    assert all(span.kind in KINDS and 0 <= span.start < span.end <= len(text) for span in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))
    once = redact(text)
    assert redact(once) == once


def test_nothing_in_the_bundled_dialogues_is_private():
    """They were written to hold numbers of every other sort."""
    texts = [
        text
        for name in ("launch_zh", "launch_en", "long_zh", "long_en")
        for text in read(example(name))["text"]
    ]
    assert [found(text) for text in texts if find_private(text)] == []


@pytest.mark.parametrize(
    "unit", ["1", "1-", "a.", "0123456789abcdef", "密码 ", "mysql ", "http://", "A1b2-", "a:"]
)
def test_the_time_grows_with_the_text_and_no_faster(unit):
    """A hex dump of this length took twenty minutes: quantifiers without a bound, tried from each place."""
    before = perf_counter()
    redact((unit * 60_000)[:60_000])
    assert perf_counter() - before < 5
