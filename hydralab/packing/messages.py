"""From the kept rows of a context table to the chat messages that are sent.

One system message first, then recent turns, then the query. Adjacent turns of a role are merged,
tool messages never; where several people speak, each turn begins with its speaker's name.
r"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from hydralab.packing.blocks import BLOCKS, block_pieces

__all__ = ["MERGED", "build_messages", "fold_system", "group_messages", "message", "spoken", "system_text"]

MERGED = "\n\n"
"""What stands between two turns that became one message."""

Message = dict[str, Any]


def build_messages(frame: pl.DataFrame) -> list[Message]:
    """Return the messages of a context table.

    Parameters
    ----------
    frame
        A context table; its kept rows, by `order`, are rendered.

    Returns
    -------
    list of dict
        With "role" and "content", and "tool_calls" or "tool_call_id" where a turn has them.
    """
    kept = frame.filter("kept").sort("order")
    opening = kept.filter(pl.col("section").is_in(("system", *BLOCKS)))
    rows = kept.filter(~pl.col("section").is_in(("system", *BLOCKS)))
    messages = [{"role": "system", "content": system_text(opening)}] if opening.height else []
    turns = list(rows.select("role", "speaker", "text", "parts").iter_rows(named=True))
    messages += [message([turns[i] for i in group]) for group in group_messages([t["role"] for t in turns])]
    return messages


def system_text(rows: pl.DataFrame) -> str:
    """Return the text of the system message: instructions, then a block a section."""
    pieces = [text for text in rows.filter(pl.col("section") == "system")["text"].to_list() if text]
    for section in BLOCKS:
        items = rows.filter(pl.col("section") == section).select("label", "text").rows()
        if items:
            pieces.append("".join(block_pieces(section, items)).rstrip("\n"))
    return "\n".join(pieces)


def group_messages(roles: Sequence[str]) -> list[range]:
    """Return the runs of turns that become one message each.

    >>> group_messages(["user", "user", "assistant", "tool", "tool"])
    [range(0, 2), range(2, 3), range(3, 4), range(4, 5)]
    """
    starts = [i for i, role in enumerate(roles) if i == 0 or role != roles[i - 1] or role == "tool"]
    return [range(start, end) for start, end in zip(starts, [*starts[1:], len(roles)], strict=True)]


def message(turns: Sequence[Mapping[str, Any]]) -> Message:
    """Return one message of turns of a role.

    Parameters
    ----------
    turns
        Each with role, speaker (None where it is not to be written), text, parts (JSON or None).
    """
    merged: Message = {"role": turns[0]["role"], "content": MERGED.join(spoken(turn) for turn in turns)}
    parts = [part for turn in turns if turn["parts"] for part in json.loads(turn["parts"])]
    calls = [part for part in parts if part.get("type") == "tool_call"]
    if calls and merged["role"] == "assistant":
        merged["tool_calls"] = [
            {
                "id": str(call.get("id") or f"call_{number}"),
                "type": "function",
                "function": {"name": str(call.get("name") or "tool"), "arguments": _arguments(call)},
            }
            for number, call in enumerate(calls)
        ]
    if merged["role"] == "tool":
        answered = [part.get("id") for part in parts if part.get("type") == "tool_result" and part.get("id")]
        merged["tool_call_id"] = str(answered[0]) if answered else "call_0"
    return merged


def spoken(turn: Mapping[str, Any]) -> str:
    """Return a turn's text, with its speaker in front where one is to be written."""
    return f"{turn['speaker']}: {turn['text']}" if turn["speaker"] else str(turn["text"])


def fold_system(messages: Sequence[Message]) -> list[Message]:
    r"""Put the system text in front of the first user message, for templates without a system role.

    >>> fold_system([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}])
    [{'role': 'user', 'content': 'Be brief.\n\nHi'}]
    """
    system = [m["content"] for m in messages if m["role"] == "system"]
    rest = [dict(m) for m in messages if m["role"] != "system"]
    for each in rest:
        if each["role"] == "user" and system:
            each["content"] = MERGED.join([*system, each["content"]])
            break
    return rest


def _arguments(call: Mapping[str, Any]) -> str:
    given = call.get("arguments", call.get("input"))
    return (
        given
        if isinstance(given, str)
        else json.dumps(given if given is not None else {}, ensure_ascii=False)
    )
