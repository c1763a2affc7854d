"""Typed entities in both languages."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.benchmarks.entities import measure_entities
from hydralab.readers import example
from hydralab.texts import ENTITY_TYPES, entities, scrub
from hydralab.texts.extracting import each_entities


def found(text):
    return [(entity["type"], entity["text"]) for entity in entities(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Elena Rossi leads our office in Milan", [("person", "Elena Rossi"), ("place", "Milan")]),
        ("Will lives near Leeds", [("person", "Will"), ("place", "Leeds")]),
        ("Will it hurt?", []),
        ("Sales went up again", []),
        ("The Acme Robotics demo is at 5 pm", [("organisation", "Acme Robotics"), ("time", "5 pm")]),
        ("We pay €1.2 million by March 3rd", [("money", "€1.2 million"), ("date", "March 3rd")]),
        ("33% of the 12 servers", [("percent", "33%"), ("quantity", "12 servers")]),
        ("Mail liam@example.ie about INV-0092", [("email", "liam@example.ie"), ("identifier", "INV-0092")]),
        (
            "See https://example.org/a, then call (555) 010-7788.",
            [("url", "https://example.org/a"), ("phone", "(555) 010-7788")],
        ),
        ("The Dyson V11 costs $399.99", [("product", "Dyson V11"), ("money", "$399.99")]),
    ],
)
def test_english(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("李娜说预算最多四十万元", [("person", "李娜"), ("money", "四十万元")]),
        (
            "张经理明天上午九点去建设银行",
            [("person", "张经理"), ("date", "明天"), ("time", "上午九点"), ("organisation", "建设银行")],
        ),
        ("邵一帆住在南京市鼓楼区", [("person", "邵一帆"), ("place", "南京市鼓楼区")]),
        ("月薪3万，涨了百分之三十", [("money", "3万"), ("percent", "百分之三十")]),
        ("我的订单号是CN-A10293", [("identifier", "CN-A10293")]),
        ("买三吨水泥，打138-0000-1234", [("quantity", "三吨"), ("phone", "138-0000-1234")]),
        ("用WPS打开 plan-b.pptx", [("product", "WPS"), ("identifier", "plan-b.pptx")]),
        ("十分感谢，三心二意，七上八下", []),
        ("这个方式不错，高峰期别去", []),
        ("把报告发到 heyu88@example.com 吧", [("email", "heyu88@example.com")]),
    ],
)
def test_chinese(text, expected):
    assert found(text) == expected


def test_code_names_nobody():
    assert found("Run `Alice.call(Bob)` or\n```\nclass Carol(David): pass\n```") == []


@given(st.text(alphabet="张李一万元年月日点 AliceBob5%$@.-:\n"))
def test_entities_are_disjoint_substrings_in_order(text):
    at = 0
    for entity in entities(text):
        assert entity["type"] in ENTITY_TYPES
        at = scrub(text).index(entity["text"], at) + len(entity["text"])


def test_unseen_sentences_are_read_as_well_as_measured():
    """Floors under what was measured on the half of the labelled sentences that no rule was written on."""
    pooled = measure_entities().filter(split="test", type="all")
    scores = {row["set"]: row["f1"] for row in pooled.to_dicts()}
    assert scores["en"] >= 0.86
    assert scores["zh"] >= 0.90


@pytest.mark.parametrize("unit", ["1", "a", "一", "A1-", "a@", "/a", "two ", "Ab ", "12 ", "张"])
def test_long_monotonous_texts_are_read_in_time(unit):
    text = unit * (20_000 // len(unit))
    started = time.perf_counter()
    entities(text)
    assert time.perf_counter() - started < 10


@given(
    st.lists(
        st.text(alphabet="ab1２3 ,.我们在北京张经理说万元块#$€%@：:/-'`AKſ\ud800", max_size=30), max_size=5
    )
)
def test_many_texts_at_once_name_what_each_does_alone(texts):
    assert list(each_entities(texts)) == [entities(text) for text in texts]


@pytest.mark.parametrize("name", ["entities_en", "entities_zh"])
def test_labelled_sentences_are_read_at_once_as_one_by_one(name):
    with example(name).open(encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    assert list(each_entities(texts)) == [entities(text) for text in texts]
