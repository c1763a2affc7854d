"""How texts feel, in both languages."""

import re
import time
import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.texts.sentiment import polarity, sentiment_label
from hydralab.texts.sentiment.lexicons import read_lexicon


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("很喜欢", "喜欢"),
        ("喜欢", "有点喜欢"),
        ("有点喜欢", "不喜欢"),
        ("不喜欢", "非常讨厌"),
        ("一点都不难吃", "难吃"),
        ("虽然贵，但是好用", "虽然好用，但是贵"),
        ("太好了！！！", "太好了"),
        ("I like it very much", "I don't like it"),
        ("It's good", "It isn't good"),
        ("It works now", "It never works"),
        ("it was painful, but it's wonderful now", "it was wonderful, but it's painful now"),
        ("😊", "💔"),
        ("收到 🎉", "收到 😡"),
        ("noted 👍", "noted 👎"),
        ("这个 API 设计得真 elegant", "这个 API 设计得真 awful"),
    ],
)
def test_negation_degree_contrast_emoji_and_marks(better, worse):
    assert polarity(better) > polarity(worse)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "嗯",
        "周五下午三点开会",
        "“难过”的反义词是什么",
        "帮我总结一下客户的投诉",
        "异常处理写在哪里",
        "The meeting is at three.",
        "Summarise the complaints by region",
        "An exception is raised if the key is missing.",
        "```\nraise TerribleError('awful')\n```",
        "|bad|worst|\n|good|best|",
        "1234 5678",
    ],
)
def test_what_names_a_feeling_without_having_one_is_neutral(text):
    assert sentiment_label(polarity(text)) == "neutral"


def test_sentences_that_feel_more_weigh_more():
    assert polarity("The train leaves at nine. I love it!") == pytest.approx(polarity("I love it!"))
    assert polarity("气死我了，烦死了！不过还行。") < 0


@given(st.text(max_size=300))
def test_any_text_has_a_polarity_in_range(text):
    assert -1 <= polarity(text) <= 1


def test_a_long_paste_costs_little():
    begun = time.perf_counter()
    polarity("ok " * 100_000)
    assert time.perf_counter() - begun < 2


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_word_has_one_valence_and_every_pattern_is_one(language):
    raw = tomllib.loads(files("hydralab.texts.sentiment").joinpath(f"{language}.toml").read_text("utf-8"))
    words = [word for listed in raw["words"].values() for word in listed]
    assert len(words) == len(set(words)) == len(read_lexicon(language).words)
    for section in ("phrases", "neutral", "request"):
        for patterns in raw[section].values():
            assert all(re.compile(pattern).search("") is None for pattern in patterns)
