"""ShareGPT: `conversations` of `from`/`value`, and its dialects.

The dialects are `role`/`content` (and `user`/`text`) messages, and Chinese sets with a `human` and
an `assistant` text in each entry. `function_call` and `observation` are a tool's call and result.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hydralab.errors import ReadError
from hydralab.readers.blocks import split_blocks, tool_call, tool_result
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

__all__ = ["ShareGPT"]

LISTS = ("conversations", "conversation", "items")
IDS = ("id", "conversation_id", "hash", "uuid")
SPEAKERS = ("from", "role", "user")
TEXTS = ("value", "content", "text", "markdown")
PAIRS = (("human", "assistant"), ("user", "assistant"), ("input", "output"))


@READERS.register("sharegpt")
@dataclass(frozen=True)
class ShareGPT:
    """ShareGPT in its dialects."""

    def sniff(self, look: Look) -> float:
        """Sure by a list of messages in one of the dialects."""
        if look.kind == "table":
            return 0.5 if "conversations" in look.columns else 0.0
        return 0.85 if any(_is_conversation(record) for record in look.objects) else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield the conversation of each record."""
        is_table = source.head(4) == b"PAR1"
        yield from convert_each(source.rows() if is_table else source.records(), _dialogue)


def _is_conversation(record: Mapping[str, Any]) -> bool:
    messages = _messages(record)
    first = messages[0] if messages else None
    if not isinstance(first, Mapping):
        return False
    is_message = any(field in first for field in SPEAKERS) and any(field in first for field in TEXTS)
    return is_message or any(
        isinstance(first.get(asked), str) and answered in first for asked, answered in PAIRS
    )


def _messages(record: Mapping[str, Any]) -> Sequence[Any] | None:
    return next(
        (
            record[field]
            for field in LISTS
            if isinstance(record.get(field), Sequence) and not isinstance(record[field], str)
        ),
        None,
    )


def _dialogue(item: Item) -> DialogueRecord:
    record = item.value
    messages = _messages(record)
    if messages is None:
        raise ReadError(f"no list {' or '.join(map(repr, LISTS))}")
    named = next((record[field] for field in IDS if record.get(field) not in (None, "")), None)
    turns = [turn for message in messages for turn in _turns(message)]
    system = record.get("system") or record.get("system_prompt")
    if isinstance(system, str) and system and (not turns or turns[0].role != "system"):
        turns.insert(0, TurnRecord("system", system))
    is_id = isinstance(named, str) and not named.isdecimal()
    return DialogueRecord(turns, named if is_id else None, record.get("title"))


def _turns(message: Mapping[str, Any]) -> Iterator[TurnRecord]:
    speaker = next((message[field] for field in SPEAKERS if isinstance(message.get(field), str)), None)
    text = next((message[field] for field in TEXTS if message.get(field) is not None), None)
    if speaker is not None and text is not None:
        yield _turn(speaker, text)
        return
    for pair in PAIRS:
        if pair[0] in message:
            yield TurnRecord("user", _checked(message[pair[0]]))
            if message.get(pair[1]) is not None:
                yield TurnRecord("assistant", _checked(message[pair[1]]))
            return
    raise ReadError(f"a message with the fields {', '.join(message)}, expected from and value")


def _turn(speaker: str, found: Any) -> TurnRecord:
    if speaker == "function_call":
        return TurnRecord("assistant", "", parts=_called(_checked(found)))
    blocks = split_blocks(found)
    role = standard_role(speaker)
    parts = (tool_result(None), *blocks.parts) if role == "tool" else blocks.parts
    return TurnRecord(role, blocks.text, parts=parts)


def _called(text: str) -> tuple[dict[str, Any], ...]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return (tool_call(None, None, text),)
    calls = found if isinstance(found, list) else [found]
    if not all(isinstance(call, Mapping) for call in calls):
        return (tool_call(None, None, text),)
    return tuple(
        tool_call(None, call.get("name"), call.get("arguments", call.get("parameters"))) for call in calls
    )


def _checked(text: Any) -> str:
    if not isinstance(text, str):
        raise ReadError(f"text {text!r} is {type(text).__name__}, expected a string")
    return text
