"""Open WebUI's chat export: a list of chats, each a tree of messages.

`history.currentId` ends the current branch. Reasoning and tool calls stand in `output`, or in the
text as `<details>` blocks; either way they become parts and `meta`, and the text stays the answer.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from hydralab.errors import ReadError
from hydralab.readers.blocks import image_part, split_blocks, tool_call, tool_result
from hydralab.readers.looks import Look
from hydralab.readers.records import (
    READERS,
    DialogueRecord,
    Failure,
    Item,
    TurnRecord,
    convert_each,
    standard_role,
)
from hydralab.readers.sources import Source
from hydralab.readers.trees import branch_dialogues, check_branches, turns_along
from hydralab.texts.images import image_size

__all__ = ["OpenWebUI"]

DETAILS = re.compile(
    r'<details\b(?P<attributes>[^>]*\btype="(?P<type>reasoning|tool_calls|code_interpreter)"[^>]*)>'
    r"(?P<body>.*?)</details>\s*",
    re.DOTALL,
)
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
SUMMARY = re.compile(r"\s*<summary>.*?</summary>\s*", re.DOTALL)


@READERS.register("openwebui")
@dataclass(frozen=True)
class OpenWebUI:
    """Open WebUI's chat export.

    Parameters
    ----------
    branches
        "current", or "all" for every regenerated answer and edited message as a dialogue of its own.
    """

    branches: str = "current"

    def __post_init__(self) -> None:
        """Check the option."""
        check_branches(self.branches)

    def sniff(self, look: Look) -> float:
        """Certain by a `chat` (or the record itself) with `history.messages`."""
        if look.kind != "json":
            return 0.0
        return 0.95 if any(_messages(_chat(record)) is not None for record in look.objects) else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each chat, or each of its branches."""
        yield from convert_each(source.records(), self._chat)

    def _chat(self, item: Item) -> Iterator[DialogueRecord]:
        chat = _chat(item.value)
        messages = _messages(chat)
        if messages is None:
            raise ReadError("no chat with history.messages")
        about = {
            "dialogue_id": item.value.get("id") or None,
            "title": item.value.get("title") or chat.get("title"),
            "user": item.value.get("user_id"),
        }
        if not messages:
            return iter([DialogueRecord([], **about)])
        history = chat.get("history") or {}
        system = (chat.get("params") or {}).get("system") or chat.get("system")
        return branch_dialogues(
            "openwebui",
            {name: message.get("parentId") for name, message in messages.items()},
            partial(_turns, messages, system if isinstance(system, str) else ""),
            about,
            current=history.get("currentId") or history.get("current_id"),
            which=self.branches,
        )


def _chat(record: Mapping[str, Any]) -> Mapping[str, Any]:
    return record["chat"] if isinstance(record.get("chat"), Mapping) else record


def _messages(chat: Mapping[str, Any]) -> Mapping[str, Any] | None:
    history = chat.get("history")
    if isinstance(history, Mapping) and isinstance(history.get("messages"), Mapping):
        return history["messages"]
    return None


def _turns(messages: Mapping[str, Any], system: str, path: Sequence[str]) -> list[TurnRecord | Failure]:
    opening = [TurnRecord("system", system)] if system else []
    return [*opening, *turns_along(path, partial(_turn, messages))]


def _turn(messages: Mapping[str, Any], name: str) -> TurnRecord | None:
    message = messages[name]
    if not message.get("role"):  # a request that was broken off
        return None
    output = message.get("output")
    content = message.get("content")
    if isinstance(output, list) and output:
        text, parts, thinking = _from_output(output)
        text = text or (_from_text(content)[0] if isinstance(content, str) else "")
    elif isinstance(content, str):
        text, parts, thinking = _from_text(content)
    else:
        blocks = split_blocks(content)
        text, parts, thinking = blocks.text, [*blocks.parts, *blocks.results], blocks.thinking
    meta = {"model": message.get("model"), "thinking": thinking}
    return TurnRecord(
        standard_role(message["role"]),
        text,
        None,
        message.get("timestamp"),
        None,
        name,
        [*parts, *map(_file, message.get("files") or ())],
        {key: value for key, value in meta.items() if value},
    )


def _from_output(output: Sequence[Mapping[str, Any]]) -> tuple[str, list[Any], str]:
    texts: list[str] = []
    thoughts: list[str] = []
    parts: list[Any] = []
    for one in output:
        if one.get("type") in ("message", "reasoning"):
            into = texts if one["type"] == "message" else thoughts
            into.append(split_blocks(one.get("content") or one.get("summary")).text)
        else:
            blocks = split_blocks([one])
            parts += [*blocks.parts, *blocks.results]
    return "\n\n".join(filter(None, texts)), parts, "\n\n".join(filter(None, thoughts))


def _from_text(content: str) -> tuple[str, list[Any], str]:
    parts: list[Any] = []
    thoughts: list[str] = []
    for found in DETAILS.finditer(content):
        body = html.unescape(SUMMARY.sub("", found["body"], count=1)).strip()
        given = {key: html.unescape(value) for key, value in ATTRIBUTE.findall(found["attributes"])}
        if found["type"] == "reasoning":
            thoughts.append(re.sub(r"(?m)^> ?", "", body))
        elif found["type"] == "tool_calls":
            parts.append(tool_call(given.get("id"), given.get("name"), given.get("arguments")))
            parts.append(
                tool_result(given.get("id"), given.get("name"), _unquoted(given.get("result") or body))
            )
        else:
            parts.append(tool_call(None, "code_interpreter", body))
    return DETAILS.sub("", content).strip() if parts or thoughts else content, parts, "\n\n".join(thoughts)


def _unquoted(result: str) -> str:
    """Return a result that was written as a JSON string."""
    try:
        found = json.loads(result)
    except (ValueError, RecursionError):
        return result
    return found if isinstance(found, str) else result


def _file(file: Mapping[str, Any]) -> dict[str, Any]:
    inner = file["file"] if isinstance(file.get("file"), Mapping) else {}
    name = file.get("name") or inner.get("filename")
    if file.get("type") == "image":
        url = file.get("url")
        width, height = image_size(url) or (None, None)
        linked = isinstance(url, str) and not url.startswith("data:")
        return image_part(url=url if linked else None, name=name, width=width, height=height)
    text = (inner.get("data") or {}).get("content") if isinstance(inner.get("data"), Mapping) else None
    return {"type": "attachment", "name": name, **({"text": text} if isinstance(text, str) else {})}
