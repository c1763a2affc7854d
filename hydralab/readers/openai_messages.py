"""OpenAI's chat messages: `{"messages": [...]}` a line (fine-tuning, batches, logs), or alone.

A call in `tool_calls` is a part of its assistant turn; the message of role "tool" that answers it
names it by id. Items of the Responses API (`function_call`, `function_call_output`) are read alike.
"""

from __future__ import annotations

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

__all__ = ["OpenAIMessages", "chat_turns"]

IDS = ("conversation_id", "dialogue_id", "thread_id", "custom_id", "id", "uuid")
TIMES = ("created_at", "create_time", "timestamp", "time", "created")


@READERS.register("openai")
@dataclass(frozen=True)
class OpenAIMessages:
    """OpenAI chat messages."""

    def sniff(self, look: Look) -> float:
        """Sure by a list of messages with role and content, in each record or as the file itself."""
        if look.kind == "table":
            return 0.6 if "messages" in look.columns else 0.0
        if _are_messages(look.records):
            return 0.7 if look.shape == "list" or look.has("tool_calls") or look.has("tool_call_id") else 0.4
        return 0.8 if any(_are_messages(_messages(record)) for record in look.objects) else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield the dialogue of each record; a list of bare messages is one dialogue."""
        bare: list[TurnRecord] = []
        calls: dict[str, str] = {}

        def convert(item: Item) -> Iterator[DialogueRecord]:
            messages = _messages(item.value)
            if messages is None and isinstance(item.value, Mapping) and _is_message(item.value):
                bare.extend(_turns(item.value, calls))
                return iter(())
            return iter([_dialogue(item.value, messages)])

        is_table = source.head(4) == b"PAR1"
        yield from convert_each(source.rows() if is_table else source.records(), convert)
        if bare:
            yield DialogueRecord(bare)


def chat_turns(messages: Sequence[Mapping[str, Any]]) -> list[TurnRecord]:
    """Return the turns of a list of chat messages.

    >>> chat_turns([{"role": "user", "content": "hi"}])[0].text
    'hi'
    """
    calls: dict[str, str] = {}
    return [turn for message in messages for turn in _turns(message, calls)]


def _dialogue(record: Any, messages: Any) -> DialogueRecord:
    if not isinstance(messages, Sequence) or isinstance(messages, str):
        raise ReadError("no list of messages")
    named = next((record[field] for field in IDS if record.get(field) not in (None, "")), None)
    is_id = isinstance(named, str) and not named.isdecimal()
    user = record.get("user_id") or record.get("user")
    return DialogueRecord(
        chat_turns(messages),
        named if is_id else None,
        record.get("title"),
        user if isinstance(user, str) else None,
    )


def _messages(record: Any) -> Any:
    """Return the list of messages of a record, where it is: messages, body.messages, input."""
    if not isinstance(record, Mapping):
        return None
    for holder in (record, record.get("body"), record.get("request"), record.get("input")):
        if isinstance(holder, Mapping) and isinstance(holder.get("messages"), Sequence):
            return holder["messages"]
    return record["input"] if _are_messages(record.get("input")) else None


def _are_messages(found: Any) -> bool:
    is_list = isinstance(found, Sequence) and not isinstance(found, str)
    return is_list and any(_is_message(one) for one in found)


def _is_message(found: Any) -> bool:
    return (
        isinstance(found, Mapping)
        and isinstance(found.get("role"), str)
        and ("content" in found or "tool_calls" in found or "function_call" in found)
    )


def _turns(message: Mapping[str, Any], calls: dict[str, str]) -> Iterator[TurnRecord]:
    kind = message.get("type")
    time = next((message[field] for field in TIMES if message.get(field) is not None), None)
    name = message.get("id") if isinstance(message.get("id"), str) else None
    if kind in ("function_call", "function_call_output") and "role" not in message:
        blocks = split_blocks([message])
        role = "assistant" if blocks.parts else "tool"
        text = "".join(result["text"] for result in blocks.results)
        yield TurnRecord(role, text, None, time, None, name, blocks.parts or _answered(blocks.results, calls))
        _remember(blocks.parts, calls)
        return
    if kind == "reasoning" and "role" not in message:
        return
    role = standard_role(message["role"])
    blocks = split_blocks(message.get("content"))
    for result in blocks.results:
        yield TurnRecord("tool", result.get("text", ""), None, time, parts=_answered([result], calls))
    parts = [*blocks.parts, *_calls(message)]
    _remember(parts, calls)
    if role == "tool":
        part = tool_result(
            message.get("tool_call_id"), message.get("name") or calls.get(message.get("tool_call_id", ""))
        )
        parts.insert(0, part)
    text = blocks.text or message.get("refusal") or ""
    thinking = blocks.thinking or message.get("reasoning_content") or message.get("reasoning")
    if text or parts or not blocks.results:
        meta = {"thinking": thinking} if isinstance(thinking, str) and thinking else {}
        yield TurnRecord(role, text, message.get("name"), time, None, name, tuple(parts), meta)


def _calls(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for call in message.get("tool_calls") or ():
        function = call.get("function") or call.get("custom") or call
        yield tool_call(
            call.get("id"), function.get("name"), function.get("arguments", function.get("input"))
        )
    if message.get("function_call"):
        yield tool_call(None, message["function_call"].get("name"), message["function_call"].get("arguments"))


def _answered(results: Sequence[Mapping[str, Any]], calls: Mapping[str, str]) -> tuple[dict[str, Any], ...]:
    return tuple(
        tool_result(result["id"], result.get("name") or calls.get(str(result["id"]))) for result in results
    )


def _remember(parts: Sequence[Mapping[str, Any]], calls: dict[str, str]) -> None:
    calls.update({part["id"]: part["name"] for part in parts if part["type"] == "tool_call" and part["id"]})
