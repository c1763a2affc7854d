"""A packed prompt and everything there is to know of it: what is in it, why, and what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from hydralab.frames import SECTIONS
from hydralab.packing.messages import Message, build_messages, fold_system
from hydralab.packing.phrases import phrases_for

__all__ = ["Context"]


@dataclass(frozen=True)
class Context:
    """One prompt: a table of items, kept and dropped, and the messages it renders to.

    Attributes
    ----------
    frame
        The context table: an item a row, kept ones in the order of the prompt, then dropped ones.
    query
        The message the prompt was hydrated for, sent as it is.
    budget, reserve
        Tokens for everything sent, and of these the tokens kept free for the reply.
    tokens
        Tokens of everything sent, counted on the messages; equal to the sum over kept items.
    at
        Only turns before this position were seen.
    """

    frame: pl.DataFrame = field(repr=False)
    query: str
    query_id: str
    dialogue_id: str
    budget: int
    reserve: int
    tokens: int
    at: int
    title: str = ""
    strategy: str = ""

    @cached_property
    def messages(self) -> list[Message]:
        """The chat messages to send: system, recent turns, query."""
        return build_messages(self.frame)

    def messages_without_system(self) -> list[Message]:
        """Return the messages for chat templates that refuse a system role, such as Gemma's."""
        return fold_system(self.messages)

    @property
    def prompt(self) -> str:
        """The messages as text to read, a header a message, tool calls below their text."""
        return "\n\n".join(map(_written, self.messages))

    @property
    def kept(self) -> pl.DataFrame:
        """The items that were sent, in order."""
        return self.frame.filter("kept")

    @property
    def dropped(self) -> pl.DataFrame:
        """The items that were considered and not sent, with the reason."""
        return self.frame.filter(~pl.col("kept"))

    def sections(self) -> pl.DataFrame:
        """Return tokens and items a section, in the order of the prompt, empty sections with 0."""
        spent = self.kept.group_by("section").agg(
            pl.col("tokens").sum(), pl.len().cast(pl.Int64).alias("items")
        )
        return (
            pl.DataFrame({"section": SECTIONS})
            .join(spent, on="section", how="left", maintain_order="left")
            .with_columns(pl.col("tokens", "items").fill_null(0))
        )

    def explain(self) -> str:
        """Say for each item in a sentence why it is there, or why it is not."""
        width = max((len(name) for name in self.frame["section"].to_list()), default=0)
        dropped = phrases_for(self.query)["dropped"]
        lines = []
        for row in self.frame.iter_rows(named=True):
            state = row["why"] or "" if row["kept"] else dropped.format(reason=row["drop_reason"])
            lines.append(f"{row['section']:<{width}}  {_short(row['label'] or row['role'] or '')}: {state}")
        return "\n".join(lines)

    def _repr_mimebundle_(
        self, include: Sequence[str] | None = None, exclude: Sequence[str] | None = None
    ) -> dict[str, Any]:
        from hydralab.packing.display import context_html, context_text

        return {"text/plain": context_text(self), "text/html": context_html(self)}


def _short(text: str, limit: int = 40) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _written(message: Message) -> str:
    head = f"[{message['role']}]"
    if message.get("tool_call_id"):
        head = f"[{message['role']}, answers {message['tool_call_id']}]"
    calls = [
        f"→ {call['function']['name']}({call['function']['arguments']}), call {call['id']}"
        for call in message.get("tool_calls", ())
    ]
    return "\n".join([head, *([message["content"]] if message["content"] else []), *calls])
