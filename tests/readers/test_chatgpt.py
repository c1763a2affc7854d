"""ChatGPT's export: branches, tools, code, pictures, hidden and empty nodes."""

import json
import zipfile
from pathlib import Path

import pytest

import hydralab.readers as readers

SPOKEN = {"content_type": "audio_transcription", "text": "said"}
FILE = Path(__file__).parent / "fixtures" / "chatgpt.json"


@pytest.fixture
def turns():
    return readers.read(FILE)


def test_the_current_branch_keeps_the_id(turns):
    bees = turns.filter(turns["dialogue_id"] == "c-bees")
    assert bees["turn_id"].str.strip_prefix("c-bees:").to_list() == [
        "ctx",
        "q1",
        "call",
        "out",
        "a1",
        "q2-edited",
        "a3",
    ]
    assert bees["role"].to_list() == ["system", "user", "assistant", "tool", "assistant", "user", "assistant"]
    assert bees["round"].to_list() == [0, 0, 0, 0, 0, 1, 1]


def test_other_branches_come_on_request():
    corpus = readers.read_all(FILE, branches="all")
    names = corpus.dialogues["dialogue_id"].to_list()
    assert names[:3] == ["c-bees", "c-bees#q2", "c-bees#a1-old"]
    old = corpus.select("c-bees#a1-old").turns
    assert old["turn_id"].to_list() == ["c-bees#a1-old:ctx", "c-bees#a1-old:q1", "c-bees#a1-old:a1-old"]


def test_a_conversation_without_id_is_named_by_its_first_turn(turns):
    assert turns["dialogue_id"].to_list()[-1].startswith("chatgpt-")


def test_a_tool_call_and_its_result_are_paired(turns):
    """FAULTS 4."""
    call, result = (json.loads(parts)[0] for parts in turns["parts"].to_list()[2:4])
    assert call == {"type": "tool_call", "id": "call", "name": "python", "arguments": "print(5 * 2)"}
    assert result == {"type": "tool_result", "id": "call", "name": "python"}
    assert turns["text"].to_list()[2:4] == ["", "10"]
    assert turns["speaker"][3] == "python"


def test_custom_instructions_are_a_system_turn_and_reasoning_is_kept_aside(turns):
    assert turns["text"][0] == "I keep bees.\nAnswer briefly."
    assert json.loads(turns["meta"][2]) == {"model": "gpt-4o", "thinking": "Counting: Use code."}


def test_an_attached_picture_is_one_part_with_its_name(turns):
    assert turns["text"][1] == "How many frames are in this picture?"
    assert json.loads(turns["parts"][1]) == [
        {"type": "image", "url": "file-service://file-1", "name": "hive.jpg", "width": 10, "height": 10}
    ]


def test_the_zip_of_the_product_is_read_by_its_conversations(tmp_path, turns):
    conversations = json.loads(FILE.read_text())
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("conversations-000.json", json.dumps(conversations[:1]))
        archive.writestr("conversations-001.json", json.dumps(conversations[1:]))
        archive.writestr("user.json", "{}")
        archive.writestr("chat.html", "<html>")
        archive.writestr("message_feedback.json", "[]")
    corpus = readers.read_all(tmp_path / "export.zip")
    assert corpus.turns.equals(turns)
    assert corpus.events.height == 0


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (
            {"content_type": "tether_quote", "title": "Hives", "url": "x.org", "text": "quoted"},
            "Hives\nx.org\nquoted",
        ),
        ({"content_type": "tether_browsing_display", "result": "found", "summary": None}, "found"),
        ({"content_type": "system_error", "name": "Timeout", "text": "too slow"}, "Timeout\ntoo slow"),
        ({"content_type": "multimodal_text", "parts": [SPOKEN]}, "said"),
        ({"content_type": "new_kind", "payload": {"a": 1}}, '{"payload": {"a": 1}}'),
    ],
)
def test_other_content_is_read(tmp_path, content, text):
    node = {
        "id": "n",
        "parent": None,
        "children": [],
        "message": {"author": {"role": "tool"}, "content": content},
    }
    (tmp_path / "a.json").write_text(json.dumps([{"title": "t", "mapping": {"n": node}}]))
    assert readers.read(tmp_path / "a.json")["text"].to_list() == [text]
