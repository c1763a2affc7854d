"""What of a chat message costs tokens where no chat template says so."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any

from hydralab.errors import check_kind
from hydralab.texts.images import image_cost, image_size

__all__ = [
    "REPLY_PRIMING",
    "TOKENS_PER_MESSAGE",
    "TOKENS_PER_NAME",
    "check_messages",
    "image_tokens",
    "message_texts",
]

TOKENS_PER_MESSAGE = 3
TOKENS_PER_NAME = 1
REPLY_PRIMING = 3
"""OpenAI's published overhead of its chat models since 2023."""

IMAGE_PARTS = ("image_url", "input_image")


def check_messages(messages: Any) -> None:
    """Refuse what is no list of chat messages, each with a content of text, blocks or None.

    >>> check_messages([{"role": "user", "content": 5}])
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: messages[0]: content is 5, expected a text, a list of parts or None
    """
    check_kind("messages", messages, (list, tuple), "a list of chat messages")
    for place, message in enumerate(messages):
        where = f"messages[{place}]"
        check_kind(where, message, Mapping, "a message with role and content")
        content, calls = message.get("content"), message.get("tool_calls")
        check_kind(f"{where}: content", content, (Sequence, NoneType), "a text, a list of parts or None")
        check_kind(f"{where}: tool_calls", calls, (Sequence, NoneType), "a list of calls")
        for part in () if content is None or isinstance(content, str) else content:
            check_kind(f"{where}: a part of content", part, (str, Mapping), "a text or a part with a type")
        for call in calls or ():
            check_kind(f"{where}: a call of tool_calls", call, Mapping, "a call with id and function")


def message_texts(message: Mapping[str, Any]) -> list[str]:
    """Return every text of a message: role, content, name, tool calls with their arguments, ids.

    >>> message_texts({"role": "user", "content": [{"type": "text", "text": "hi"}]})
    ['user', 'hi']
    """
    texts: list[str] = []
    for key, value in message.items():
        if value is None:
            continue
        if isinstance(value, str):
            texts.append(value)
        elif key == "content":
            texts += [_part_text(part) for part in value]
        elif key == "tool_calls":
            texts += [text for call in value for text in _call_texts(call)]
        else:
            texts.append(json.dumps(value, ensure_ascii=False))
    return texts


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    if "text" in part:
        return str(part["text"])
    return "" if part.get("type") in IMAGE_PARTS else json.dumps(part, ensure_ascii=False)


def _call_texts(call: Mapping[str, Any]) -> list[str]:
    function = call.get("function", call)
    arguments = function.get("arguments", "")
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return [str(call.get("id", "")), str(function.get("name", "")), written]


def image_tokens(message: Mapping[str, Any]) -> int:
    """Return what the images of a message cost: by `image_cost`, the size being that of the data in the message.

    An image that is only linked to is of unknown size.
    """
    content = message.get("content")
    if content is None or isinstance(content, str):
        return 0
    images = [part for part in content if isinstance(part, Mapping) and part.get("type") in IMAGE_PARTS]
    return sum(_cost(part) for part in images)


def _cost(part: Mapping[str, Any]) -> int:
    image = part.get("image_url")
    about = image if isinstance(image, Mapping) else {"url": image, "detail": part.get("detail")}
    return image_cost(about.get("detail"), *(image_size(about.get("url")) or ()))
