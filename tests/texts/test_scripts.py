"""The language of a text."""

import pytest

from hydralab.texts import language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("我们把 launch 的 deadline 挪到 Q3 吧", "zh"),
        ("市場推廣預算是多少？", "zh"),
        ("What does 预算 mean in English?", "en"),
        ("ok", "en"),
        ("昨日は東京へ行きました", "ja"),
        ("예산이 얼마예요?", "ko"),
        ("งบประมาณเท่าไหร่", "th"),
        ("Сколько стоит реклама?", "ru"),
        ("Wir haben das Budget noch nicht besprochen und ich bin nicht da", "de"),
        ("Nous avons déjà le budget pour la publicité", "fr"),
        ("", "und"),
        ("12:30 👍 …", "und"),
    ],
)
def test_the_language_is_that_of_most_of_the_text(text, code):
    assert language(text) == code


def test_code_and_addresses_do_not_outvote_the_words_around_them():
    code = "\n".join(f"result_{k} = compute_value(argument, other_argument)" for k in range(30))
    assert (
        language(f"这段代码为什么报错？\n```python\n{code}\n```\n链接 https://example.com/a/long/path/to/it")
        == "zh"
    )
    assert language(f"```python\n{code}\n```") == "en"
