"""Chinese words as jieba cuts them, whatever was cut before."""

import jieba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.texts import chinese


@pytest.fixture(scope="module")
def plain():
    return jieba.Tokenizer()


@given(st.text(alphabet="我们在北京上海说好老张经理的了一二三 ab1#。，\n", max_size=40))
def test_words_are_those_of_jieba_in_both_ways_of_cutting(plain, text):
    for _ in range(2):  # the second time from memory
        assert chinese.cut(text) == plain.lcut(text)
        assert [word for word, _ in chinese.tag(text)] == plain.lcut(text, HMM=False)


def test_a_stretch_too_long_to_remember_is_cut_alike(plain):
    text = "市场推广预算" * 100
    assert chinese.cut(text) == plain.lcut(text)
