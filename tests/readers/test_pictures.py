"""Pictures and files in chats: their captions, alternative texts and names are found, their tokens charged."""

import json
import zipfile

import pytest

from hydralab import readers
from hydralab.readers.counting import count_turns
from hydralab.texts import key_texts, tokenizer

RED_DOT = "data:image/gif;base64,R0lGODlhAwACAIAAAAAAAP///yH5BAEAAAAALAAAAAADAAIAAAIDhI9WADs="


def chatgpt(tmp_path):
    drawn = {
        "content_type": "image_asset_pointer",
        "asset_pointer": "sediment://file_2",
        "width": 2048,
        "height": 4096,
        "metadata": {"dalle": {"prompt": "a lighthouse in fog"}},
    }
    message = {
        "id": "m1",
        "author": {"role": "user"},
        "content": {"content_type": "multimodal_text", "parts": [drawn, "像吗？"]},
        "metadata": {
            "attachments": [
                {"id": "file_3", "name": "码头.png", "mimeType": "image/png", "width": 500, "height": 400},
                {"id": "file_4", "name": "tides.csv", "mimeType": "text/csv"},
            ]
        },
    }
    conversation = {
        "title": "灯塔",
        "conversation_id": "c",
        "current_node": "b",
        "mapping": {
            "a": {"id": "a", "parent": None, "children": ["b"], "message": None},
            "b": {"id": "b", "parent": "a", "children": [], "message": message},
        },
    }
    (tmp_path / "conversations.json").write_text(json.dumps([conversation]))
    return tmp_path / "conversations.json"


def openai(tmp_path):
    content = [
        {"type": "text", "text": "Which one?"},
        {"type": "image_url", "image_url": {"url": RED_DOT, "detail": "high"}},
        {"type": "image_url", "image_url": {"url": "https://example.org/b.png", "detail": "low"}},
    ]
    line = {"messages": [{"role": "user", "content": content}, {"role": "assistant", "content": "The dot."}]}
    (tmp_path / "chat.jsonl").write_text(json.dumps(line))
    return tmp_path / "chat.jsonl"


def claude(tmp_path):
    files = [
        {
            "file_kind": "image",
            "file_name": "kitchen.webp",
            "preview_asset": {"image_width": 512, "image_height": 512},
        },
        {"file_kind": "document", "file_name": "Mietvertrag.pdf"},
    ]
    message = {"uuid": "m", "sender": "human", "text": "See both.", "files": files, "attachments": []}
    conversation = {"uuid": "c", "name": "Flat", "chat_messages": [message], "account": {"uuid": "u"}}
    (tmp_path / "conversations.json").write_text(json.dumps([conversation]))
    return tmp_path / "conversations.json"


def slack(tmp_path):
    file = {
        "id": "F1",
        "title": "Whiteboard",
        "name": "IMG_1.jpg",
        "mimetype": "image/jpeg",
        "alt_txt": "arrows between three boxes",
        "original_w": 1024,
        "original_h": 1024,
    }
    message = {"type": "message", "user": "U1", "ts": "1775030460.000200", "text": "", "files": [file]}
    with zipfile.ZipFile(tmp_path / "slack.zip", "w") as archive:
        archive.writestr("users.json", json.dumps([{"id": "U1", "name": "mira"}]))
        archive.writestr("channels.json", json.dumps([{"id": "C1", "name": "plan"}]))
        archive.writestr("plan/2026-04-01.json", json.dumps([message]))
    return tmp_path / "slack.zip"


@pytest.mark.parametrize(
    ("write", "found_by", "pictures"),
    [
        (chatgpt, ["a lighthouse in fog", "码头.png", "tides.csv"], 1105 + 255),
        (openai, ["Which one?"], 255 + 85),
        (claude, ["kitchen.webp", "Mietvertrag.pdf"], 255),
        (slack, ["Whiteboard", "arrows between three boxes"], 765),
    ],
)
def test_what_a_picture_says_is_key_text_and_what_it_costs_is_charged(tmp_path, write, found_by, pictures):
    """FAULTS 6."""
    turns = readers.read(write(tmp_path))
    key = key_texts(turns)[0]
    assert all(text in key for text in found_by)
    words = tokenizer().count(key)
    assert pictures < turns["tokens"][0] <= pictures + words + 4
    assert count_turns(turns, tokenizer())["tokens"].to_list() == turns["tokens"].to_list()
    assert "base64" not in turns["parts"][0]


def test_a_picture_without_a_size_is_charged_as_a_square_of_1024_pixels(tmp_path):
    line = {
        "messages": [
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://a.b/c"}}]}
        ]
    }
    (tmp_path / "chat.jsonl").write_text(json.dumps(line))
    assert readers.read(tmp_path / "chat.jsonl")["tokens"].to_list() == [765]
