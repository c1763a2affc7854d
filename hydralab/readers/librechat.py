"""LibreChat's conversation export: messages nested in their parents, or flat with `parentMessageId`.

LibreChat shows the newest of several siblings first, so the current branch takes the last child at
every fork.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from hydralab.readers.blocks import image_part, split_blocks
from hydralab.readers.looks import Look
from hydralab.readers.records import READERS, DialogueRecord, Failure, Item, TurnRecord, convert_each
from hydralab.readers.sources import Source
from hydralab.readers.trees import branch_dialogues, check_branches, turns_along

__all__ = ["LibreChat"]


@READERS.register("librechat")
@dataclass(frozen=True)
class LibreChat:
    """LibreChat's conversation export.

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
        """Certain by messages with `messageId` and `isCreatedByUser`."""
        if look.kind != "json":
            return 0.0
        return 0.95 if any(_fits(record) for record in look.objects) else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each conversation, or each of its branches."""
        yield from convert_each(source.records(), self._conversation)

    def _conversation(self, item: Item) -> Iterator[DialogueRecord]:
        found = item.value
        messages = _unfold(found.get("messages") or found.get("messagesTree") or ())
        options = found.get("options") or {}
        about = {
            "dialogue_id": found.get("conversationId"),
            "title": found.get("title") or options.get("title"),
            "user": next((message["user"] for message in messages.values() if message.get("user")), None),
        }
        if not messages:
            return iter([DialogueRecord([], **about)])
        parents = {name: message.get("parentMessageId") for name, message in messages.items()}
        prompt = options.get("promptPrefix") or options.get("system") or options.get("instructions")
        turns = partial(_turns, messages, prompt if isinstance(prompt, str) else "")
        return branch_dialogues("librechat", parents, turns, about, current=None, which=self.branches)


def _fits(record: Mapping[str, Any]) -> bool:
    messages = record.get("messages") or record.get("messagesTree")
    first = messages[0] if isinstance(messages, list) and messages else None
    return isinstance(first, Mapping) and "messageId" in first and "isCreatedByUser" in first


def _unfold(roots: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    waiting = list(reversed(roots))
    while waiting:
        message = waiting.pop()
        found[message["messageId"]] = message
        waiting += reversed(message.get("children") or ())
    return found


def _turns(
    messages: Mapping[str, Mapping[str, Any]], prompt: str, path: Sequence[str]
) -> list[TurnRecord | Failure]:
    opening = [TurnRecord("system", prompt)] if prompt else []
    return [*opening, *turns_along(path, partial(_turn, messages))]


def _turn(messages: Mapping[str, Mapping[str, Any]], name: str) -> TurnRecord:
    message = messages[name]
    blocks = split_blocks(message.get("content") or message.get("text"))
    is_user = message["isCreatedByUser"]
    files = [_file(file) for file in message.get("files") or ()]
    meta = {"model": message.get("model"), "thinking": blocks.thinking, "error": message.get("error")}
    sender = message.get("sender")
    return TurnRecord(
        "user" if is_user else "assistant",
        blocks.text or message.get("text") or "",
        None if is_user else sender,
        message.get("createdAt"),
        None,
        name,
        [*blocks.parts, *blocks.results, *files],
        {key: value for key, value in meta.items() if value},
    )


def _file(file: Mapping[str, Any]) -> dict[str, Any]:
    if str(file.get("type", "")).startswith("image/"):
        return image_part(name=file.get("filename"), width=file.get("width"), height=file.get("height"))
    return {"type": "attachment", "name": file.get("filename")}
