"""Claude's data export: `conversations.json`, alone or in its zip, and single conversations.

A message holds its tool calls and results as blocks, so both stay parts of one turn. Where messages
name their parent the conversation is a tree; its current branch ends at `current_leaf_message_uuid`,
else at the newest message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from hydralab.readers.blocks import image_part, split_blocks
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

__all__ = ["ClaudeWeb"]

EXPORTED = re.compile(r"(^|/)conversations\.json$")
COMPANIONS = re.compile(r"(^|/)(users|projects|memories)\.json$|(^|/)projects/")


@READERS.register("claude_web")
@dataclass(frozen=True)
class ClaudeWeb:
    """Claude's web export.

    Parameters
    ----------
    branches
        "current", or "all" for every retried answer and edited message as a dialogue of its own.
    """

    branches: str = "current"

    def __post_init__(self) -> None:
        """Check the option."""
        check_branches(self.branches)

    def sniff(self, look: Look) -> float:
        """Certain by `chat_messages`; an archive by the files that the export comes with."""
        if look.kind == "archive":
            return 0.9 if look.holds(EXPORTED, COMPANIONS) else 0.0
        return 0.95 if look.kind == "json" and isinstance(look.first.get("chat_messages"), Sequence) else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each conversation, or each of its branches."""
        yield from convert_each(source.records(within=EXPORTED), self._conversation)

    def _conversation(self, item: Item) -> Iterator[DialogueRecord]:
        found = item.value
        messages = {_name(message, number): message for number, message in enumerate(found["chat_messages"])}
        is_tree = any(message.get("parent_message_uuid") in messages for message in messages.values())
        names = list(messages)
        parents = (
            {
                name: messages[name].get("parent_message_uuid") if is_tree else before
                for name, before in zip(names, [None, *names[:-1]], strict=True)
            }
            if names
            else {}
        )
        about = {
            "dialogue_id": found.get("uuid"),
            "title": found.get("name") or None,
            "user": (found.get("account") or {}).get("uuid"),
        }
        if not names:
            return iter([DialogueRecord([], **about)])
        current = found.get("current_leaf_message_uuid") or names[-1]
        return branch_dialogues(
            "claude_web",
            parents,
            partial(turns_along, turn_of=partial(_turn, messages)),
            about,
            current=current,
            which=self.branches,
        )


def _name(message: Mapping[str, Any], number: int) -> str:
    return str(message.get("uuid") or number)


def _turn(messages: Mapping[str, Mapping[str, Any]], name: str) -> TurnRecord:
    message = messages[name]
    blocks = split_blocks(message.get("content") or message.get("text"))
    text = blocks.text or ("" if blocks.parts or blocks.results else message.get("text") or "")
    attached = [
        {"type": "attachment", "name": file.get("file_name"), "text": file.get("extracted_content")}
        for file in message.get("attachments") or ()
    ]
    listed = {
        file.get("file_name"): file
        for file in (*(message.get("files") or ()), *(message.get("files_v2") or ()))
    }
    named = {part["name"] for part in attached}
    files = [_file(name, file) for name, file in listed.items() if name not in named]
    meta = {"thinking": blocks.thinking} if blocks.thinking else {}
    parts = [*blocks.parts, *blocks.results, *attached, *files]
    return TurnRecord(
        standard_role(message["sender"]), text, None, message.get("created_at"), None, name, parts, meta
    )


def _file(name: str | None, file: Mapping[str, Any]) -> dict[str, Any]:
    if file.get("file_kind") != "image":
        return {"type": "attachment", "name": name}
    shown = file.get("preview_asset") or file.get("thumbnail_asset") or {}
    return image_part(name=name, width=shown.get("image_width"), height=shown.get("image_height"))
