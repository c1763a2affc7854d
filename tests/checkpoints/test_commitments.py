import polars as pl
import pytest

from hydralab.checkpoints.commitments import COMMITMENT
from hydralab.texts.cues import any_of

LEFT_TO_DO = [
    "我去问问上游",
    "记得前一晚十点后别吃东西",
    "让小蒋每周五填表，由他负责",
    "周五前要提交报告",
    "下一步是联系供应商",
    "I'll put that on the page together with the allowance.",
    "Remember to bring the ECG letter.",
    "I have to rewrite our staff benefits page before Thursday.",
    "Still open: handles, and where the fridge stands.",
    "Could you tell me by Wednesday what changed?",
]
NOTHING_LEFT = [
    "筑间看着便宜",
    "如果你记得密码，就能登录",
    "你记得那家店吗",
    "今天天气很好",
    "If you need to call them, do.",
    "The pilot matters most.",
    "What did you do last time?",
    "It went live by itself.",
]


@pytest.mark.parametrize(("texts", "expected"), [(LEFT_TO_DO, True), (NOTHING_LEFT, False)])
def test_what_is_left_to_do_is_told_from_what_is_not(texts, expected):
    found = any_of(pl.Series(texts), *COMMITMENT).to_list()
    assert {text: flag for text, flag in zip(texts, found, strict=True) if flag != expected} == {}
