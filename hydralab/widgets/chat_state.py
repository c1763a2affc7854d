"""A conversation with an agent, without a browser: what was said, what is remembered, what was recalled for a reply."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import closing
from threading import Event, Lock
from typing import Any

import polars as pl

from hydralab.agent import Agent
from hydralab.errors import HydralabError, brief
from hydralab.packing import Context
from hydralab.widgets.payloads import clipped, messages_shown, moment, nothing_sent

__all__ = ["ChatState"]

SHOWN_TURNS = 200
SHOWN_ITEMS = 100
KEPT_CONTEXTS = 100
"""Prompts that can be looked at again; those before them are in no table."""

ITEM_ORDER = {"checkpoint": 0, "memory": 1}


class ChatState:
    """One conversation, and what there is to show of it.

    Parameters
    ----------
    agent
        Who is talked with; it may have been before, and may be from elsewhere meanwhile.

    Attributes
    ----------
    reply_to
        The id of the user's turn whose prompt is shown; "" for the newest.
    """

    def __init__(self, agent: Agent) -> None:
        if not isinstance(agent, Agent):
            raise HydralabError(f"Chat: got {brief(agent)}, expected an hl.Agent")
        self.agent = agent
        self.reply_to = ""
        self.said = ""
        self.busy = False
        self._contexts: OrderedDict[str, Context] = OrderedDict()
        self._stop = Event()
        self._lock = Lock()
        self._known: set[str] = set(self._items()["id"])
        self._fresh: set[str] = set()

    def say(self, text: str) -> Iterator[str]:
        """Say something, and yield the reply as it grows.

        Raises
        ------
        HydralabError
            The text is blank or a command that there isn't, a reply is still being written, or there is none.
        """
        with self._lock:
            if self.busy:
                raise HydralabError(
                    "Chat: the reply before is still being written, expected it to end or be stopped"
                )
            self.busy, self.said = True, ""
        self._stop.clear()
        self._known, self._fresh = set(self._items()["id"]), set()
        self.reply_to = ""
        try:
            with closing(self.agent.stream(text)) as pieces:
                for delta in pieces:
                    self.said += delta.text
                    yield self.said
                    if self._stop.is_set():
                        return
        finally:
            self.busy, self.said = False, ""
            self._keep_context()

    def stop(self) -> None:
        """End the reply that is being written; what there is of it is kept."""
        self._stop.set()

    def look_at(self, turn_id: str) -> None:
        """Show the prompt of a user's turn; that of the newest for "".

        Raises
        ------
        HydralabError
            Its prompt is not there to be looked at.
        """
        if turn_id and turn_id not in self._contexts:
            raise HydralabError(f"Chat: no prompt of {turn_id!r}, expected a turn of this conversation")
        self.reply_to = turn_id

    @property
    def context(self) -> Context | None:
        """The prompt that is shown; None before there is one."""
        return self._contexts.get(self.reply_to) if self.reply_to else self.agent.context

    def state(self) -> dict[str, Any]:
        """Return everything that is shown but the reply that is being written."""
        turns, agent = self.agent.turns, self.agent
        positions = dict(turns.select("turn_id", "position").iter_rows())
        context = self.context
        return {
            "dialogue": agent.dialogue_id,
            "model": agent.llm.name,
            "strategy": agent.strategy.name,
            "earlier": max(turns.height - SHOWN_TURNS, 0),
            "turns": self._turns(turns.tail(SHOWN_TURNS)),
            "items": self._shown_items(context),
            "busy": self.busy,
            "moment": self._moment(context, positions),
            "reply_to": self.reply_to,
        }

    def prompt(self) -> dict[str, Any]:
        """Return the messages of the prompt that is shown."""
        context = self.context
        return {"messages": [] if context is None else messages_shown(context.messages)}

    def moments(self) -> dict[str, dict[str, Any]]:
        """Return turn id → prompt and messages, of every prompt that can be looked at, for a page without a kernel."""
        positions = dict(self.agent.turns.select("turn_id", "position").iter_rows())
        return {
            name: {
                "moment": self._moment(context, positions),
                "messages": messages_shown(context.messages),
            }
            for name, context in reversed(self._contexts.items())
        }

    def follow(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have a function called when something new is stored; returns what ends that."""
        return self.agent.on_change(lambda table, rows: changed())

    def _keep_context(self) -> None:
        context = self.agent.context
        if context is None:
            return
        self._contexts[context.query_id] = context
        while len(self._contexts) > KEPT_CONTEXTS:
            self._contexts.popitem(last=False)

    def _moment(self, context: Context | None, positions: dict[str, int]) -> dict[str, Any]:
        if context is None:
            return nothing_sent() | {"asked": [], "reason": "nothing was asked yet", "heading": ""}
        heading = f"what the model saw at turn {context.at}"
        return {**moment(context, positions), "asked": [], "reason": "", "heading": heading}

    def _turns(self, turns: pl.DataFrame) -> list[dict[str, Any]]:
        columns = ("turn_id", "position", "role", "tokens", "text", "meta")
        return [
            {
                "id": turn_id,
                "position": position,
                "role": role,
                "tokens": tokens,
                "cut_reply": '"outcome"' in (meta or ""),
                "seen": turn_id in self._contexts,
                **clipped(text),
            }
            for turn_id, position, role, tokens, text, meta in turns.select(columns).iter_rows()
        ]

    def _items(self) -> pl.DataFrame:
        """Return what is remembered, newest first: checkpoints that are ready, facts that still hold."""
        checkpoints = self.agent.checkpoints.filter(pl.col("status") != "open").select(
            id="checkpoint_id",
            kind=pl.lit("checkpoint"),
            about="kind",
            title=pl.col("title").fill_null(""),
            text=pl.col("summary").fill_null(""),
            tokens="tokens",
            status="status",
            place=pl.format("turns {}–{}", "start", "end"),
            order="end",
        )
        memories = self.agent.memories.filter(pl.col("superseded_by").is_null())
        facts = memories.with_row_index("order").select(
            id="memory_id",
            kind=pl.lit("memory"),
            about="kind",
            title=pl.lit(""),
            text="text",
            tokens="tokens",
            status=pl.lit("ready"),
            place=pl.lit(""),
            order=pl.col("order").cast(pl.Int64),
        )
        both = pl.concat([checkpoints, facts], how="vertical_relaxed")
        return both.sort(pl.col("kind").replace_strict(ITEM_ORDER), "order", descending=[False, True])

    def _shown_items(self, context: Context | None) -> list[dict[str, Any]]:
        sent = set() if context is None else {row["item_id"] for row in context.kept_rows}
        items = self._items()
        self._fresh |= set(items["id"]) - self._known
        self._known |= self._fresh
        pinned = set(self.agent.pinned)
        ranked = items.with_columns(
            pinned=pl.col("id").is_in(pinned),
            sent=pl.col("id").is_in(sent),
            fresh=pl.col("id").is_in(self._fresh),
        ).sort("pinned", descending=True, maintain_order=True)
        shown = ranked.drop("order").head(SHOWN_ITEMS).to_dicts()
        return [{**item, **clipped(item["text"])} for item in shown]
