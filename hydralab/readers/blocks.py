"""Message content that is a list of blocks, as the Claude, OpenAI and LibreChat formats write it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from hydralab.errors import ReadError
from hydralab.texts.images import image_size

__all__ = ["Blocks", "as_arguments", "image_part", "split_blocks", "tool_call", "tool_result"]


@dataclass(frozen=True)
class Blocks:
    """Content taken apart.

    Parameters
    ----------
    text
        The text blocks, joined by an empty line.
    parts
        Tool calls, images and attachments, as `TurnRecord.parts` has them.
    results
        Tool results, each a "tool_result" part with its `text`.
    thinking
        The model's reasoning; no part of the message.
    """

    text: str = ""
    parts: tuple[Mapping[str, Any], ...] = ()
    results: tuple[Mapping[str, Any], ...] = ()
    thinking: str = ""


def split_blocks(content: Any) -> Blocks:
    """Take the content of a message apart; a block of an unknown type is kept as an attachment.

    Parameters
    ----------
    content
        A string, None, or a list of strings and blocks with a `type`.

    >>> split_blocks([{"type": "text", "text": "Look:"}, {"type": "image_url", "image_url": "a.png"}])
    Blocks(text='Look:', parts=({'type': 'image', 'url': 'a.png'},), results=(), thinking='')
    """
    if content is None or isinstance(content, str):
        return Blocks(content or "")
    if not isinstance(content, Sequence):
        raise ReadError(f"content is {type(content).__name__}, expected a string or a list of blocks")
    texts: list[str] = []
    parts: list[Mapping[str, Any]] = []
    results: list[Mapping[str, Any]] = []
    thinking: list[str] = []
    for block in content:
        if isinstance(block, str):
            texts.append(block)
            continue
        kind = str(block.get("type", "text"))
        if kind in TEXTS:
            texts.append(_plain(block.get(TEXTS[kind])))
        elif kind in THOUGHTS:
            thinking.append(_plain(block.get(THOUGHTS[kind])))
        elif kind in RESULTS:
            results.append(_result(block))
        elif kind == "tool_call" and isinstance(block.get("tool_call"), Mapping):
            call = block["tool_call"]
            parts.append(tool_call(call.get("id"), call.get("name"), call.get("args")))
            if call.get("output") is not None:
                results.append(tool_result(call.get("id"), call.get("name"), _plain(call["output"])))
        else:
            parts.append(PARTS.get(kind, _unknown)(block))
    return Blocks(_joined(texts), tuple(parts), tuple(results), _joined(thinking))


def tool_call(call_id: str | None, name: str | None, arguments: Any) -> dict[str, Any]:
    """Return the part that stands for a call of a tool.

    >>> tool_call("c1", "weather", '{"city": "Paris"}')
    {'type': 'tool_call', 'id': 'c1', 'name': 'weather', 'arguments': {'city': 'Paris'}}
    """
    return {"type": "tool_call", "id": call_id, "name": name, "arguments": as_arguments(arguments)}


def tool_result(
    call_id: str | None, name: str | None = None, text: str | None = None, *, is_error: bool = False
) -> dict[str, Any]:
    """Return the part that says whose result a turn is, with `text` where the turn's text is not it."""
    part: dict[str, Any] = {"type": "tool_result", "id": call_id}
    if name:
        part["name"] = name
    if text is not None:
        part["text"] = text
    if is_error:
        part["is_error"] = True
    return part


def image_part(**about: Any) -> dict[str, Any]:
    """Return the part that stands for a picture: what is known of its url, name, alt, caption, width, height, detail.

    >>> image_part(url="a.png", alt=None, width=640, height=480)
    {'type': 'image', 'url': 'a.png', 'width': 640, 'height': 480}
    """
    return {"type": "image", **{name: value for name, value in about.items() if value}}


def as_arguments(found: Any) -> Any:
    """Return a tool's arguments, parsed when they are a JSON object in a string."""
    if not isinstance(found, str):
        return found
    try:
        parsed = json.loads(found)
    except (ValueError, RecursionError):
        return found
    return parsed if isinstance(parsed, dict) else found


def _joined(texts: list[str]) -> str:
    return "\n\n".join(text for text in texts if text)


def _plain(value: Any) -> str:
    if isinstance(value, Mapping) and isinstance(value.get("value"), str):
        return str(value["value"])
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def _result(block: Mapping[str, Any]) -> dict[str, Any]:
    content = block.get("content", block.get("output"))
    inner = split_blocks(content if isinstance(content, str | list) else _plain(content))
    texts = [inner.text, *(_plain(part.get("text")) for part in inner.parts)]
    call_id = block.get("tool_use_id", block.get("call_id"))
    return tool_result(call_id, block.get("name"), _joined(texts), is_error=bool(block.get("is_error")))


def _call(block: Mapping[str, Any]) -> dict[str, Any]:
    arguments = block.get("input", block.get("arguments"))
    return tool_call(block.get("call_id", block.get("id")), block.get("name"), arguments)


def _image(block: Mapping[str, Any]) -> dict[str, Any]:
    found = block.get("image_url") or block.get("image_file") or block.get("source") or {}
    url = (
        found if isinstance(found, str) else found.get("url") or found.get("filepath") or found.get("file_id")
    )
    inner = found if isinstance(found, Mapping) else {}
    size = image_size(inner.get("data") or url) or (inner.get("width"), inner.get("height"))
    return image_part(
        # A data URL is the picture itself: megabytes of base64 that no table should carry.
        url=url if isinstance(url, str) and not url.startswith("data:") else None,
        name=inner.get("filename") or block.get("title"),
        alt=block.get("alt") or inner.get("alt") or block.get("alt_text"),
        caption=block.get("caption"),
        width=size[0],
        height=size[1],
        detail=inner.get("detail") or block.get("detail"),
    )


def _file(block: Mapping[str, Any]) -> dict[str, Any]:
    inner = block.get("file") or block.get("source") or {}
    name = (
        block.get("title") or block.get("filename") or (isinstance(inner, Mapping) and inner.get("filename"))
    )
    part: dict[str, Any] = {"type": "attachment", "name": name or None}
    if isinstance(inner, Mapping) and inner.get("type") == "text":
        part["text"] = _plain(inner.get("data"))
    return part


def _audio(block: Mapping[str, Any]) -> dict[str, Any]:
    inner = block.get("audio") or block.get("input_audio") or block
    text = inner.get("transcript") if isinstance(inner, Mapping) else None
    return {"type": "audio", **({"text": text} if text else {})}


def _unknown(block: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "attachment", "name": block.get("type"), "text": json.dumps(block, ensure_ascii=False)}


TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "text": "text",
        "input_text": "text",
        "output_text": "text",
        "summary_text": "text",
        "refusal": "refusal",
        "error": "error",
        "voice_note": "text",
    }
)
THOUGHTS: Mapping[str, str] = MappingProxyType(
    {
        "thinking": "thinking",
        "think": "think",
        "reasoning": "summary",
        "redacted_thinking": "none",
        "reasoning_content": "text",
        "token_budget": "none",
        "flag": "none",
    }
)
RESULTS = frozenset(
    {
        "tool_result",
        "web_search_tool_result",
        "web_fetch_tool_result",
        "mcp_tool_result",
        "code_execution_tool_result",
        "bash_code_execution_tool_result",
        "function_call_output",
    }
)
PARTS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = MappingProxyType(
    {
        "tool_use": _call,
        "server_tool_use": _call,
        "mcp_tool_use": _call,
        "function_call": _call,
        "image": _image,
        "image_url": _image,
        "input_image": _image,
        "image_file": _image,
        "document": _file,
        "file": _file,
        "input_file": _file,
        "audio": _audio,
        "input_audio": _audio,
    }
)
