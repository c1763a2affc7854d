"""A chat model with a memory: one dialogue that is had, stored and remembered while it goes on."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any, Self

import polars as pl

from hydralab.agent.asking import Calls, Question, Script, run, run_async, run_stream, run_stream_async
from hydralab.agent.background import Background, Work
from hydralab.agent.dialogue import Asked, LiveDialogue, Task
from hydralab.agent.journal import Journal
from hydralab.agent.marking import mark_asked_for
from hydralab.agent.opening import dialogue_row, find_dialogue, open_dialogue
from hydralab.agent.turns import next_turn
from hydralab.agent.turnstile import Turnstile
from hydralab.encoders import Encoder
from hydralab.encoders.left_with import kept_encoder, kept_tokenizer
from hydralab.errors import HydralabError, brief, check_value
from hydralab.frames import build, event
from hydralab.llms import LLM, Call, Delta, Reply, call_event, get_llm, record_calls
from hydralab.packing import DEFAULT_BUDGET, BudgetError, Context
from hydralab.packing.tools import write_out
from hydralab.replay.calls import CallCount, calls_that_failed
from hydralab.replay.stepping import step_row
from hydralab.stores import Store, open_store
from hydralab.stores.settings import LAB, Settings
from hydralab.strategies import Hydration, Strategy, resolve_strategy
from hydralab.strategies.reflecting import reflect as ask_for_verdict
from hydralab.texts import Tokenizer

__all__ = ["Agent"]

MAX_TOKENS = 512

Observer = Callable[[str, pl.DataFrame], Any]
"""Called with the name of a table and the rows that were stored in it."""


class Agent:
    """One dialogue with a chat model, whose prompts a strategy makes.

    The user's message is in the store before the model is asked, the reply once it is there, whole or cut. What
    follows from them is worked out in the background, and no reply waits for it: work for a model (summaries,
    facts, checkpoints in a model's words), the vector of a reply. An agent on a store goes on where its dialogue
    was left, and a `Lab` on the same store sees everything. Prompts are those that a replay of the same turns
    makes.

    Its methods may be called from any thread, and from asyncio; chats of one agent take turns. For many dialogues
    side by side make an agent each, with the same store, encoder and model.

    Parameters
    ----------
    llm
        Answers: anything that `hl.get_llm` takes.
    strategy
        A strategy or the name of one; `Hydration` when None.
    store
        "memory", a path such as "chat.db", an URL, or a store; in memory when None.
    dialogue
        An id or a title: of a dialogue in the store to go on with, or of a new one. A new one when None.
    user
        Whose dialogue it is; strategies that remember across dialogues take facts of the same user only.
    budget
        Tokens of a prompt and its reply.
    max_tokens
        The most tokens of a reply, which the budget keeps free.
    encoder, tokenizer
        As for `Lab`: those that the store was left with when None.
    system
        What a new dialogue begins with.
    reflect
        Whether the model is asked after each answer if the context sufficed; where it did not, what was missing is
        recalled and the answer given once more. Or what to ask with, in the place of
        `hydralab.strategies.reflecting.reflect`. A stream then begins when the verdict is there.

    Raises
    ------
    HydralabError
        Something of these can't be meant, or the dialogue is another user's or has another system text.

    >>> import hydralab as hl
    >>> agent = Agent(hl.Scripted(["Noted.", "84,500 euros."]), budget=2_000)
    >>> agent.chat("The marketing budget is 84,500 euros.").text
    'Noted.'
    >>> agent.chat("What was the budget?").text, agent.turns.height
    ('84,500 euros.', 4)
    """

    def __init__(
        self,
        llm: Any,
        strategy: Strategy | str | None = None,
        *,
        store: str | Path | Store | None = None,
        dialogue: str | None = None,
        user: str | None = None,
        budget: int = DEFAULT_BUDGET,
        max_tokens: int = MAX_TOKENS,
        encoder: str | Encoder | Callable[[list[str]], Any] | None = None,
        tokenizer: str | Tokenizer | None = None,
        system: str | None = None,
        reflect: bool | Callable[..., Any] = False,
    ) -> None:
        _check(budget, max_tokens, dialogue, user, system, reflect)
        self.llm: LLM = get_llm(llm)
        self.strategy: Strategy = Hydration() if strategy is None else resolve_strategy(strategy)
        self.budget = budget
        self.max_tokens = max_tokens
        self.user = user
        self.context: Context | None = None
        """The last prompt; None before there is one."""
        self._system = system
        self._verdict_of = ask_for_verdict if reflect is True else reflect or None
        self._turnstile = Turnstile()
        self._lock = RLock()
        self._calls = CallCount()
        self._observers: list[Observer] = []
        self._news: list[Mapping[str, pl.DataFrame]] = []
        self.store = open_store("memory" if store is None else store)
        self._own_store = self.store is not store
        try:
            self._open(dialogue, encoder, tokenizer)
        except BaseException:
            if self._own_store:
                self.store.close()
            raise

    def _open(
        self,
        dialogue: str | None,
        encoder: str | Encoder | Callable[[list[str]], Any] | None,
        tokenizer: str | Tokenizer | None,
    ) -> None:
        settings = Settings(self.store)
        self.encoder, encoder_text = kept_encoder(settings, encoder)
        self.tokenizer, tokenizer_text = kept_tokenizer(settings, tokenizer)
        if settings.get("encoder") is None:
            settings.write({(LAB, "encoder"): encoder_text, (LAB, "tokenizer"): tokenizer_text})
        self._found = find_dialogue(self.store, dialogue)
        self.dialogue_id: str = self._found["dialogue_id"].item()
        owner = self._found["user_id"].item()
        if owner is not None and self.user not in (None, owner):
            raise HydralabError(
                f"dialogue {self.dialogue_id!r} is one of user {owner!r}, expected that user, got {self.user!r}"
            )
        self.user = self.user if owner is None else owner
        self._dialogue: LiveDialogue = open_dialogue(
            self._found,
            self.store,
            self.strategy,
            encoder=self.encoder,
            tokenizer=self.tokenizer,
            user=self.user,
            changed=self._news.append,
        )
        turns = self._dialogue.turns
        self._is_new = not self._dialogue.kept.is_there
        own = "\n\n".join(turns.filter(pl.col("role") == "system")["text"])
        if turns.height and self._system not in (None, own):
            raise HydralabError(
                f"dialogue {self.dialogue_id!r} began with the system text {own!r:.60}, expected the same, or none"
            )
        self._journal = Journal(self._dialogue.kept)
        self._background = Background(f"hydralab agent {self.dialogue_id}")
        with self._locked():
            self._do_later(self._dialogue.take_up())

    def chat(self, text: str, *, parts: Sequence[Mapping[str, Any]] | None = None) -> Reply:
        """Say something, and return the reply.

        Parameters
        ----------
        text
            The message. "/checkpoint", or "/checkpoint title", is none: it closes the open span by hand, and no
            model is asked.
        parts
            Attachments, as in the turns table, such as ``[{"type": "image", "name": "chart.png"}]``.

        Raises
        ------
        LLMError
            There is no reply. The message is stored, an event tells, and the next chat goes on from there.
        BudgetError
            The message can't fit the budget; it is stored.
        """
        with self._turnstile.held():
            return run(self._script(text, parts))

    async def achat(self, text: str, *, parts: Sequence[Mapping[str, Any]] | None = None) -> Reply:
        """Do what `chat` does, for asyncio."""
        async with self._turnstile.aheld():
            return await run_async(self._script(text, parts))

    def stream(
        self, text: str, *, parts: Sequence[Mapping[str, Any]] | None = None
    ) -> Generator[Delta, None, None]:
        """Say something, and yield the reply piece by piece; the last piece has the whole of it.

        A stream that is closed before its end, or breaks off, leaves what was said so far as a cut reply.
        """
        with self._turnstile.held():
            yield from run_stream(self._script(text, parts))

    async def astream(
        self, text: str, *, parts: Sequence[Mapping[str, Any]] | None = None
    ) -> AsyncGenerator[Delta, None]:
        """Do what `stream` does, for asyncio."""
        async with self._turnstile.aheld():
            pieces = run_stream_async(self._script(text, parts))
            try:
                async for delta in pieces:
                    yield delta
            finally:
                await pieces.aclose()

    @property
    def turns(self) -> pl.DataFrame:
        """The turns table of the dialogue."""
        with self._lock:
            return self._dialogue.turns

    @property
    def boundaries(self) -> pl.DataFrame:
        """The boundaries decided so far."""
        return self._table("boundaries")

    @property
    def checkpoints(self) -> pl.DataFrame:
        """The checkpoints made so far, those of summaries and of "/checkpoint" among them."""
        return self._table("checkpoints")

    @property
    def memories(self) -> pl.DataFrame:
        """The facts remembered so far, with those of the user's other dialogues where the strategy takes them."""
        return self._table("memories")

    @property
    def steps(self) -> pl.DataFrame:
        """A row for each prompt."""
        with self._lock:
            return self._journal.steps

    @property
    def events(self) -> pl.DataFrame:
        """Each call for a reply with its tokens and cost, and what was retried, salvaged or failed."""
        with self._lock:
            return self._journal.events

    @property
    def verdicts(self) -> pl.DataFrame:
        """What the model said of its contexts, where it reflects."""
        with self._lock:
            return self._journal.verdicts

    @property
    def pinned(self) -> list[str]:
        """Ids of the items that are pinned."""
        with self._lock:
            return list(self._dialogue.hands.pinned)

    def pin(self, item_id: str, *, pinned: bool = True) -> None:
        """Have a checkpoint or a memory in every following prompt as long as it fits; or no more.

        Raises
        ------
        HydralabError
            There is no such item.
        """
        with self._locked():
            self._dialogue.pin(item_id, pinned=pinned)

    def edit(self, item_id: str, text: str) -> None:
        """Write the summary of a checkpoint, or the text of a memory, by hand; no model writes over it.

        Raises
        ------
        HydralabError
            There is no such item, or the text is none.
        """
        check_value("edit: text", text, "str")
        with self._locked():
            self._dialogue.edit(item_id, text)

    def forget(self, item_id: str) -> None:
        """Drop a checkpoint or a memory for good; the turns that it came from stay.

        Raises
        ------
        HydralabError
            There is no such item.
        """
        with self._locked():
            self._dialogue.forget(item_id)

    def on_change(self, observer: Observer) -> Callable[[], None]:
        """Have a function called with table and rows whenever something is stored; returns what ends that.

        It is called in the thread that stored, after all of it is; what it raises becomes an event.
        """
        self._observers.append(observer)
        return partial(_discard, self._observers, observer)

    def drain(self, timeout: float | None = None) -> bool:
        """Wait until the background has done everything; tell whether it had within `timeout` seconds."""
        return self._background.drain(timeout)

    async def adrain(self) -> None:
        """Do what `drain` does, for asyncio."""
        await self._background.adrain()

    def retry(self) -> int:
        """Take up again the background work that failed or was put aside; returns how many pieces there are."""
        with self._locked():
            tasks = self._dialogue.take_up()
            self._do_later(tasks)
        return len(tasks)

    def close(self) -> None:
        """Wait for the background, and close the store where the agent opened it."""
        self.drain()
        if self._own_store:
            self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return (
            f"Agent({self.llm.name!r}, {self.strategy.name!r}, dialogue {self.dialogue_id!r}, "
            f"{self.turns.height} turns)"
        )

    def _script(self, text: str, parts: Sequence[Mapping[str, Any]] | None) -> Script:
        """Go through one exchange: store the message, ask, store the reply."""
        check_value("chat: text", text, "str")
        title = None if parts else mark_asked_for(text)
        if title is not None:
            return self._mark(title)
        calls = Calls()
        try:
            asked = calls.run(self._begin, text, parts, calls)
            return (yield from self._answer(asked, calls))
        finally:
            calls.close()

    def _answer(self, asked: Asked, calls: Calls) -> Script:
        """Ask, perhaps once more, and store the reply, or what was said of it before it broke off."""
        made = len(calls.made)
        question = self._question(asked, calls, shown=self._verdict_of is None)
        try:
            reply = yield question
            missing = self._missing(asked, reply, calls)
            if missing:
                asked = calls.run(self._ask_again, asked, missing)
                question = self._question(asked, calls, shown=True)
                reply = yield question
        except BaseException:
            cut = Reply("".join(question.said), "cut", None, self.llm.name)
            self._end(asked, cut, calls.made, made)
            raise
        self._end(asked, reply, calls.made, made)
        return reply

    def _question(self, asked: Asked, calls: Calls, *, shown: bool) -> Question:
        return Question(self.llm, asked.context.messages, self.max_tokens, calls, shown)

    def _begin(self, text: str, parts: Sequence[Mapping[str, Any]] | None, calls: Calls) -> Asked:
        """Store the message, durably, and make its prompt."""
        with self._locked():
            dialogue = self._dialogue
            if not self._is_new and not dialogue.kept.is_there:
                raise HydralabError(
                    f"dialogue {self.dialogue_id!r} is no more in {self.store!r}; expected a new Agent to begin another"
                )
            self._do_later(dialogue.settle())
            turn = self._add_message(text, parts)
            try:
                self._do_later(dialogue.settle())
                asked = dialogue.ask(turn, write_out(text, turn["parts"].item()), self._room)
            except HydralabError as error:
                turn_id = turn["turn_id"].item()
                failed = event(
                    "context", "failed", detail=str(error), dialogue_id=self.dialogue_id, item_id=turn_id
                )
                dialogue.note([failed, *self._failed("context", calls.made, turn_id)])
                raise
        return self._as_sent(asked)

    def _add_message(self, text: str, parts: Sequence[Mapping[str, Any]] | None) -> pl.DataFrame:
        dialogue = self._dialogue
        before = dialogue.last_turns
        new = partial(next_turn, self.dialogue_id, tokenizer=self.tokenizer, taken=dialogue.turn_ids)
        opening = []
        if self._is_new and self._system:
            opening = [new(before, "system", self._system)]
            before = opening[0]
        turn = new(before, "user", text, parts=parts)
        begun = {"dialogues": dialogue_row(self._found, text, self.user)} if self._is_new else {}
        dialogue.add(*opening, turn, others=begun)
        self._is_new = False
        return turn

    @property
    def _room(self) -> int:
        return self.budget - self.max_tokens

    def _as_sent(self, asked: Asked) -> Asked:
        """Show the tokens kept free for the reply as part of the budget."""
        context = replace(asked.context, budget=self.budget, reserve=asked.context.reserve + self.max_tokens)
        return replace(asked, context=context)

    def _ask_again(self, asked: Asked, missing: str) -> Asked:
        with self._locked():
            again = self._dialogue.ask(asked.turn, asked.query, self._room, missing=missing)
        return self._as_sent(again)

    def _missing(self, asked: Asked, reply: Reply, calls: Calls) -> str:
        """Return what is to be recalled once more, as the model says of its answer; "" for nothing."""
        if self._verdict_of is None or not reply.text.strip():
            return ""
        verdict = calls.run(self._verdict_of, self.llm, asked.context, asked.query, reply.text)
        with self._locked():
            self._dialogue.keep({"verdicts": verdict.table, "events": verdict.events})
        return "" if verdict.sufficient else str(verdict.missing)

    def _end(self, asked: Asked, reply: Reply, calls: Sequence[Call], made: int) -> None:
        """Store the reply, if there is any of it, with what it took."""
        with self._locked():
            dialogue = self._dialogue
            if not dialogue.kept.is_there:
                return
            events = [
                *asked.events,
                *self._failed("context", calls[:made], asked.turn_id),
                *(
                    call_event("chat", call, dialogue_id=self.dialogue_id, item_id=asked.turn_id)
                    for call in calls[made:]
                ),
            ]
            self._calls.calls += calls
            step = step_row(
                asked.context,
                f"{self.strategy.name}-live",
                asked.position,
                dict(asked.milliseconds),
                self.context,
                tokenizer=self.tokenizer,
            )
            others = {
                "steps": build("steps", [step | self._calls.since_last()]),
                "events": build("events", events),
            }
            self.context = asked.context
            if reply.text.strip():
                ended = None if reply.outcome == "ok" else {"outcome": reply.outcome}
                turn = next_turn(
                    self.dialogue_id,
                    dialogue.last_turns,
                    "assistant",
                    reply.text,
                    tokenizer=self.tokenizer,
                    taken=dialogue.turn_ids,
                    meta=ended,
                )
                dialogue.add(turn, others=others)
                self._background.submit(Work(self._settle, _nothing), first=True)
            else:
                dialogue.keep(others)

    def _mark(self, title: str) -> Reply:
        with self._locked():
            self._do_later(self._dialogue.settle())
            row = self._dialogue.mark(title).row(0, named=True)
        return Reply(f"{row['title']} ({row['start']}–{row['end']})", model="/checkpoint")

    def _settle(self) -> None:
        """Work out, in the background, what follows from the newest turns."""
        try:
            with self._locked():
                self._do_later(self._dialogue.settle())
        except Exception as error:  # the next chat tries again, and tells whoever chats
            self._note("observe", f"{type(error).__name__}: {error}")

    def _do_later(self, tasks: Sequence[Task]) -> None:
        for task in tasks:
            self._background.submit(Work(partial(self._do, task), partial(self._aside, task)))

    def _do(self, task: Task) -> None:
        """Do a piece of background work; one that fails costs what it would have made, and an event tells."""
        try:
            with record_calls() as calls:
                rows = task.job()
            with self._locked():
                self._calls.calls += calls
                turn_id = self._dialogue.timeline.turns["turn_id"][task.position]
                self._dialogue.take(task, rows)
                told = self._failed("observe", calls, turn_id)
                if told:
                    self._dialogue.note(told)
        except Exception as error:  # whatever a user's strategy raises
            why = f"work of {self.strategy.name!r} raised {type(error).__name__}: {error}; agent.retry() takes it up"
            self._give_up(task, why)

    def _aside(self, task: Task) -> None:
        self._give_up(task, "put aside, as too much work was waiting; agent.retry() takes it up")

    def _give_up(self, task: Task, why: str) -> None:
        try:
            with self._locked():
                self._dialogue.fail(task, why)
        except HydralabError:  # the store is closed or broken: there is nowhere left to tell it
            return

    def _note(self, stage: str, why: str) -> None:
        try:
            with self._locked():
                self._dialogue.note([event(stage, "failed", detail=why, dialogue_id=self.dialogue_id)])
        except HydralabError:  # the store is closed or broken: there is nowhere left to tell it
            return

    def _failed(self, stage: str, calls: Sequence[Call], item_id: str) -> list[dict[str, Any]]:
        return calls_that_failed(stage, calls, self.dialogue_id, item_id)

    def _table(self, name: str) -> pl.DataFrame:
        with self._lock:
            return self._dialogue.timeline.tables[name]

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Change the dialogue; then tell the observers what was stored."""
        try:
            with self._lock:
                yield
        finally:
            self._tell()

    def _tell(self) -> None:
        with self._lock:
            news = list(self._news)
            self._news.clear()
            for tables in news:
                self._journal.take(tables)
        for tables in news:
            for table, rows in tables.items():
                for observer in list(self._observers):
                    try:
                        observer(table, rows)
                    except Exception as error:
                        self._journal.take(
                            {"events": build("events", [_observer_failed(error, self.dialogue_id)])}
                        )


def _observer_failed(error: Exception, dialogue_id: str) -> dict[str, Any]:
    detail = f"an observer raised {type(error).__name__}: {error}"
    return event("on_change", "failed", detail=detail, dialogue_id=dialogue_id)


def _discard(observers: list[Observer], observer: Observer) -> None:
    if observer in observers:
        observers.remove(observer)


def _nothing() -> None:
    """Do nothing: the next chat settles what was left."""


def _check(budget: Any, max_tokens: Any, dialogue: Any, user: Any, system: Any, reflect: Any) -> None:
    check_value("Agent: budget", budget, "int", least=1)
    check_value("Agent: max_tokens", max_tokens, "int", least=1)
    if max_tokens >= budget:
        raise BudgetError(
            f"Agent: max_tokens of {max_tokens} leave nothing of a budget of {budget} for a prompt"
        )
    for name, given in (("dialogue", dialogue), ("user", user), ("system", system)):
        check_value(f"Agent: {name}", given, "str | None")
    if not isinstance(reflect, bool) and not callable(reflect):
        raise HydralabError(f"Agent: reflect is {brief(reflect)}, expected True, False or a function")
