"""Finding a gold answer in a text: whole words in English, any place in Chinese."""

import pytest

from hydralab.metrics import answer_exact, answer_excluded, answer_f1, contains_answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The budget is 40,000 euros.", "40,000 euros"),
        ("ＢＵＤＧＥＴ：４０，０００ euros", "40,000 Euros."),
        ("the  red\n bicycle", "Red bicycle"),
        ("市场推广预算约四十万元。", "四十万"),
        ("预算是40万，下周给", "40"),
        ("用Alice推荐的方案", "Alice"),
        ("C++ and Rust", "C++"),
        ("it costs 7.", "7."),
    ],
)
def test_found(text, answer):
    assert contains_answer(text, answer)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("about 400 people", "40"),
        ("it is 40,000", "40"),
        ("version 2.40 is out", "40"),
        ("a cartwright", "art"),
        ("the smart one", "art"),
        ("预算是四十万", "四十一万"),
        ("anything", ""),
        ("anything", "。"),
    ],
)
def test_not_found(text, answer):
    assert not contains_answer(text, answer)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "empty"),
        ("  ", "empty"),
        ("…", "empty"),
        ("7", "one character"),
        ("是。", "one character"),
        ("Yes!", "yes or no"),
        ("NO", "yes or no"),
        ("没有", "yes or no"),
        ("不是。", "yes or no"),
        ("yes, on Monday", None),
        ("42", None),
        ("北京", None),
    ],
)
def test_answers_that_cannot_be_looked_for(answer, reason):
    assert answer_excluded(answer) == reason


def test_answers_are_compared_by_words_and_by_chinese_characters():
    assert answer_exact("the Café!", "Café") == 1.0
    assert answer_exact("５月７日", "5月7日") == 1.0
    assert answer_f1("大约四十万元", "四十万") == pytest.approx(2 * 3 / (6 + 3))
    assert answer_f1("40", "40,000") == 0.0
    assert (answer_f1("", "x"), answer_f1("", "")) == (0.0, 1.0)
