"""OpenAI messages and ShareGPT."""

import json
from pathlib import Path

import polars as pl
import pytest

import hydralab.readers as readers

FIXTURES = Path(__file__).parent / "fixtures"


def parts(turns):
    return [json.loads(found) if found else [] for found in turns["parts"]]


def test_openai_calls_and_results_are_paired():
    """FAULTS 4, 6."""
    turns = readers.read(FIXTURES / "openai.jsonl")
    weather = turns.head(6)
    assert weather["role"].to_list() == ["system", "user", "assistant", "tool", "tool", "assistant"]
    calls, *results = parts(weather)[2:5]
    assert [call["arguments"] for call in calls] == [{"city": "北京"}, {"city": "Paris"}]
    assert [(result[0]["id"], result[0]["name"]) for result in results] == [
        ("call_1", "get_weather"),
        ("call_2", "get_weather"),
    ]
    assert weather["tokens"][2] > 10


def test_openai_roles_pictures_and_old_functions():
    corpus = readers.read_all(FIXTURES / "openai.jsonl")
    picture = corpus.select("chat-b").turns
    assert picture["role"].to_list() == ["system", "user", "assistant"]
    assert parts(picture)[1] == [{"type": "image", "url": "https://example.org/cat.png"}]
    old = corpus.turns.tail(3)
    assert old["role"].to_list() == ["user", "assistant", "tool"]
    assert parts(old)[1][0]["name"] == parts(old)[2][0]["name"] == "lookup"


MESSAGES = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]


@pytest.mark.parametrize(
    "found",
    [
        MESSAGES,
        {"messages": MESSAGES},
        [{"messages": MESSAGES}],
        {"custom_id": "r1", "body": {"model": "m", "messages": MESSAGES}},
        {"input": MESSAGES, "output": []},
        {"input": {"messages": MESSAGES}, "preferred_output": []},
    ],
)
def test_openai_messages_are_found_where_they_stand(tmp_path, found):
    (tmp_path / "a.json").write_text(json.dumps(found))
    assert readers.read(tmp_path / "a.json")["text"].to_list() == ["hi", "hello"]


def test_a_parquet_of_messages_is_read(tmp_path):
    pl.DataFrame({"messages": [MESSAGES, MESSAGES[:1]]}).write_parquet(tmp_path / "a.parquet")
    assert readers.read(tmp_path / "a.parquet")["text"].to_list() == ["hi", "hello", "hi"]


def test_responses_items_are_read(tmp_path):
    items = [
        {"role": "user", "content": [{"type": "input_text", "text": "sum?"}]},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "call_id": "c", "name": "add", "arguments": '{"a": 1}'},
        {"type": "function_call_output", "call_id": "c", "output": "2"},
    ]
    (tmp_path / "a.json").write_text(json.dumps({"input": items}))
    turns = readers.read(tmp_path / "a.json")
    assert turns["role"].to_list() == ["user", "assistant", "tool"]
    assert parts(turns)[2] == [{"type": "tool_result", "id": "c", "name": "add"}]


def test_sharegpt_reads_from_and_value():
    turns = readers.read(FIXTURES / "sharegpt.json")
    assert turns["turn_id"].to_list()[:3] == ["sg_0:0", "sg_0:1", "sg_0:2"]
    assert turns["role"].to_list() == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert parts(turns)[4] == [
        {"type": "tool_call", "id": None, "name": "clock", "arguments": {"city": "Oslo"}}
    ]


def test_sharegpt_reads_role_and_content_and_pairs():
    turns = readers.read(FIXTURES / "sharegpt_zh.jsonl")
    assert turns["role"].to_list() == ["user", "assistant"] * 4
    assert turns["text"].to_list()[-4:] == ["讲个笑话", "程序员走进酒吧。", "再来一个", "没有了。"]
    assert turns["dialogue_id"].n_unique() == 3


def test_a_running_number_is_no_conversation_id(tmp_path):
    lines = [{"id": 0, "messages": MESSAGES}, {"id": "1", "messages": MESSAGES[:1]}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert all(name.startswith("openai-") for name in readers.read(tmp_path / "a.jsonl")["dialogue_id"])
