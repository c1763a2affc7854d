import polars as pl
import pytest

from hydralab.errors import HydralabError, UnknownNameError
from hydralab.readers import example
from hydralab.signals import Intent, measure_intents

MEANT = {
    "topic_change": ["换个话题吧，聊聊电影", "By the way, who feeds the cat?"],
    "decision": ["那就周五，定了", "OK, let's go with the red one."],
    "task_done": ["合同已经签完了。", "I've sent the invoice."],
    "summary_request": ["帮我总结一下刚才的讨论", "Could you sum that up?"],
    "refers_back": ["之前提到的预算还够吗？", "What did you say about the deposit?"],
}
NEAR_MISSES = {
    "topic_change": ["另外两个同事也来", 'What\'s the meaning of "moving on" here?'],
    "decision": ["我们还没决定", "We haven't decided yet", "If we went with B, what breaks?", "定金是多少"],
    "task_done": ["合同还没签完", "Has the invoice been sent?", "I'll send it tomorrow", "修好了吗？"],
    "summary_request": ["不用总结", "How long should a summary be?"],
    "refers_back": ["吃饭之前要洗手吗", "Remind me to call at six", "我以前没用过"],
}
LEAST = {"zh": (0.80, 0.60), "en": (0.78, 0.55)}
"""Precision and recall that the held-out sentences must keep, pooled over intents."""


@pytest.mark.parametrize("name", MEANT)
def test_what_is_meant_is_found_and_near_misses_are_not(dialogue, name):
    for texts, value in ((MEANT[name], 1.0), (NEAR_MISSES[name], 0.0)):
        turns = dialogue(*texts, roles=["user"] * len(texts))
        assert Intent(name).values(turns, None, closed=True).tolist() == [value] * len(texts)


def test_only_a_user_asks_for_a_summary(dialogue):
    turns = dialogue("帮我总结一下", "帮我总结一下")
    assert Intent("summary_request").values(turns, None, closed=True).tolist() == [1.0, 0.0]


def test_a_text_may_mix_languages(dialogue):
    turns = dialogue("OK, let's go with 方案B，就这么定了", "BTW 换个话题")
    assert Intent("decision").values(turns, None, closed=True).tolist() == [1.0, 0.0]
    assert Intent("topic_change").values(turns, None, closed=True).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_held_out_sentences(language):
    """The sentences were written apart from the rules, which saw the "dev" split alone."""
    sentences = pl.read_ndjson(example(f"intents_{language}")).filter(split="test")
    measured = measure_intents(sentences)
    precision, recall = measured.filter(intent="all").select("precision", "recall").row(0)
    assert precision >= LEAST[language][0]
    assert recall >= LEAST[language][1]


def test_measuring_counts_what_is_right():
    sentences = pl.DataFrame(
        {
            "text": ["就这么定了", "还没决定", "定了"],
            "role": ["user"] * 3,
            "intents": [["decision"], ["decision"], []],
        }
    )
    row = measure_intents(sentences).filter(intent="decision").row(0, named=True)
    assert (row["sentences"], row["found"], row["right"]) == (2, 2, 1)
    assert (row["precision"], row["recall"], row["f1"]) == (0.5, 0.5, 0.5)
    assert measure_intents(sentences).filter(intent="task_done")["recall"].to_list() == [None]


def test_unknown_names():
    with pytest.raises(UnknownNameError, match="unknown intent 'decisions'; known: 'decision'"):
        Intent("decisions")
    with pytest.raises(HydralabError, match="column 'intents' is missing"):
        measure_intents(pl.DataFrame({"text": ["a"], "role": ["user"]}))
