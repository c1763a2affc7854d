"""Content blocks of several products."""

import pytest

from hydralab.errors import ReadError
from hydralab.readers.blocks import split_blocks


def test_text_is_text():
    assert split_blocks("hi").text == "hi"
    assert split_blocks(None).text == ""
    assert (
        split_blocks(["a", {"type": "text", "text": "b"}, {"type": "output_text", "text": "c"}]).text
        == "a\n\nb\n\nc"
    )


@pytest.mark.parametrize(
    "block",
    [
        {"type": "tool_use", "id": "c", "name": "sum", "input": {"of": [1, 2]}},
        {"type": "function_call", "id": "x", "call_id": "c", "name": "sum", "arguments": '{"of": [1, 2]}'},
        {"type": "tool_call", "tool_call": {"id": "c", "name": "sum", "args": '{"of": [1, 2]}'}},
    ],
)
def test_a_call_is_a_part_with_arguments(block):
    """FAULTS 4, 6."""
    assert split_blocks([block]).parts == (
        {"type": "tool_call", "id": "c", "name": "sum", "arguments": {"of": [1, 2]}},
    )


@pytest.mark.parametrize(
    "block",
    [
        {"type": "tool_result", "tool_use_id": "c", "content": "3"},
        {"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "3"}]},
        {"type": "function_call_output", "call_id": "c", "output": "3"},
        {"type": "tool_call", "tool_call": {"id": "c", "name": None, "output": "3"}},
    ],
)
def test_a_result_names_its_call(block):
    """FAULTS 4."""
    assert split_blocks([block]).results == ({"type": "tool_result", "id": "c", "text": "3"},)


def test_an_error_of_a_tool_is_kept():
    assert split_blocks(
        [{"type": "tool_result", "tool_use_id": "c", "content": "no", "is_error": True}]
    ).results[0]["is_error"]


def test_a_picture_inside_the_file_is_not_carried_along():
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    assert split_blocks([picture, {"type": "image", "source": {"type": "base64", "data": "AAAA"}}]).parts == (
        {"type": "image"},
        {"type": "image"},
    )


def test_reasoning_is_no_text():
    found = split_blocks([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "yes"}])
    assert (found.text, found.thinking) == ("yes", "hm")


def test_arguments_that_are_no_json_stay_as_written():
    call = {"type": "function_call", "call_id": "c", "name": "f", "arguments": '{"cut": '}
    assert split_blocks([call]).parts[0]["arguments"] == '{"cut": '


def test_an_unknown_block_is_kept():
    assert split_blocks([{"type": "hologram", "beam": 1}]).parts == (
        {"type": "attachment", "name": "hologram", "text": '{"type": "hologram", "beam": 1}'},
    )
    with pytest.raises(ReadError, match="content is int"):
        split_blocks(5)
