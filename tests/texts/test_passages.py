import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.texts import tokenizer
from hydralab.texts.passages import passages

COUNTER = tokenizer()


def squeezed(text):
    return "".join(text.split())


def test_a_passage_stands_under_its_headings():
    text = "Intro.\n\n# Trip\nWe go.\n## Costs\nThe hotel.\n## Days\nThree.\n# After\nHome."
    found = [(each.heading, each.text) for each in passages(text, COUNTER)]
    assert found == [
        ("", "Intro."),
        ("Trip", "We go."),
        ("Trip › Costs", "The hotel."),
        ("Trip › Days", "Three."),
        ("After", "Home."),
    ]


def test_chinese_headings_and_underlined_ones_are_told():
    text = "第二章 费用\n预算四十万元。\n三、验收\n六周后验收。\n第3条 违约\n另议。"
    assert [each.heading for each in passages(text, COUNTER)] == [
        "第二章 费用",
        "第二章 费用 › 三、验收",
        "第二章 费用 › 第3条 违约",
    ]
    assert [each.heading for each in passages("Costs\n=====\nNinety euros.", COUNTER)] == ["Costs"]


@pytest.mark.parametrize("text", ["第二章已经写完了，我们继续。", "一、二、三，开始！", "#hashtag says"])
def test_a_sentence_is_no_heading(text):
    assert {each.heading for each in passages(text, COUNTER)} == {""}


def test_a_document_of_headings_alone_is_its_headings():
    (only,) = passages("# Trip\n## Costs", COUNTER)
    assert (only.heading, only.text) == ("", "# Trip\n## Costs")


def test_what_is_in_a_code_block_is_no_heading_and_stays_whole():
    text = "# Setup\n```sh\n# install\nmake lab\n```\nDone."
    (only,) = passages(text, COUNTER)
    assert only.text == "```sh\n# install\nmake lab\n```\nDone."


def test_sentences_go_together_while_they_fit():
    text = " ".join(f"Sentence number {number} of this text." for number in range(40))
    found = passages(text, COUNTER, most=50)
    assert all(COUNTER.count(each.text) <= 50 for each in found)
    assert all(each.text.endswith("text.") for each in found)
    assert len(found) < 10


@given(st.text(st.sampled_from("ab 汉字。.!？\n#-=`|\t第一章、"), max_size=300), st.integers(16, 40))
def test_every_word_is_kept_and_no_passage_is_too_long(text, most):
    found = passages(text, COUNTER, most=most)
    assert all(COUNTER.count(each.text) <= most or len(each.text) == 1 for each in found)
    assert all(each.text == each.text.strip() != "" for each in found)
    held = squeezed("".join(each.text for each in found))
    rest = iter(squeezed(text))
    assert all(sign in rest for sign in held), "passages hold the text in its order"
