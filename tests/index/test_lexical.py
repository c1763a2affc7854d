from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydralab.errors import HydralabError
from hydralab.index import Lexical
from hydralab.texts import lexical_terms

WORDS = ["budget", "venue", "预算", "场地", "ok", "CN-A10293"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join), min_size=1, max_size=12)


def slow_scores(texts, query, k1=0.9, b=0.4):
    """BM25 as in the textbook, text by text."""
    counts = [Counter(lexical_terms(text)) for text in texts]
    mean = sum(count.total() for count in counts) / len(texts)
    scores = []
    for count in counts:
        score = 0.0
        for term in set(lexical_terms(query)):
            held = sum(term in other for other in counts)
            idf = log(1 + (len(texts) - held + 0.5) / (held + 0.5))
            if count[term]:
                saturation = k1 * (1 - b + b * count.total() / mean)
                score += idf * count[term] * (k1 + 1) / (count[term] + saturation)
        scores.append(score)
    return scores


def indexed(texts):
    index = Lexical()
    for text in texts:
        index.add([text])
    return index


@settings(deadline=None)
@given(
    texts=TEXTS, query=st.sampled_from(["budget 预算", "cn-a10293", "venue ok", "nothing"]), data=st.data()
)
def test_scores_are_those_of_an_index_of_the_first_texts_alone(texts, query, data):
    upto = data.draw(st.integers(1, len(texts)))
    scores = indexed(texts).scores(query, upto=upto)
    np.testing.assert_allclose(scores, slow_scores(texts[:upto], query), atol=1e-5)


@settings(deadline=None)
@given(texts=TEXTS, before=st.integers(0, 3), after=st.integers(0, 3), data=st.data())
def test_a_window_scores_as_its_texts_joined(texts, before, after, data):
    upto = data.draw(st.integers(1, len(texts)))
    joined = [" ".join(texts[max(0, t - before) : min(upto, t + after + 1)]) for t in range(upto)]
    scores = indexed(texts).scores("budget 场地", upto=upto, before=before, after=after)
    np.testing.assert_allclose(scores, slow_scores(joined, "budget 场地"), atol=1e-5)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我喜欢北京烤鸭", "北京"),
        ("我喜欢北京烤鸭，周末常去", "烤鸭"),
        ("Alice喜欢CN-A10293", "alice"),
        ("Alice喜欢CN-A10293", "cn-a10293"),
        ("Alice喜欢CN-A10293", "喜欢"),
        ("ＡＢＣ公司的预算是１２３元", "abc"),
        ("the budgets were approved", "budget approval"),
    ],
)
def test_words_are_found_inside_chinese_mixed_and_full_width_text(text, query):
    """FAULTS 10."""
    scores = indexed([text, "完全无关的一句话", "something else"]).scores(query)
    assert scores[0] > 0
    assert not scores[1:].any()


def test_relative_scores_are_shares_that_mean_the_same_at_any_size():
    few, many = indexed(["red apple"]), indexed(["red apple", *["blue stone"] * 500])
    for index in (few, many):
        share = index.scores("red apple", relative=True)[0]
        assert 0.4 < share < 0.7
    assert many.scores("red unheard", relative=True)[0] < many.scores("red", relative=True)[0]


@settings(deadline=None)
@given(texts=TEXTS, before=st.integers(0, 3), after=st.integers(0, 3), data=st.data())
def test_a_window_takes_in_neighbours_of_its_own_group_alone(texts, before, after, data):
    groups = np.cumsum(data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts))))
    joined = [
        " ".join(
            texts[j]
            for j in range(max(0, t - before), min(len(texts), t + after + 1))
            if groups[j] == groups[t]
        )
        for t in range(len(texts))
    ]
    scores = indexed(texts).scores("budget 场地", before=before, after=after, groups=groups)
    np.testing.assert_allclose(scores, slow_scores(joined, "budget 场地"), atol=1e-5)


def test_texts_left_out_say_nothing_of_their_neighbours():
    index = indexed(["one", "budget", "two"])
    assert index.scores("budget", before=1, after=1).all()
    assert not index.scores("budget", before=1, after=1, without=[1]).any()


def test_rarity_and_holding_look_at_all_terms_together():
    index = indexed(["red apple", "red brick", "blue apple"])
    assert index.holding(["red", "appl"]).tolist() == [0]
    assert index.holding(["appl"], upto=2).tolist() == [0]
    assert index.rarity(["red", "appl"]) > index.rarity(["red"])


def test_an_empty_query_an_empty_index_and_an_empty_text_score_zero():
    assert Lexical().scores("budget").shape == (0,)
    assert not indexed(["budget", ""]).scores("").any()
    assert indexed(["", ""]).scores("budget").tolist() == [0, 0]
    assert indexed(["budget"]).scores("budget", upto=0).shape == (0,)


def test_settings_outside_their_range_are_refused():
    with pytest.raises(HydralabError, match="saturation is -1"):
        Lexical(saturation=-1)
