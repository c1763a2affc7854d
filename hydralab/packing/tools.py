"""Tool calls and results in the form that chat servers accept.

A server refuses a call without its result, and a result without its call. A call that a later tool
turn answers is sent as such; whatever has no partner, because the export keeps both in one turn or the
dialogue was broken off, is written out as text, so that nothing of it is lost. Pictures and files are
named in the text, for every server takes text; one that is `inline` is described there already.

Servers take names of at most 64 letters, digits, "_" and "-", ids of 40, and arguments that are a JSON
object. What does not fit is rewritten in what is sent, the same way every time; the turns table keeps it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hydralab.readers.blocks import as_arguments

__all__ = ["Sendable", "api_name", "make_sendable", "write_out"]

LONGEST_NAME = 64
LONGEST_ID = 40
DIGEST = 8

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
    >>> write_out("What does it show?", '[{"type": "image", "name": "chart.png"}]')
    'What does it show?\n\n[image: chart.png]'
    """
    one = Sendable("", text)
    for part in json.loads(parts) if parts else []:
        _append(one, _as_text(part))
    return one.text


def api_name(name: str, longest: int = LONGEST_NAME) -> str:
    """Return a name that servers take: other characters become "_", a hash tells apart what that could mix up.

    >>> api_name("dalle.text2im"), api_name("查天气")
    ('dalle_text2im', '____80bac930')
    """
    plain = re.sub(r"[^a-zA-Z0-9_-]", "_", name)
    if name.isascii() and len(name) <= longest:
        return plain
    digest = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:DIGEST]
    return f"{plain[: longest - DIGEST - 1]}_{digest}"


def _answer(one: Sendable, parts: Sequence[Part], pending: dict[str, tuple[Sendable, Part]]) -> None:
    result = next((part for part in parts if part.get("type") == "tool_result"), {})
    named = result.get("id")
    called = str(named) if named else next(iter(pending), None)
    if called is None or called not in pending:
        one.role = "assistant"
        one.text = f"[tool result{_name(result)}] {one.text}"
        return
    caller, call = pending.pop(called)
    one.answers = api_name(called, LONGEST_ID)
    function = {"name": api_name(str(call.get("name") or "tool")), "arguments": _json_object(call)}
    caller.calls.append({"id": one.answers, "type": "function", "function": function})


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
    if part.get("inline"):
        return ""
    told = part.get("text") or part.get("alt") or part.get("caption") or ""
    return f"[{kind or 'attachment'}{_name(part)}] {told}".rstrip()


def _name(part: Part) -> str:
    name = part.get("name") or part.get("title")
    return f": {name}" if name else ""


def _arguments(call: Part) -> str:
    given = call.get("arguments")
    return given if isinstance(given, str) else _written({} if given is None else given)


def _json_object(call: Part) -> str:
    """Return the arguments as a JSON object; what is none, such as a line of code, is its `input`."""
    given = as_arguments(call.get("arguments"))
    if isinstance(given, Mapping):
        return _written(given)
    return _written({"input": given} if given not in (None, "") else {})


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _spoken(turn: Mapping[str, Any]) -> str:
    return f"{turn['speaker']}: {turn['text']}" if turn["speaker"] else str(turn["text"])
