"""From the kept rows of a context table to the chat messages that are sent.

One system message first, then recent turns, then the query; blocks that stand after the recent turns are written
in front of the query. Adjacent turns of a role are merged, for
many chat templates (Gemma, Llama, Mistral) refuse two of a role in a row; tool messages never. A turn
that says nothing stays a message of its own, so the answers around it are not merged; because servers
refuse an empty content, it reads "[empty]". Where several people speak, each turn begins with its
speaker's name.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    in_block = pl.col("section").is_in(list(BLOCKS))
    late = in_block & (pl.col("section") == "recent").cum_max()
    opening = kept.filter((in_block | (pl.col("section") == "system")) & ~late)
    messages = [{"role": "system", "content": system_text(opening)}] if opening.height else []
    before_query = "".join(f"{text}\n" for text in block_texts(kept.filter(late)))
    rows = kept.filter(~in_block, pl.col("section") != "system").with_columns(
        pl.when(pl.col("section") == "query")
        .then(before_query + pl.col("text"))
        .otherwise("text")
        .alias("text")
    )
    turns = make_sendable(list(rows.select("role", "speaker", "text", "parts").iter_rows(named=True)))
    groups = group_messages([turn.role for turn in turns])
    return [*messages, *(message([turns[i] for i in group]) for group in groups)]


def system_text(rows: pl.DataFrame) -> str:
    """Return the text of the system message: instructions, then a block a section."""
    opening = [text for text in rows.filter(pl.col("section") == "system")["text"].to_list() if text]
    return "\n".join([*opening, *block_texts(rows)])


def block_texts(rows: pl.DataFrame) -> list[str]:
    """Return a block a section that has items, without a newline at its end."""
    listed = [rows.filter(pl.col("section") == section).select("label", "text").rows() for section in BLOCKS]
    pieces = (block_pieces(section, items) for section, items in zip(BLOCKS, listed, strict=True) if items)
    return ["".join(own).rstrip("\n") for own in pieces]


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
