"""Tool calls and results in the form that chat servers accept.

A server refuses a call without its result, and a result without its call. A call that a later tool
turn answers is sent as such; whatever has no partner, because the export keeps both in one turn or the
dialogue was broken off, is written out as text, so that nothing of it is lost.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Sendable", "make_sendable", "write_out"]

Part = Mapping[str, Any]


@dataclass
class Sendable:
    """One turn as it will be sent: its role, its text, its paired calls, and the call it answers."""

    role: str
    text: str
    calls: list[dict[str, Any]] = field(default_factory=list)
    answers: str | None = None


def make_sendable(turns: Sequence[Mapping[str, Any]]) -> list[Sendable]:
    """Return turns with their tool calls and results paired, and the rest of their parts as text.

    Parameters
    ----------
    turns
        Each with role, speaker (None where it is not to be written), text, parts (JSON or None), in
        the order of the dialogue.

    >>> turn = {"role": "assistant", "speaker": None, "text": "", "parts":
    ...     '[{"type": "tool_call", "id": "c", "name": "clock", "arguments": {}}]'}
    >>> make_sendable([turn])[0].text
    '[tool call: clock] {}'
    """
    sendable: list[Sendable] = []
    pending: dict[str, tuple[Sendable, Part]] = {}
    for number, turn in enumerate(turns):
        parts: list[Part] = json.loads(turn["parts"]) if turn["parts"] else []
        one = Sendable(turn["role"], _spoken(turn))
        if turn["role"] == "user":
            _write_out(pending)
        if turn["role"] == "tool":
            _answer(one, parts, pending)
        inside = {str(part.get("id")) for part in parts if part.get("type") == "tool_result"}
        for place, part in enumerate(parts):
            called = str(part.get("id") or f"call_{number}_{place}")
            if part.get("type") == "tool_call" and turn["role"] == "assistant" and called not in inside:
                pending[called] = (one, part)
            elif turn["role"] != "tool" or part.get("type") != "tool_result":
                _append(one, _as_text(part))
        sendable.append(one)
    _write_out(pending)
    return sendable


def write_out(text: str, parts: str | None) -> str:
    r"""Return the text of a turn with its tool calls, results and attachments written behind it.

    >>> write_out("It is nine.", '[{"type": "tool_result", "id": "c", "name": "clock", "text": "9:00"}]')
    'It is nine.\n\n[tool result: clock] 9:00'
    """
    one = Sendable("", text)
    for part in json.loads(parts) if parts else []:
        _append(one, _as_text(part))
    return one.text


def _answer(one: Sendable, parts: Sequence[Part], pending: dict[str, tuple[Sendable, Part]]) -> None:
    result = next((part for part in parts if part.get("type") == "tool_result"), {})
    named = result.get("id")
    called = str(named) if named else next(iter(pending), None)
    if called is None or called not in pending:
        one.role = "assistant"
        one.text = f"[tool result{_name(result)}] {one.text}"
        return
    caller, call = pending.pop(called)
    one.answers = called
    caller.calls.append(
        {
            "id": called,
            "type": "function",
            "function": {"name": str(call.get("name") or "tool"), "arguments": _arguments(call)},
        }
    )


def _write_out(pending: dict[str, tuple[Sendable, Part]]) -> None:
    for caller, call in pending.values():
        _append(caller, _as_text(call))
    pending.clear()


def _append(one: Sendable, text: str) -> None:
    one.text = "\n\n".join(each for each in (one.text, text) if each)


def _as_text(part: Part) -> str:
    kind = part.get("type")
    if kind == "tool_call":
        return f"[tool call{_name(part)}] {_arguments(part)}"
    if kind == "tool_result":
        return f"[tool result{_name(part)}] {part.get('text') or ''}".rstrip()
    if kind == "attachment" and part.get("text"):
        return f"[attachment{_name(part)}] {part['text']}"
    return ""


def _name(part: Part) -> str:
    return f": {part['name']}" if part.get("name") else ""


def _arguments(call: Part) -> str:
    given = call.get("arguments")
    return (
        given
        if isinstance(given, str)
        else json.dumps(given if given is not None else {}, ensure_ascii=False)
    )


def _spoken(turn: Mapping[str, Any]) -> str:
    return f"{turn['speaker']}: {turn['text']}" if turn["speaker"] else str(turn["text"])
