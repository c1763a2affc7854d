"""A dialogue of three tiers had by processes that keep nothing: each message is served from the store alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import NoneType
from typing import Any, NamedTuple

import polars as pl

from hydralab.agent.new_turns import next_turn
from hydralab.agent.opening import dialogue_row
from hydralab.agent.tier_reading import Tiers, TierView
from hydralab.encoders import Encoder
from hydralab.encoders.saved_encoder import kept_encoder, kept_tokenizer
from hydralab.errors import HydralabError, check_kind, check_value
from hydralab.frames import build, empty
from hydralab.llms import Reply, ask, get_llm
from hydralab.packing import DEFAULT_BUDGET, Context
from hydralab.packing.tools import write_out
from hydralab.stores import Store
from hydralab.stores.settings import LAB, Settings
from hydralab.strategies import Job, ThreeTier
from hydralab.strategies.prompt_items import latest_end
from hydralab.texts import Tokenizer

__all__ = ["Served", "TieredDialogue", "tiers_of"]

MAX_TOKENS = 512


class Served(NamedTuple):
    """A reply, and the prompt that it was made from."""

    reply: Reply
    context: Context


class TieredDialogue:
    """A dialogue under `ThreeTier` of which nothing is kept in the process: for a web server, say.

    What costs an `Agent` once, to open a dialogue, would cost a process that lives for one message each time.
    Here a message reads what its prompt can hold: the newest turns from the short window (Redis, where the store
    has one), the newest summaries by their place in SQL, and the long-term items that `Store.nearest` finds
    (pgvector, where the store is PostgreSQL). All of it goes through the steps of `ThreeTier` itself: the judge,
    pinning, packing, and summarising what has left the window. Everything is durable when a call returns, and
    what a process that ended left undone is done by the next.

    Prompts are those of an `Agent` with ``ThreeTier(recall=Recall(blend="dense", …))``, but for this:

    - Only the nearest `recall.turns` turns and `recall.checkpoints` summaries are scored. Another blend than
      "dense" sorts these, it doesn't find more; and how rare a word is, by which `WordsJudge` judges, is counted
      among them and not in the whole dialogue.
    - System turns are taken from the opening of the dialogue; whether several people speak is seen in the turns read.
    - Of dropped items those that were read are listed; a summary of 64 turns or more names only turns that were read.
    - Turns come from Redis where its window holds 16 more than the strategy's (64 by default), else from SQL.
    - What is pinned by hand in an agent is not pinned here, and a summary that failed is not tried again.

    Parameters
    ----------
    store
        An open store; any works.
    dialogue_id
        Of a dialogue in it or of a new one.
    strategy
        Its settings.
    user
        Whose dialogue it is.
    encoder, tokenizer
        As for `Lab`: those that the store was left with when None. The encoder is one whose vectors are stored.
    system
        What a new dialogue begins with.

    Raises
    ------
    HydralabError
        Something of these can't be meant.

    >>> import hydralab as hl
    >>> with hl.open_store("memory") as store:
    ...     for said in ("The marketing budget is 84,500 euros.", "市场推广预算是多少？"):
    ...         served = TieredDialogue(store, "launch").chat(hl.Scripted(["Noted."]), said)
    >>> served.reply.text, "84,500" in served.context.prompt
    ('Noted.', True)
    """

    def __init__(
        self,
        store: Store,
        dialogue_id: str,
        strategy: ThreeTier | None = None,
        *,
        user: str | None = None,
        encoder: str | Encoder | Callable[[list[str]], Any] | None = None,
        tokenizer: str | Tokenizer | None = None,
        system: str | None = None,
    ) -> None:
        check_kind("TieredDialogue: store", store, Store, "a store such as hl.open_store(url)")
        check_kind("TieredDialogue: strategy", strategy, (ThreeTier, NoneType), "an hl.ThreeTier or None")
        check_value("TieredDialogue: dialogue_id", dialogue_id, "str")
        for name, given in (("user", user), ("system", system)):
            check_value(f"TieredDialogue: {name}", given, "str | None")
        self.store = store
        self.dialogue_id = dialogue_id
        self.strategy = ThreeTier() if strategy is None else strategy
        self.user = getattr(store, "user", None) if user is None else user
        self.system = system
        settings = Settings(store)
        self.encoder, encoder_text = kept_encoder(settings, encoder)
        self.tokenizer, tokenizer_text = kept_tokenizer(settings, tokenizer)
        self._tiers = Tiers(store, dialogue_id, self.strategy, self.encoder, self.tokenizer)
        if settings.get("encoder") is None:
            settings.write({(LAB, "encoder"): encoder_text, (LAB, "tokenizer"): tokenizer_text})
        owner = store.read("dialogues", dialogue_id=dialogue_id)["user_id"].first()
        if owner is not None and owner != self.user:
            raise HydralabError(f"dialogue {dialogue_id!r} is another user's, expected user= to say whose")

    def add(
        self,
        role: str,
        text: str,
        *,
        parts: Sequence[Mapping[str, Any]] | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> pl.DataFrame:
        """Store the next turn and its vector, and return its row; processes that do it at once take turns."""
        check_value("add: text", text, "str")
        with self.store.transaction():
            before = self.store.recent(self.dialogue_id, 2)
            if not before.height:
                before = self._begin(text)
            turn = self._next(before, role, text, parts=parts, meta=meta)
            self.store.append("turns", turn)
        self._tiers.embed_turns(turn)
        return turn

    def context(self, query: str | None = None, *, budget: int = DEFAULT_BUDGET) -> Context:
        """Return the prompt of the newest turn, or of a query that is none and follows it.

        Vectors that the store lacks of what is read are made and stored; nothing else is written.

        Raises
        ------
        HydralabError
            No query is given, and the newest turn is not a user's.
        BudgetError
            The query can't fit the budget.
        """
        tier_view = self._tiers.read()
        if query is not None:
            return self._packed(tier_view, tier_view.end, self._clean(query), "query", budget)
        turn = tier_view.turns.tail(1)
        if turn["role"].to_list() != ["user"]:
            raise HydralabError(
                f"the newest turn of {self.dialogue_id!r} is no user's, expected query= or a message that was added"
            )
        position, turn_id, text, parts = turn.select("position", "turn_id", "text", "parts").row(0)
        return self._packed(tier_view, position, write_out(text, parts), turn_id, budget)

    def settle(self) -> pl.DataFrame:
        """Summarise what has left the window, as far as it is due, and return the summaries that were stored.

        Any process may do this at any time, also one that answers nobody. Where two do at once, the summary that
        is stored first stays.
        """
        stored = [empty("checkpoints")]
        tier_view = self._tiers.read()
        while jobs := self._due(tier_view):
            stored += [self._keep(job(), tier_view) for job in jobs]
            before, tier_view = tier_view, self._tiers.read()
            if latest_end(tier_view.summaries) <= latest_end(before.summaries):
                break  # the store takes none of them: they tell of something that was forgotten
        self._tiers.embed_summaries(tier_view.summaries)
        return pl.concat(stored)

    def chat(
        self,
        llm: Any,
        text: str,
        *,
        parts: Sequence[Mapping[str, Any]] | None = None,
        budget: int = DEFAULT_BUDGET,
        max_tokens: int = MAX_TOKENS,
    ) -> Served:
        """Store a message, ask a model with its prompt, store the reply, and summarise what is due.

        A message that is the newest turn already, since the process that had it ended before there was a reply, is
        not stored twice.

        Parameters
        ----------
        llm
            Anything that `hl.get_llm` takes.
        budget
            Tokens of the prompt and its reply.
        max_tokens
            The most tokens of the reply.

        Raises
        ------
        LLMError
            There is no reply; the message is stored.
        """
        check_value("chat: max_tokens", max_tokens, "int", least=1)
        check_value("chat: budget", budget, "int", least=max_tokens + 1)
        model = get_llm(llm)
        newest = self.store.recent(self.dialogue_id, 1).select("role", "text", "parts").rows()
        if parts or newest != [("user", self._clean(text), None)]:
            self.add("user", text, parts=parts)
        context = self.context(budget=budget - max_tokens)
        reply = ask(model, context.messages, max_tokens=max_tokens)
        if reply.text.strip():
            self.add(
                "assistant", reply.text, meta=None if reply.outcome == "ok" else {"outcome": reply.outcome}
            )
        self.settle()
        return Served(reply, replace(context, budget=budget, reserve=context.reserve + max_tokens))

    def __repr__(self) -> str:
        return f"TieredDialogue({self.store!r}, {self.dialogue_id!r})"

    def _packed(self, tier_view: TierView, at: int, query: str, query_id: str, budget: int) -> Context:
        view = self._tiers.view(tier_view, at, query, query_id)
        return self.strategy.context(view, query, budget)

    def _due(self, tier_view: TierView) -> Sequence[Job]:
        """Return the work for a model that the strategy sees in the newest turns."""
        if not tier_view.end:
            return ()
        return self.strategy.observe(self._tiers.view(tier_view, tier_view.end)).jobs

    def _keep(self, rows: Mapping[str, pl.DataFrame], tier_view: TierView) -> pl.DataFrame:
        """Store a summary, unless another process has stored one since these turns were read."""
        with self.store.transaction():
            if latest_end(self._tiers.read().summaries) != latest_end(tier_view.summaries):
                return empty("checkpoints")
            self.store.append("checkpoints", rows["checkpoints"])
            self.store.append("events", rows["events"])
        return rows["checkpoints"]

    def _begin(self, text: str) -> pl.DataFrame:
        """Store the row of a new dialogue and its system turn, and return that, if there is one."""
        found = build("dialogues", [{"dialogue_id": self.dialogue_id, "title": self.dialogue_id}])
        if not self.store.read("dialogues", dialogue_id=self.dialogue_id).height:
            self.store.append("dialogues", dialogue_row(found, text, self.user))
        before = empty("turns")
        if self.system:
            before = self._next(before, "system", self.system)
            self.store.append("turns", before)
        return before

    def _next(self, before: pl.DataFrame, role: str, text: str, **more: Any) -> pl.DataFrame:
        """Return the turn that follows the last ones."""
        if before.height and not (before["role"] == "user").any():
            users = self.store.select("turns", self.dialogue_id, where={"role": ["user"]}, newest=1)
            before = pl.concat([users, before])
        name = f"{self.dialogue_id}:{before['position'][-1] + 1 if before.height else 0}"
        taken = self.store.select("turns", self.dialogue_id, where={"turn_id": [name]})["turn_id"].to_list()
        return next_turn(
            self.dialogue_id, before, role, self._clean(text), tokenizer=self.tokenizer, taken=taken, **more
        )

    def _clean(self, text: str) -> str:
        """Return a text as the store would keep it: redacted, where it redacts."""
        return str(getattr(self.store, "clean", str)(text))


def tiers_of(context: Context) -> pl.DataFrame:
    """Return what stands in a prompt of `ThreeTier`, and from which tier it came.

    Returns
    -------
    DataFrame
        A row an item, in the order of the prompt: tier ("window", "summaries", "long-term"; "system" and "query" are
        in none), section, item_id, tokens, score (the cosine that brought a long-term item in, scaled as recall
        does; null for the others), text.

    >>> from hydralab.frames import empty
    >>> from hydralab.packing import pack
    >>> tiers_of(pack("And the date?", empty("turns"), budget=100))["tier"].to_list()
    ['query']
    """
    rows = [
        (
            _tier(row),
            row["section"],
            row["item_id"],
            row["tokens"],
            (row["scores"] or {}).get("dense"),
            row["text"],
        )
        for row in context.kept_rows
    ]
    schema = dict.fromkeys(("tier", "section", "item_id", "tokens", "score", "text"), pl.String)
    return pl.DataFrame(rows, schema={**schema, "tokens": pl.Int64, "score": pl.Float64}, orient="row")


def _tier(row: Mapping[str, Any]) -> str:
    if row["section"] == "recent":
        return "window"
    if row["section"] in ("system", "query"):
        return str(row["section"])
    return "summaries" if (row["scores"] or {}).get("dense") is None else "long-term"
