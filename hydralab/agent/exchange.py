"""One exchange with a chat model: the message is stored, its prompt made, the model asked, the reply stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from hydralab.agent.change_events import ChangeEvents
from hydralab.agent.commands import check_message, title_to_mark
from hydralab.agent.dialogue import LiveDialogue
from hydralab.agent.follow_ups import FollowUps
from hydralab.agent.model_calls import Calls, Question, Script
from hydralab.agent.new_turns import next_turn
from hydralab.agent.opening import dialogue_row
from hydralab.agent.prompted_message import PromptedMessage
from hydralab.errors import HydralabError, check_value
from hydralab.frames import build, event
from hydralab.llms import LLM, Call, Reply, call_event
from hydralab.packing import Context
from hydralab.packing.tools import write_out
from hydralab.privacy.finding import redact
from hydralab.replay.call_costs import CallCount, calls_that_failed
from hydralab.replay.stepping import step_row

__all__ = ["Exchanges", "Terms"]


@dataclass(frozen=True)
class Terms:
    """How a model is asked.

    Attributes
    ----------
    budget
        Tokens of a prompt and its reply.
    max_tokens
        The most tokens of a reply.
    verdict_of
        Asks the model whether its context sufficed; None where nobody asks.
    """

    llm: LLM
    budget: int
    max_tokens: int
    verdict_of: Callable[..., Any] | None = None

    @property
    def room(self) -> int:
        """The most tokens of a prompt."""
        return self.budget - self.max_tokens


class Exchanges:
    """Goes through the exchanges of one dialogue, one after the other.

    Parameters
    ----------
    dialogue
        Whose exchanges they are.
    changes, follow_ups, calls
        Of the dialogue.
    found
        Its row of the dialogues table, written with the first message of a new one.
    user
        Whose dialogue it is.
    system
        What a new dialogue begins with.
    redact
        Kinds of what is private that are taken out of all that is said, before anything is made of it.
    opened
        Reads the dialogue anew from its store.
    """

    def __init__(
        self,
        dialogue: LiveDialogue,
        changes: ChangeEvents,
        follow_ups: FollowUps,
        calls: CallCount,
        *,
        found: pl.DataFrame,
        user: str | None,
        system: str | None,
        redact: Sequence[str],
        opened: Callable[[], LiveDialogue],
    ) -> None:
        self.context: Context | None = None
        """The last prompt; None before there is one."""
        self._dialogue = dialogue
        self._dialogue_id = dialogue.kept.dialogue_id
        self._changes = changes
        self._follow_ups = follow_ups
        self._calls = calls
        self._found = found
        self._user = user
        self._system = system
        self._redact = redact
        self._opened = opened
        self._is_new = not dialogue.kept.is_there

    def script(self, text: str, parts: Sequence[Mapping[str, Any]] | None, terms: Terms) -> Script:
        """Go through one exchange: store the message, ask, store the reply."""
        check_value("chat: text", text, "str")
        if not parts:
            title = title_to_mark(text)
            if title is not None:
                return self._mark(redact(title, self._redact))
            check_message(text)
        calls = Calls()
        try:
            asked = calls.run(self._begin, text, parts, calls, terms)
            return (yield from self._answer(asked, calls, terms))
        finally:
            calls.close()

    def _answer(self, asked: PromptedMessage, calls: Calls, terms: Terms) -> Script:
        """Ask, perhaps once more, and store the reply, or what was said of it before it broke off."""
        made = len(calls.made)
        question = _question(asked, calls, terms, shown=terms.verdict_of is None)
        try:
            reply = yield question
            missing = self._missing(asked, reply, calls, terms)
            if missing:
                asked = calls.run(self._ask_again, asked, missing, terms)
                question = _question(asked, calls, terms, shown=True)
                reply = yield question
        except BaseException:
            cut = Reply("".join(question.said), "cut", None, terms.llm.name)
            self._end(asked, cut, calls.made, made)
            raise
        self._end(asked, reply, calls.made, made)
        return reply

    def _begin(
        self, text: str, parts: Sequence[Mapping[str, Any]] | None, calls: Calls, terms: Terms
    ) -> PromptedMessage:
        """Store the message, durably, and make its prompt."""
        with self._changes.locked():
            dialogue = self._dialogue
            if not self._is_new and not dialogue.kept.is_there:
                raise HydralabError(
                    f"dialogue {self._dialogue_id!r} is no more in {dialogue.kept.store!r}; "
                    "expected a new Agent to begin another"
                )
            if dialogue.has_forgotten():
                self.context = None
                self._follow_ups.submit(dialogue.renew(self._opened()))
            self._follow_ups.submit(dialogue.settle())
            turn = self._add_message(text, parts)
            try:
                self._follow_ups.submit(dialogue.settle())
                asked = dialogue.ask(turn, write_out(*turn.select("text", "parts").row(0)), terms.room)
            except HydralabError as error:
                turn_id = turn["turn_id"].item()
                failed = event(
                    "context", "failed", detail=str(error), dialogue_id=self._dialogue_id, item_id=turn_id
                )
                dialogue.note([failed, *self._failed(calls.made, turn_id)])
                raise
        return self._as_sent(asked, terms)

    def _add_message(self, text: str, parts: Sequence[Mapping[str, Any]] | None) -> pl.DataFrame:
        dialogue = self._dialogue
        before = dialogue.last_turns
        opening = []
        if self._is_new and self._system:
            opening = [self._next_turn(before, "system", self._system)]
            before = opening[0]
        turn = self._next_turn(before, "user", text, parts=parts)
        said = turn["text"].item()
        begun = {"dialogues": dialogue_row(self._found, said, self._user)} if self._is_new else {}
        dialogue.add(*opening, turn, others=begun)
        self._is_new = False
        return turn

    def _next_turn(self, before: pl.DataFrame, role: str, text: str, **more: Any) -> pl.DataFrame:
        return next_turn(
            self._dialogue_id,
            before,
            role,
            text,
            tokenizer=self._dialogue.timeline.tokenizer,
            taken=self._dialogue.turn_ids,
            redact=self._redact,
            **more,
        )

    def _as_sent(self, asked: PromptedMessage, terms: Terms) -> PromptedMessage:
        """Show the tokens kept free for the reply as part of the budget; reasons are made while nothing changes."""
        made = asked.context
        context = replace(
            made,
            budget=terms.budget,
            reserve=made.reserve + terms.max_tokens,
            reasons=None if made.reasons is None else self._changes.guarded(made.reasons),
        )
        return replace(asked, context=context)

    def _ask_again(self, asked: PromptedMessage, missing: str, terms: Terms) -> PromptedMessage:
        with self._changes.locked():
            again = self._dialogue.ask(asked.turn, asked.query, terms.room, missing=missing)
        return self._as_sent(again, terms)

    def _missing(self, asked: PromptedMessage, reply: Reply, calls: Calls, terms: Terms) -> str:
        """Return what is to be recalled once more, as the model says of its answer; "" for nothing."""
        if terms.verdict_of is None or not reply.text.strip():
            return ""
        verdict = calls.run(terms.verdict_of, terms.llm, asked.context, asked.query, reply.text)
        with self._changes.locked():
            self._dialogue.keep({"verdicts": verdict.table, "events": verdict.events})
        return "" if verdict.sufficient else str(verdict.missing)

    def _end(self, asked: PromptedMessage, reply: Reply, calls: Sequence[Call], made: int) -> None:
        """Store the reply, if there is any of it, with what it took."""
        with self._changes.locked():
            dialogue = self._dialogue
            if not dialogue.kept.is_there:
                return
            others = {
                "steps": build("steps", [self._step(asked, calls)]),
                "events": build("events", self._told(asked, calls, made)),
            }
            self.context = asked.context
            if reply.text.strip():
                ended = None if reply.outcome == "ok" else {"outcome": reply.outcome}
                turn = self._next_turn(dialogue.last_turns, "assistant", reply.text, meta=ended)
                dialogue.add(turn, others=others)
                self._follow_ups.settle()
            else:
                dialogue.keep(others)

    def _step(self, asked: PromptedMessage, calls: Sequence[Call]) -> dict[str, Any]:
        self._calls.calls += calls
        timeline = self._dialogue.timeline
        step = step_row(
            asked.context,
            f"{timeline.strategy.name}-live",
            asked.position,
            dict(asked.milliseconds),
            self.context,
            tokenizer=timeline.tokenizer,
        )
        return step | self._calls.since_last()

    def _told(self, asked: PromptedMessage, calls: Sequence[Call], made: int) -> list[Mapping[str, Any]]:
        """Return the events of an exchange: of its recall, of calls for its prompt, and of those for the reply."""
        replies = (
            call_event("chat", call, dialogue_id=self._dialogue_id, item_id=asked.turn_id)
            for call in calls[made:]
        )
        return [*asked.events, *self._failed(calls[:made], asked.turn_id), *replies]

    def _failed(self, calls: Sequence[Call], item_id: str) -> list[dict[str, Any]]:
        return calls_that_failed("context", calls, self._dialogue_id, item_id)

    def _mark(self, title: str) -> Reply:
        with self._changes.locked():
            self._follow_ups.submit(self._dialogue.settle())
            row = self._dialogue.mark(title).row(0, named=True)
        return Reply(f"{row['title']} ({row['start']}–{row['end']})", model="/checkpoint")


def _question(asked: PromptedMessage, calls: Calls, terms: Terms, *, shown: bool) -> Question:
    return Question(terms.llm, asked.context.messages, terms.max_tokens, calls, shown)
