"""A chat model with a memory: one dialogue that is had, stored and remembered while it goes on."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

import polars as pl

from hydralab.agent.change_events import ChangeEvents, Observer
from hydralab.agent.dialogue import LiveDialogue
from hydralab.agent.dialogue_tables import DialogueTables
from hydralab.agent.exchange import Exchanges, Terms
from hydralab.agent.fair_lock import FairLock
from hydralab.agent.follow_ups import FollowUps
from hydralab.agent.journal import Journal
from hydralab.agent.model_calls import Script, run, run_async, run_stream, run_stream_async
from hydralab.agent.opening import check_settings, find_dialogue, name_to_keep, open_dialogue
from hydralab.encoders import Encoder
from hydralab.encoders.saved_encoder import kept_encoder, kept_tokenizer
from hydralab.errors import HydralabError, check_value
from hydralab.llms import LLM, Delta, Reply, get_llm
from hydralab.packing import DEFAULT_BUDGET, Context
from hydralab.privacy.finding import redact, resolve_kinds
from hydralab.replay.call_costs import CallCount
from hydralab.stores import Store, open_store
from hydralab.stores.settings import LAB, Settings
from hydralab.strategies import Hydration, Strategy, resolve_strategy
from hydralab.strategies.reflecting import reflect as ask_for_verdict
from hydralab.texts import Tokenizer

__all__ = ["Agent"]

MAX_TOKENS = 512


class Agent(DialogueTables):
    """One dialogue with a chat model, whose prompts a strategy makes.

    The user's message is in the store before the model is asked, the reply once it is there, whole or cut. What
    follows from them is worked out in the background, and no reply waits for it: work for a model (summaries,
    facts, checkpoints in a model's words), the vector of a reply. An agent on a store goes on where its dialogue
    was left, and a `Lab` on the same store sees everything. Prompts are those that a replay of the same turns
    makes.

    What `store.forget` takes out while an agent is open, here or in another process, is gone from its next prompt:
    the dialogue is then read anew. `agent.forget` works at once.

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
    redact
        Take what is private out of all that is said before it is kept, encoded or shown to a model: all kinds when
        True, or some of `hydralab.privacy.KINDS`; what the store redacts anyway when False. A reply is returned as the
        model gave it, and kept redacted. A new dialogue that is named by something private, such as an address, is
        kept under a hash of it; ids of users are kept as they are.

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
        redact: bool | Iterable[str] = False,
    ) -> None:
        check_settings(budget, max_tokens, dialogue, user, system, reflect)
        self.llm: LLM = get_llm(llm)
        self.strategy: Strategy = Hydration() if strategy is None else resolve_strategy(strategy)
        self.budget = budget
        self.max_tokens = max_tokens
        self.user = user
        self._verdict_of = ask_for_verdict if reflect is True else reflect or None
        self._fair_lock = FairLock()
        kinds = resolve_kinds(redact)
        self.store = open_store("memory" if store is None else store, redact=kinds or False)
        self._own_store = store is None or isinstance(store, str | Path)
        self._redact: tuple[str, ...] = kinds or tuple(getattr(self.store, "kinds", ()))
        try:
            self._open(dialogue, system, encoder, tokenizer)
        except BaseException:
            if self._own_store:
                self.store.close()
            raise

    def _open(
        self,
        dialogue: str | None,
        system: str | None,
        encoder: str | Encoder | Callable[[list[str]], Any] | None,
        tokenizer: str | Tokenizer | None,
    ) -> None:
        settings = Settings(self.store)
        self.encoder, encoder_text = kept_encoder(settings, encoder)
        self.tokenizer, tokenizer_text = kept_tokenizer(settings, tokenizer)
        if settings.get("encoder") is None:
            settings.write({(LAB, "encoder"): encoder_text, (LAB, "tokenizer"): tokenizer_text})
        named = name_to_keep(self.store, dialogue, self._redact)
        found = find_dialogue(self.store, named, self.user)
        self.dialogue_id: str = found["dialogue_id"].item()
        owner = found["user_id"].item()
        if owner is not None and self.user not in (None, owner):
            raise HydralabError(
                f"dialogue {self.dialogue_id!r} is one of user {owner!r}, expected that user, got {self.user!r}"
            )
        self.user = self.user if owner is None else owner
        self._changes = ChangeEvents(Journal(self.store, self.dialogue_id), self.dialogue_id)
        self._dialogue: LiveDialogue = self._read(found)
        turns = self._dialogue.turns
        own = "\n\n".join(turns.filter(pl.col("role") == "system")["text"])
        if turns.height and system is not None and redact(system, self._redact) != own:
            raise HydralabError(
                f"dialogue {self.dialogue_id!r} began with the system text {own!r:.60}, expected the same, or none"
            )
        calls = CallCount()
        self._follow_ups = FollowUps(self._dialogue, self._changes, calls)
        self._exchanges = Exchanges(
            self._dialogue,
            self._changes,
            self._follow_ups,
            calls,
            found=found,
            user=self.user,
            system=system,
            redact=self._redact,
            opened=partial(self._read_anew, found),
        )
        self.retry()

    def _read(self, found: pl.DataFrame) -> LiveDialogue:
        """Read the dialogue of a row of the dialogues table."""
        return open_dialogue(
            found,
            self.store,
            self.strategy,
            encoder=self.encoder,
            tokenizer=self.tokenizer,
            user=self.user,
            changed=self._changes.add,
        )

    def _read_anew(self, found: pl.DataFrame) -> LiveDialogue:
        self._changes.journal = Journal(self.store, self.dialogue_id)
        stored = self.store.read("dialogues", dialogue_id=self.dialogue_id)
        return self._read(stored if stored.height else found)

    def chat(self, text: str, *, parts: Sequence[Mapping[str, Any]] | None = None) -> Reply:
        """Say something, and return the reply.

        Parameters
        ----------
        text
            The message. "/checkpoint title" (or "/检查点 标题", either also without a title) is none: it closes the
            open span by hand, and no model is asked. With attachments, any text is a message.
        parts
            Attachments, as in the turns table, such as ``[{"type": "image", "name": "chart.png"}]``.

        Raises
        ------
        HydralabError
            The text is blank, or begins with a command that there isn't, such as "/chekpoint"; a path such as
            "/etc/hosts", or a blank before the slash, begins a message. Nothing is stored.
        LLMError
            There is no reply. The message is stored, an event tells, and the next chat goes on from there.
        BudgetError
            The message can't fit the budget; it is stored.
        """
        with self._fair_lock.held():
            return run(self._script(text, parts))

    async def achat(self, text: str, *, parts: Sequence[Mapping[str, Any]] | None = None) -> Reply:
        """Do what `chat` does, for asyncio."""
        async with self._fair_lock.aheld():
            return await run_async(self._script(text, parts))

    def stream(
        self, text: str, *, parts: Sequence[Mapping[str, Any]] | None = None
    ) -> Generator[Delta, None, None]:
        """Say something, and yield the reply piece by piece; the last piece has the whole of it.

        A stream that is closed before its end, or breaks off, leaves what was said so far as a cut reply.
        """
        with self._fair_lock.held():
            yield from run_stream(self._script(text, parts))

    async def astream(
        self, text: str, *, parts: Sequence[Mapping[str, Any]] | None = None
    ) -> AsyncGenerator[Delta, None]:
        """Do what `stream` does, for asyncio."""
        async with self._fair_lock.aheld():
            pieces = run_stream_async(self._script(text, parts))
            try:
                async for delta in pieces:
                    yield delta
            finally:
                await pieces.aclose()

    @property
    def context(self) -> Context | None:
        """The last prompt; None before there is one."""
        return self._exchanges.context

    def pin(self, item_id: str, *, pinned: bool = True) -> None:
        """Have a checkpoint or a memory in every following prompt as long as it fits; or no more.

        Raises
        ------
        HydralabError
            There is no such item.
        """
        with self._changes.locked():
            self._dialogue.pin(item_id, pinned=pinned)

    def edit(self, item_id: str, text: str) -> None:
        """Write the summary of a checkpoint, or the text of a memory, by hand; no model writes over it.

        Raises
        ------
        HydralabError
            There is no such item, or the text is none.
        """
        check_value("edit: text", text, "str")
        with self._changes.locked():
            self._dialogue.edit(item_id, redact(text, self._redact))

    def forget(self, item_id: str) -> None:
        """Drop a checkpoint or a memory for good; the turns that it came from stay.

        Raises
        ------
        HydralabError
            There is no such item.
        """
        with self._changes.locked():
            self._dialogue.forget(item_id)

    def on_change(self, observer: Observer) -> Callable[[], None]:
        """Have a function called with table and rows whenever something is stored; returns what ends that.

        It is called in the thread that stored, after all of it is; what it raises becomes an event in the store, of
        which observers are not told.
        """
        return self._changes.observe(observer)

    def drain(self, timeout: float | None = None) -> bool:
        """Wait until the background has done everything; tell whether it had within `timeout` seconds."""
        return self._follow_ups.background.drain(timeout)

    async def adrain(self) -> None:
        """Do what `drain` does, for asyncio."""
        await self._follow_ups.background.adrain()

    def retry(self) -> int:
        """Take up again the background work that failed or was put aside; returns how many pieces there are."""
        with self._changes.locked():
            tasks = self._dialogue.take_up()
            self._follow_ups.submit(tasks)
        return len(tasks)

    def close(self) -> None:
        """Wait for the chat under way and for the background, and close the store where the agent opened it.

        Raises
        ------
        HydralabError
            A stream of this thread is half read: it is to be finished or closed first.
        """
        with self._fair_lock.held():
            pass
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
        terms = Terms(self.llm, self.budget, self.max_tokens, self._verdict_of)
        return self._exchanges.script(text, parts, terms)
