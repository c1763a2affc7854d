"""From the kept rows of a context table to the chat messages that are sent.

One system message first, then recent turns, then the query; blocks that stand after the recent turns are written
in front of the query. Adjacent turns of a role are merged, for
many chat templates (Gemma, Llama, Mistral) refuse two of a role in a row; tool messages never. A turn
that says nothing stays a message of its own, so the answers around it are not merged; because servers
refuse an empty content, it reads "[empty]". Where several people speak, each turn begins with its
speaker's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from hydralab.packing.blocks import BLOCKS, block_pieces
from hydralab.packing.tools import Sendable, make_sendable

__all__ = [
    "EMPTY",
    "MERGED",
    "block_texts",
    "build_messages",
    "fold_system",
    "group_messages",
    "message",
    "system_text",
]

MERGED = "\n\n"
"""What stands between two turns that became one message."""

EMPTY = "[empty]"
"""What a message without text and calls says."""

SAID = ("recent", "query")
"""Sections whose rows are messages, or parts of one."""

Message = dict[str, Any]
Row = Mapping[str, Any]


def build_messages(context: pl.DataFrame | Sequence[Row]) -> list[Message]:
    """Return the messages of a context table.

    Parameters
    ----------
    context
        A context table, whose kept rows, by `order`, are rendered; or these rows.

    Returns
    -------
    list of dict
        With "role" and "content", and "tool_calls" or "tool_call_id" where a turn has them.
    """
    rows = context.filter("kept").sort("order").to_dicts() if isinstance(context, pl.DataFrame) else context
    recent = next((place for place, row in enumerate(rows) if row["section"] == "recent"), len(rows))
    opening = [row for row in rows[:recent] if row["section"] in BLOCKS or row["section"] == "system"]
    opening += [row for row in rows[recent:] if row["section"] == "system"]
    messages = [{"role": "system", "content": system_text(opening)}] if opening else []
    before_query = "".join(f"{text}\n" for text in block_texts(rows[recent:]))
    said = [row for row in rows if row["section"] in SAID]
    turns = make_sendable(
        [{**row, "text": before_query + row["text"]} if row["section"] == "query" else row for row in said]
    )
    groups = group_messages([turn.role for turn in turns])
    return [*messages, *(message([turns[i] for i in group]) for group in groups)]


def system_text(rows: Sequence[Row]) -> str:
    """Return the text of the system message: instructions, then a block a section."""
    opening = [row["text"] for row in rows if row["section"] == "system" and row["text"]]
    return "\n".join([*opening, *block_texts(rows)])


def block_texts(rows: Sequence[Row]) -> list[str]:
    """Return a block a section that has items, without a newline at its end."""
    listed = [
        (section, [(row["label"], row["text"]) for row in rows if row["section"] == section])
        for section in BLOCKS
    ]
    return ["".join(block_pieces(section, items)).rstrip("\n") for section, items in listed if items]


def group_messages(roles: Sequence[str]) -> list[range]:
    """Return the runs of turns that become one message each.

    >>> group_messages(["user", "user", "assistant", "tool", "tool"])
    [range(0, 2), range(2, 3), range(3, 4), range(4, 5)]
    """
    starts = [i for i, role in enumerate(roles) if i == 0 or role != roles[i - 1] or role == "tool"]
    return [range(start, end) for start, end in zip(starts, [*starts[1:], len(roles)], strict=True)]


def message(turns: Sequence[Sendable]) -> Message:
    """Return one message of turns of one role."""
    merged: Message = {"role": turns[0].role, "content": MERGED.join(turn.text for turn in turns)}
    calls = [call for turn in turns for call in turn.calls]
    if not merged["content"] and not calls:
        merged["content"] = EMPTY
    if calls:
        merged["tool_calls"] = calls
    if merged["role"] == "tool":
        merged["tool_call_id"] = turns[0].answers
    return merged


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
