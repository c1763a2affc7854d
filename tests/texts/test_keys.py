"""The key text of a turn: what it says and what its parts say."""

import json

import pytest

from hydralab.frames import build
from hydralab.texts import key_text, key_texts


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        ("", {"type": "tool_call", "id": "c1", "name": "book", "arguments": {"to": "Oslo"}}, "book to Oslo"),
        ("", {"type": "tool_call", "name": "查询", "arguments": '{"城市": "北京"}'}, '查询 {"城市": "北京"}'),
        ("", {"type": "tool_call", "name": "f", "arguments": {"a": [1, {"b": "deep"}], "c": None}}, "f a 1 b deep c"),
        ("见图", {"type": "image", "name": "湖.jpg", "url": "https://x.y/z"}, "见图\n湖.jpg"),
        ("31 degrees", {"type": "tool_result", "id": "c1", "name": "now", "text": "31 degrees"}, "31 degrees\nnow"),
        ("said", {"type": "attachment"}, "said"),
        ("  ", {"type": "attachment"}, "  "),
    ],
)  # fmt: skip
def test_names_values_and_texts_of_parts_are_part_of_the_key(text, part, expected):
    assert key_text(text, json.dumps([part])) == expected


def test_without_parts_the_key_is_the_text():
    assert key_text(" as it is\n", None) == " as it is\n"
    row = {"dialogue_id": "d", "turn_id": "d:0", "position": 0, "round": 0, "role": "user", "tokens": 1}
    assert key_texts(build("turns", [{**row, "text": " as it is\n"}])) == [" as it is\n"]
