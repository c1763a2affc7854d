"""A packed prompt and everything there is to know of it: what is in it, why, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from hydralab.frames import SECTIONS
from hydralab.packing.display import context_html, context_text
from hydralab.packing.dropped_lines import fold_dropped, fold_text
from hydralab.packing.messages import Message, build_messages, fold_system
from hydralab.packing.phrases import phrases_for
from hydralab.packing.prompt_table import PromptTable

__all__ = ["Context"]


class Context(PromptTable):
    """One prompt: a table of items, kept and dropped, and the messages it renders to."""

    @cached_property
    def messages(self) -> list[Message]:
        """The chat messages to send: system, recent turns, query.

        In the form of OpenAI's chat API, and such that other servers and chat templates take them too:
        adjacent turns of a role are one message, an empty turn reads "[empty]", pictures and files are named
        in the text, names and ids of tool calls hold letters, digits, "_" and "-" alone (`dalle.text2im` is
        sent as `dalle_text2im`), and arguments are a JSON object (a line of code is its `input`). The tables
        keep what was said.
        """
        return build_messages(self.kept_rows)

    def messages_without_system(self) -> list[Message]:
        """Return the messages for chat templates that refuse a system role, such as Gemma's."""
        return fold_system(self.messages)

    @property
    def prompt(self) -> str:
        """The messages as text to read, a header a message, tool calls below their text."""
        return "\n\n".join(map(_written, self.messages))

    def explain(self) -> str:
        """Say for each item in a sentence why it is there; of what is not, in one line a reason.

        Where a strategy adapted the prompt to the query, the first line says how.
        """
        width = max(map(len, SECTIONS))
        dropped = phrases_for(self.query)["dropped"]
        lines = [f"{'adapted':<{width}}  {self.decision['why']}"] if "why" in self.decision else []
        lines += [_explained(row, width, row["why"] or "") for row in self.kept.iter_rows(named=True)]
        for fold in fold_dropped(self.dropped.iter_rows(named=True)):
            if fold.is_folded:
                lines.append(fold_text(fold, self.query, named=True))
            else:
                lines += [
                    _explained(row, width, dropped.format(reason=row["drop_reason"])) for row in fold.rows
                ]
        return "\n".join(lines)

    def _repr_mimebundle_(
        self, include: Sequence[str] | None = None, exclude: Sequence[str] | None = None
    ) -> dict[str, Any]:
        return {"text/plain": context_text(self), "text/html": context_html(self)}


def _explained(row: Mapping[str, Any], width: int, told: str) -> str:
    return f"{row['section']:<{width}}  {_short(row['label'] or row['role'] or '')}: {told}"


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
