"""Lexical terms and content words, Chinese and English as equals."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.texts import content_words, lexical_terms

TEXT = st.text(alphabet="ab 的预算1,.-@'C")


def test_a_chinese_word_is_found_inside_a_clause():
    """FAULTS 10."""
    assert set(lexical_terms("北京")) <= set(lexical_terms("我喜欢北京烤鸭"))


def test_mixed_text_is_found_by_each_of_its_parts():
    """FAULTS 10: names, Chinese and identifiers without a space between them."""
    terms = set(lexical_terms("Alice喜欢CN-A10293"))
    for query in ("alice", "喜欢", "CN-A10293", "a10293"):
        assert set(lexical_terms(query)) & terms, query


def test_full_width_forms_are_the_same_terms():
    """FAULTS 10."""
    assert lexical_terms("ＣＮ－Ａ１０２９３　Ｂｕｄｇｅｔ") == lexical_terms("CN-A10293 budget")


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The budgets were approved", ["budget", "approv"]),
        ("茶", ["茶"]),
        ("84,500 euros", ["84500", "euro"]),
        ("ann@example.org", ["ann@example.org", "ann", "exampl", "org"]),
        ("I need C++ and C#", ["need", "c++", "c", "c#", "c"]),
        ("项目的目的", ["项目", "目的", "目的"]),
        ("Who is it? The Who!", ["who", "who"]),
        ("to be or not", ["not"]),
        ("งบประมาณ", ["งบ", "บป", "ปร", "ระ", "ะม", "มา", "าณ"]),
        ("😀 …", []),
    ],
)
def test_terms(text, terms):
    assert lexical_terms(text) == terms


@given(TEXT, TEXT)
def test_terms_of_joined_texts_are_those_of_each(one, other):
    assert lexical_terms(f"{one} {other}") == lexical_terms(one) + lexical_terms(other)


@pytest.mark.parametrize("text", ["it is that", "是的吗", "What about it?"])
def test_function_words_alone_are_no_terms(text):
    assert lexical_terms(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("我们的市场推广预算是多少？", ["市场推广", "预算"]),
        ("帮我看看明天的会议安排好吗", ["明天", "会议", "安排"]),
        ("What's the marketing budget we talked about?", ["marketing", "budget", "talked"]),
        ("Don't you think so?", []),
        ("那个杯子要多少钱", ["杯子", "钱"]),
        ("把 deadline 挪到周五", ["deadline", "挪到", "周五"]),
    ],
)
def test_content_words_carry_the_meaning(text, words):
    assert content_words(text) == words


@given(st.text())
def test_any_text_has_terms_and_words_that_are_not_blank(text):
    assert all(term.strip() for term in lexical_terms(text) + content_words(text))


def test_two_thousand_turns_take_a_second():
    turns = [f"第{k}轮：市场推广预算大约是四十万元，launch is in week {k}." for k in range(2_000)]
    content_words(turns[0])
    started = time.perf_counter()
    for turn in turns:
        lexical_terms(turn)
        content_words(turn)
    assert time.perf_counter() - started < 5
