"""ChatGPT's data export: `conversations.json`, alone or in its zip.

A conversation is a tree (`mapping`); `current_node` is the end of the branch last looked at. A
message to a recipient other than "all" calls that tool, and what the tool answers is a node of its
own. Hidden and empty nodes are left out, but an empty message of the user keeps its place: it stands
between two answers. Custom instructions become a system turn; reasoning goes to the `meta` of the
answer that follows it. Citation marks are taken out of answers, whose `meta` keeps them as `marked`. A
failure that the product reports in the assistant's place (`system_error`) is no turn but an event.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from hydralab.errors import ReadError, brief
from hydralab.readers.blocks import image_part, tool_call, tool_result
from hydralab.readers.citations import without_marks
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

__all__ = ["ChatGPT"]

EXPORTED = re.compile(r"(^|/)conversations(-\d+)?\.json$")
COMPANIONS = re.compile(r"(^|/)(chat\.html|user\.json|message_feedback\.json|shared_conversations\.json)$")
REASONING = frozenset({"thoughts", "reasoning_recap"})
CONTEXTS = frozenset({"user_editable_context", "model_editable_context"})
ASIDE = frozenset({"all", "final", "commentary", ""})


@READERS.register("chatgpt")
@dataclass(frozen=True)
class ChatGPT:
    """ChatGPT's export.

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
        """Certain by `mapping`; an archive by the files that the export comes with."""
        if look.kind == "archive":
            return 0.95 if look.holds(EXPORTED, COMPANIONS) else 0.0
        return 0.95 if look.kind == "json" and isinstance(look.first.get("mapping"), Mapping) else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each conversation, or each of its branches."""
        yield from convert_each(source.records(within=EXPORTED), self._conversation)

    def _conversation(self, item: Item) -> Iterator[DialogueRecord]:
        found = item.value
        nodes = found["mapping"]
        if not isinstance(nodes, Mapping):
            raise ReadError(f"field 'mapping' is {brief(nodes)}, expected an object of messages")
        current = found.get("current_node")
        about = {
            "dialogue_id": found.get("conversation_id") or found.get("id"),
            "title": found.get("title"),
        }
        return branch_dialogues(
            "chatgpt",
            _parents(nodes),
            partial(_turns, nodes),
            about,
            current=current if isinstance(current, str) else None,
            which=self.branches,
        )


def _parents(nodes: Mapping[str, Any]) -> dict[str, str | None]:
    """Return node id → parent, with siblings in the order of their parent's `children`."""
    children = {name: _children(node) for name, node in nodes.items()}
    above = {child: name for name, held in children.items() for child in held}
    parent_of = {name: _parent(node) or above.get(name) for name, node in nodes.items()}
    parents: dict[str, str | None] = {}
    waiting = [name for name in reversed(list(nodes)) if parent_of[name] not in nodes]
    while waiting:
        name = waiting.pop()
        if name in parents:
            continue
        parents[name] = parent_of[name]
        waiting += [child for child in reversed(children[name]) if child in nodes]
    return {**parents, **{name: _parent(nodes[name]) for name in nodes if name not in parents}}


def _parent(node: Any) -> str | None:
    found = node.get("parent") if isinstance(node, Mapping) else None
    return found if isinstance(found, str) else None


def _children(node: Any) -> list[str]:
    found = node.get("children") if isinstance(node, Mapping) else None
    return [child for child in found if isinstance(child, str)] if isinstance(found, list) else []


def _turns(nodes: Mapping[str, Any], path: Sequence[str]) -> list[TurnRecord | Failure]:
    thinking: list[str] = []
    call: str | None = None

    def turn_of(name: str) -> TurnRecord | Failure | None:
        nonlocal call
        message = nodes[name].get("message")
        if not message:
            return None
        content = message.get("content") or {}
        if content.get("content_type") in REASONING:
            thinking.append(_thoughts(content))
            return None
        turn = _turn(name, message, content, call)
        if isinstance(turn, TurnRecord) and turn.role == "assistant":
            call = name if any(part["type"] == "tool_call" for part in turn.parts) else None
            if thinking:
                turn = replace(turn, meta={**turn.meta, "thinking": "\n\n".join(thinking)})
                thinking.clear()
        return turn

    found = turns_along(path, turn_of)
    says = any(isinstance(one, TurnRecord) and (one.text.strip() or one.parts) for one in found)
    return found if says else [one for one in found if isinstance(one, Failure)]


def _turn(
    name: str, message: Mapping[str, Any], content: Mapping[str, Any], call: str | None
) -> TurnRecord | Failure | None:
    author = message.get("author") or {}
    metadata = message.get("metadata") or {}
    role = _role(author, metadata, content)
    recipient = message.get("recipient") or "all"
    text, parts = _content(content)
    parts = _with_files(parts, metadata.get("attachments") or ())
    is_error = content.get("content_type") == "system_error"
    if is_error and role != "tool":
        told = ": ".join(text.splitlines())
        return Failure(f"message {brief(name)} left out: {told}", item_id=name, status="ok")
    stays = role == "user" or (role == "tool" and call is not None)
    if not text.strip() and not parts and not stays:
        return None
    if role == "assistant" and recipient not in ASIDE:
        parts = [tool_call(name, recipient, text), *parts]
        text = ""
    elif role == "tool":
        parts = [tool_result(call, author.get("name"), is_error=is_error), *parts]
    meta = {"model": metadata["model_slug"]} if metadata.get("model_slug") else {}
    plain = text if role == "user" else without_marks(text)
    if plain != text:
        meta["marked"], text = text, plain
    speaker = author.get("name") if role == "tool" else None
    return TurnRecord(role, text, speaker, message.get("create_time"), None, name, parts, meta)


def _role(author: Mapping[str, Any], metadata: Mapping[str, Any], content: Mapping[str, Any]) -> str:
    """Return the role; what the product writes in the user's name is of role system."""
    role = standard_role(author.get("role", ""))
    is_hidden_prompt = role == "user" and metadata.get("is_visually_hidden_from_conversation")
    return "system" if is_hidden_prompt or content.get("content_type") in CONTEXTS else role


def _content(content: Mapping[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    """Return the text and the parts of a node's content, whatever its content_type."""
    pieces: list[str] = []
    parts: list[dict[str, Any]] = []
    for part in content.get("parts") or ():
        if isinstance(part, str):
            pieces.append(part)
        elif isinstance(part, Mapping):
            text, described = _described(part)
            pieces += [text] if text else []
            parts += [described] if described else []
    pieces += [
        str(content[field])
        for field in (
            "name",
            "title",
            "url",
            "result",
            "text",
            "user_profile",
            "user_instructions",
            "model_set_context",
        )
        if content.get(field) and isinstance(content[field], str)
    ]
    if (
        not pieces
        and not parts
        and content.get("content_type") not in (None, "text", "code", "multimodal_text")
    ):
        left = {name: value for name, value in content.items() if name != "content_type" and value}
        pieces = [json.dumps(left, ensure_ascii=False)] if left else []
    return "\n".join(piece for piece in pieces if piece), parts


def _described(part: Mapping[str, Any]) -> tuple[str, dict[str, Any] | None]:
    kind = str(part.get("content_type", ""))
    if kind == "audio_transcription":
        return str(part.get("text") or ""), None
    if "image" in kind:
        made = (part.get("metadata") or {}).get("dalle") or {}
        return "", image_part(
            url=part.get("asset_pointer"),
            caption=made.get("prompt"),
            width=part.get("width"),
            height=part.get("height"),
        )
    if "audio" in kind or "video" in kind:
        return "", {"type": "audio" if "audio" in kind else "video"}
    return str(part.get("text") or ""), None if part.get("text") else {
        "type": "attachment",
        "name": kind or None,
    }


def _with_files(parts: list[dict[str, Any]], files: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the parts with the names of the attached files; an attached image is one of them."""
    left = {str(file.get("id")): file for file in files if file}
    named: list[dict[str, Any]] = []
    for part in parts:
        url = str(part.get("url"))
        found = next((key for key in left if part["type"] == "image" and url.endswith(key)), None)
        named.append(part if found is None else {**_file(left.pop(found)), **part})
    return [*named, *map(_file, left.values())]


def _file(file: Mapping[str, Any]) -> dict[str, Any]:
    if str(file.get("mimeType") or file.get("mime_type") or "").startswith("image/"):
        return image_part(name=file.get("name"), width=file.get("width"), height=file.get("height"))
    return {"type": "attachment", "name": file.get("name")}


def _thoughts(content: Mapping[str, Any]) -> str:
    thoughts = [
        f"{one.get('summary', '')}: {one.get('content', '')}" for one in content.get("thoughts") or ()
    ]
    return "\n".join([*thoughts, *([content["content"]] if isinstance(content.get("content"), str) else [])])
