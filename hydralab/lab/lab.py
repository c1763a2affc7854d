"""The class one works with: dialogues, an encoder, a tokenizer, and what was done with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.checkpoints import find_checkpoints, mark_checkpoint, merge_checkpoints, split_checkpoint
from hydralab.encoders import Encoder
from hydralab.errors import HydralabError, brief
from hydralab.frames import Corpus, empty
from hydralab.graph import DialogueGraph
from hydralab.lab.checkpointing import Checkpointing
from hydralab.lab.corpora import as_corpus, check_there, redacted
from hydralab.lab.forgetting import Forgotten, drop_vectors, forget_everywhere
from hydralab.lab.queries import DialogueQueries
from hydralab.lab.resources import LabResources
from hydralab.lab.timelines import Timelines
from hydralab.packing import DEFAULT_BUDGET, Context
from hydralab.privacy.finding import resolve_kinds
from hydralab.recall.documents import Given
from hydralab.replay import Run, Timeline
from hydralab.signals import Signal, compute_signals
from hydralab.stores import Store, open_store
from hydralab.strategies import Strategy, resolve_strategy
from hydralab.texts import Tokenizer
from hydralab.triggers import Trigger, default_trigger, resolve_trigger

if TYPE_CHECKING:
    from networkx import MultiDiGraph

__all__ = ["Lab"]

MANY_DIALOGUES = 20
"""From so many on a progress bar is shown where nothing else was asked for."""


class Lab:
    """Dialogues with an encoder, a tokenizer and, when wanted, a store that keeps what was done.

    A store keeps the dialogues, the vectors of their turns, boundaries and checkpoints with the triggers
    that placed them and what was changed by hand, named signals, and a row for each prompt of a replay.

    What `store.forget` takes out while a lab is open, here or in another process, is in nothing that `hydrate`,
    `recall`, `replay`, `checkpoints` and `find` return from then on: the store is then read anew. `lab.forget` works
    at once. What these returned before, such as a run, is the caller's, and stays as it is.

    Parameters
    ----------
    data
        A corpus, or a turns table. None opens the store where it was left.
    encoder
        A name, a callable, or an encoder; the one that the store was left with, or "use", when None.
    tokenizer
        The tokenizer that counts, or its name; the one that the store was left with, or "cl100k_base",
        when None. The turns are counted again by it.
    store
        "memory", a path such as "lab.db", an URL, or a store.
    index
        What finds turns by their vectors in `hydrate` and `recall`: "exact", "hnsw", "auto" (by size) or another
        name of `hydralab.index.INDEXES`; what the strategy's `Recall` names when None. The graph of "hnsw" is
        kept in a file beside the store and opened again; where file and vectors disagree it is made anew, and
        `events` says so.
    progress
        Show progress bars; None: where there is much to do.
    redact
        Take out what is private before anything is kept, encoded or indexed: all kinds when True, or some of
        `hydralab.privacy.KINDS`. Documents that are added are redacted, too.

    Raises
    ------
    HydralabError
        Neither data nor a store; an unknown encoder, tokenizer or store.

    >>> import hydralab as hl
    >>> lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
    >>> lab
    Lab(1 dialogue, 20 turns, encoder 'use', tokenizer 'cl100k_base')
    >>> ctx = lab.hydrate("之前提到的市场推广预算是多少？", budget=1000)
    >>> ctx.tokens <= 1000
    True
    """

    def __init__(
        self,
        data: Corpus | pl.DataFrame | None = None,
        *,
        encoder: str | Encoder | Callable[[list[str]], Any] | None = None,
        tokenizer: str | Tokenizer | None = None,
        store: str | Store | None = None,
        index: str | None = None,
        progress: bool | None = None,
        redact: bool | Iterable[str] = False,
    ) -> None:
        if data is None and store is None:
            raise HydralabError("Lab: expected a corpus, a turns table, or store= to open one")
        if data is None and store is not None:
            check_there(store)
        self.progress = progress
        kinds = resolve_kinds(redact)
        corpus = None if data is None else as_corpus(data)
        opened = None if store is None else open_store(store, redact=kinds or False)
        kinds = kinds or getattr(opened, "kinds", ())
        given = None if corpus is None else redacted(corpus, kinds)
        self._make = partial(
            LabResources,
            encoder=encoder,
            tokenizer=tokenizer,
            store=opened,
            index=index,
            progress=progress,
            redact=kinds,
        )
        try:
            self._begin(given)
        except BaseException:
            if opened is not None and opened is not store:
                opened.close()
            raise

    def _begin(self, given: Corpus | None) -> None:
        """Hold what was given and what the store has, and nothing of before."""
        self._forgotten = Forgotten(self._make.keywords["store"])
        self._resources = self._make(given)
        self._timelines = Timelines()
        self._checkpointing = Checkpointing(self._resources, self._timelines, self._shown)
        self._queries = DialogueQueries(self._resources, self._checkpointing, self._timelines)

    @property
    def store(self) -> Store | None:
        """Where everything is kept; None where nothing is."""
        return self._resources.store

    @property
    def encoder(self) -> Encoder:
        """What makes vectors of texts."""
        return self._resources.encoder

    @property
    def tokenizer(self) -> Tokenizer:
        """What counts tokens."""
        return self._resources.tokenizer

    @property
    def dialogues(self) -> pl.DataFrame:
        """The dialogues table."""
        return self._resources.corpus.dialogues

    @property
    def overview(self) -> pl.DataFrame:
        """What helps to choose a dialogue: title, language, turns, tokens, time of the first and last turn, id."""
        return self._resources.overview

    @property
    def turns(self) -> pl.DataFrame:
        """The turns table of all dialogues."""
        return self._resources.corpus.turns

    @property
    def questions(self) -> pl.DataFrame:
        """The gold questions."""
        return self._resources.corpus.questions

    @property
    def gold(self) -> pl.DataFrame:
        """The gold boundaries."""
        return self._resources.corpus.gold

    @property
    def events(self) -> pl.DataFrame:
        """What was retried, salvaged or failed: while reading, encoding and replaying."""
        return self._resources.events

    @property
    def steps(self) -> pl.DataFrame:
        """A row for each prompt of each replay; a replay that is run again replaces its rows."""
        return self._resources.journal.steps

    def dialogue_id(self, dialogue: str | None = None) -> str:
        """Return the id of the dialogue that is meant.

        Parameters
        ----------
        dialogue
            An id or a title; may be left out where there is one dialogue only.

        Raises
        ------
        HydralabError
            Several dialogues and none named (the message lists their titles), or none or several of that name.
        """
        return self._resources.name(dialogue)

    def dialogue_turns(self, dialogue: str | None = None) -> pl.DataFrame:
        """Return the turns of one dialogue."""
        return self._resources.turns(self.dialogue_id(dialogue))

    def vectors(self, dialogue: str | None = None) -> NDArray[np.float32]:
        """Return the unit rows of one dialogue's turns: float32 (n, d). Encoded once."""
        return self._resources.vectors(self.dialogue_id(dialogue))

    def signals(self, dialogue: str | None = None, **named: Signal) -> pl.DataFrame:
        """Return the signals table: the default signals, and each named one as a column.

        Parameters
        ----------
        dialogue
            One dialogue; all of them when None.
        named
            Column = signal, such as ``shift_long=hl.Shift(window=6, lag=3)``. Remembered: triggers may
            name the column from then on.
        """
        wanted = {**self.named_signals(), **named}
        frames = [
            compute_signals(self.dialogue_turns(name), self.vectors(name), wanted)
            for name in self._shown(self._meant(dialogue))
        ]
        if named:
            self._checkpointing.signals_changed(self._resources.name_signals(named))
        return pl.concat(frames) if frames else empty("signals")

    def named_signals(self) -> dict[str, Signal]:
        """Return the signals a trigger may name: the default ones and those given to `signals`."""
        return self._resources.signals()

    def boundaries(self, trigger: Trigger | str | None = None, dialogue: str | None = None) -> pl.DataFrame:
        """Return where a trigger starts new spans, the dialogue being over.

        Parameters
        ----------
        trigger
            A trigger, a registered name or a trigger's text; `hl.default_trigger()` when None.
        dialogue
            One dialogue; all of them when None.
        """
        chosen = default_trigger() if trigger is None else resolve_trigger(trigger)
        frames = [self._checkpointing.boundaries(name, chosen) for name in self._shown(self._meant(dialogue))]
        return pl.concat(frames) if frames else empty("boundaries")

    def checkpoints(self, trigger: Trigger | str | None = None, dialogue: str | None = None) -> pl.DataFrame:
        """Return the checkpoints; with a trigger, place them anew.

        Without a trigger the present ones, edited by `mark`, `merge`, `split` and `edit`, are
        returned, or placed by `hl.default_trigger()` where there are none yet.
        """
        self._catch_up()
        chosen = None if trigger is None else resolve_trigger(trigger)
        frames = self._checkpointing.checkpoints(self._meant(dialogue), chosen)
        return pl.concat(frames) if frames else empty("checkpoints")

    def trigger(self, dialogue: str | None = None) -> Trigger:
        """Return the trigger that cuts a dialogue as it is cut now: after a change by hand, its marks."""
        return self._checkpointing.placements.trigger(self.dialogue_id(dialogue))

    def find(
        self,
        *,
        kind: str | None = None,
        entity: str | None = None,
        text: str | None = None,
        since: datetime | date | str | int | None = None,
        dialogue: str | None = None,
    ) -> pl.DataFrame:
        """Return the checkpoints of a kind, with an entity, that say a text, from a time on.

        See `hydralab.checkpoints.find_checkpoints`.
        """
        return find_checkpoints(
            self.checkpoints(dialogue=dialogue), kind=kind, entity=entity, text=text, since=since
        )

    def mark(self, position: int, *, kind: str = "manual", dialogue: str | None = None) -> pl.DataFrame:
        """Start a new span at a turn by hand; returns the checkpoints.

        From then on `lab.replay()` cuts at the marks too, each known when its turn is there.
        """
        return self._checkpointing.change(self.dialogue_id(dialogue), mark_checkpoint, position, kind=kind)

    def merge(self, first: str, last: str, *, dialogue: str | None = None) -> pl.DataFrame:
        """Make one checkpoint of those from `first` to `last` (ids); returns the checkpoints."""
        return self._checkpointing.change(self._holder(first, dialogue), merge_checkpoints, first, last)

    def split(self, checkpoint_id: str, position: int, *, dialogue: str | None = None) -> pl.DataFrame:
        """Make two checkpoints of one, the second starting at a position; returns the checkpoints."""
        name = self._holder(checkpoint_id, dialogue)
        return self._checkpointing.change(name, split_checkpoint, checkpoint_id, position)

    def edit(self, checkpoint_id: str, *, dialogue: str | None = None, **columns: Any) -> pl.DataFrame:
        """Write title, summary, keywords … of a checkpoint by hand; returns the checkpoints of its dialogue.

        Here, in `merge` and in `split` the dialogue may be left out where one only has a checkpoint of that id.
        """
        return self._checkpointing.edit(self._holder(checkpoint_id, dialogue), checkpoint_id, columns)

    def annotate(
        self,
        gold: pl.DataFrame | None = None,
        questions: pl.DataFrame | None = None,
        *,
        dialogue: str | None = None,
        annotator: str | None = None,
    ) -> None:
        """Take in what a person marked, such as `stepper.gold` and `stepper.questions`; kept by the store.

        Parameters
        ----------
        gold
            A gold table. It takes the place of what its annotators had marked in its dialogues.
        questions
            A questions table. A question takes the place of the one with its id.
        dialogue, annotator
            With a dialogue, `gold` is all that the annotator marked in it, though it be nothing.

        Raises
        ------
        FrameError
            A table that isn't as its schema declares, or of a dialogue that isn't there.
        StoreError
            Another lab has changed the gold or questions of these dialogues in the store.
        """
        replaced = None if dialogue is None else (self.dialogue_id(dialogue), annotator)
        self._resources.annotate(gold, questions, replaced)

    @property
    def documents(self) -> pl.DataFrame:
        """The documents table: a row a passage."""
        return self._resources.documents.frame

    def add_documents(
        self,
        given: Given,
        *,
        title: str | None = None,
        dialogue: str | None = None,
        user: str | None = None,
        tokens: int = 200,
    ) -> pl.DataFrame:
        """Let dialogues recall from documents, too: cut into passages, kept in the store.

        Parameters
        ----------
        given
            The path of a text, Markdown or HTML file or of a folder with such, texts, texts by title, or a table
            with a column `text` (and `title`, `document_id` or `source`). A document of a name that is there already
            takes its place.
        title
            Of one document.
        dialogue, user
            For which dialogue, and for the dialogues of which user; for all when None.
        tokens
            The most tokens of a passage.

        Returns
        -------
        DataFrame
            The rows that were added. What couldn't be read is told in `lab.events`.

        Raises
        ------
        HydralabError
            No such dialogue, or none of the documents could be read.

        >>> import hydralab as hl
        >>> lab = hl.Lab(hl.read_all(hl.example("launch_en")))
        >>> rows = lab.add_documents({"Refunds": "A refund takes ten working days. Shipping is not refunded."})
        >>> ctx = lab.hydrate("How long does a refund take?", budget=300)
        >>> "ten working days" in ctx.prompt
        True
        """
        if isinstance(given, bytes) or (isinstance(given, str) and not given.strip()):
            raise HydralabError(
                f"add_documents: got {brief(given)}, expected a path, texts, texts by title, or a table with text"
            )
        if isinstance(given, Mapping):
            given = {str(name): text for name, text in given.items()}
        named = None if dialogue is None else self.dialogue_id(dialogue)
        documents, journal = self._resources.documents, self._resources.journal
        rows, failed = documents.add(given, title=title, dialogue_id=named, user_id=user, tokens=tokens)
        journal.note(failed)
        self._timelines.forget(named)
        return rows

    def remove_document(self, document_id: str) -> pl.DataFrame:
        """Take a document out; returns its rows."""
        gone = self._resources.documents.remove(document_id)
        self._timelines.forget()
        return gone

    def recall(self, query: str, *, at: int | None = None, dialogue: str | None = None) -> pl.DataFrame:
        """Return the candidates for a query with every score a column.

        Parameters
        ----------
        at
            Only turns before this position are seen; all when None.
        """
        self._catch_up()
        timeline = self._queries.timeline(self.dialogue_id(dialogue), None)
        return self._queries.view(timeline, query, at).recall(query).candidates

    def hydrate(
        self,
        query: str,
        *,
        budget: int = DEFAULT_BUDGET,
        at: int | None = None,
        dialogue: str | None = None,
        strategy: Strategy | str | None = None,
    ) -> Context:
        """Return the prompt for a query.

        Parameters
        ----------
        query
            The new message. A turn that says the same is not recalled.
        budget
            Tokens for everything that is sent.
        at
            Ask as if the dialogue stood before this position; at its end when None.
        strategy
            `Hydration` with the lab's present checkpoints when None.

        Raises
        ------
        BudgetError
            When the query can't fit the budget.
        HydralabError
            The query is no text, or `at` no position of the dialogue.
        """
        self._catch_up()
        chosen = None if strategy is None else resolve_strategy(strategy)
        return self._queries.context(self.dialogue_id(dialogue), chosen, query, at, budget)

    def replay(
        self,
        strategy: Strategy | str | None = None,
        *,
        budget: int = DEFAULT_BUDGET,
        dialogue: str | None = None,
    ) -> Run:
        """Run a dialogue turn by turn under a strategy; see `hydralab.replay.run_replay`.

        Parameters
        ----------
        strategy
            A strategy or the name of one. It places its own checkpoints as the dialogue runs. `Hydration`
            by the lab's own trigger when None: where checkpoints were marked, merged or split by hand,
            it cuts as they do, and what was written with `edit` stands where its span closes.
        budget
            Tokens a prompt.
        """
        self._catch_up()
        chosen = None if strategy is None else resolve_strategy(strategy)
        return self._queries.replay(self.dialogue_id(dialogue), chosen, budget, progress=self.progress)

    def compare(
        self,
        strategies: Sequence[Strategy | str],
        *,
        budget: int = DEFAULT_BUDGET,
        dialogue: str | None = None,
    ) -> pl.DataFrame:
        """Return the steps tables of several strategies on one dialogue, one below the other.

        Raises
        ------
        HydralabError
            `strategies` is no list of strategies or of names of them.
        """
        if isinstance(strategies, str) or not isinstance(strategies, Sequence):
            raise HydralabError(f"strategies: got {strategies!r}, expected a list such as [hl.Hydration()]")
        runs = [self.replay(strategy, budget=budget, dialogue=dialogue) for strategy in strategies]
        return pl.concat([run.steps for run in runs]) if runs else empty("steps")

    def timeline(self, strategy: Strategy | str, *, dialogue: str | None = None) -> Timeline:
        """Return a dialogue's tables with the lab's present checkpoints and documents, under a strategy to try.

        What `hydrate` asks with no strategy of its own, under other settings of recall and packing.

        >>> import hydralab as hl
        >>> lab = hl.Lab(hl.read_all(hl.example("launch_en")))
        >>> tables = lab.timeline(hl.Hydration(recent_rounds=0))
        >>> prompt = tables.context(tables.view(20), "What was the marketing budget?", 300)
        >>> prompt.kept.filter(section="recent").height
        0
        """
        chosen, name = resolve_strategy(strategy), self.dialogue_id(dialogue)
        self.checkpoints(dialogue=name)
        return self._queries.trial(name, chosen)

    def graph(self, *, at: int | None = None, dialogue: str | None = None) -> MultiDiGraph:
        """Return the entities of a dialogue and their relations as a networkx graph.

        Nodes are names with their type; edges have type, position, turn_id, time and the sentence that states
        them. See `hydralab.graph.DialogueGraph`.

        Parameters
        ----------
        at
            Only what turns before this position say; all when None.
        """
        return DialogueGraph(self.dialogue_turns(dialogue)).networkx(at)

    def relations(self, *, at: int | None = None, dialogue: str | None = None) -> pl.DataFrame:
        """Return the relations table of a dialogue: a row a relation and turn that states it, in the order said.

        Parameters
        ----------
        at
            Only what turns before this position say; all when None.
        """
        return DialogueGraph(self.dialogue_turns(dialogue)).relations(at)

    def forget(
        self,
        *,
        dialogue: str | None = None,
        turn: str | None = None,
        memory: str | None = None,
        user: str | None = None,
    ) -> pl.DataFrame:
        """Make something go for good: from the store, from the caches of encoders, and from this lab.

        Parameters
        ----------
        dialogue
            An id or a title.
        turn, memory, user
            An id. Exactly one of the four is given.

        Returns
        -------
        pl.DataFrame
            A receipt: place, kind, rows, detail; see `Store.forget`.

        Raises
        ------
        HydralabError
            The lab has no store, or not exactly one thing is named.
        """
        named = None if dialogue is None else self.dialogue_id(dialogue)
        told = forget_everywhere(self.store, dialogue=named, turn=turn, memory=memory, user=user)
        self._begin(None)
        return told

    def audit(self, text: str) -> pl.DataFrame:
        """Look for a text everywhere in the store; see `Store.audit`."""
        return self._resources.holder.audit(text)

    def close(self) -> None:
        """Close the store."""
        if self.store is not None:
            self.store.close()

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        dialogues = f"{self.dialogues.height} dialogue{'' if self.dialogues.height == 1 else 's'}"
        return (
            f"Lab({dialogues}, {self.turns.height} turns, encoder {self.encoder.name!r}, "
            f"tokenizer {self.tokenizer.name!r})"
        )

    def _catch_up(self) -> None:
        """Read the store anew where something was taken out of it since it was read."""
        if self._forgotten.is_more():
            before = self.turns
            self._begin(None)
            drop_vectors(before, self.turns)

    def _meant(self, dialogue: str | None) -> list[str]:
        """Return the ids of the dialogues that are meant, all when None."""
        return self._resources.names if dialogue is None else [self.dialogue_id(dialogue)]

    def _holder(self, checkpoint_id: str, dialogue: str | None) -> str:
        """Return the dialogue that is meant, told by the checkpoint where none is named."""
        holder = self._checkpointing.holder_of(checkpoint_id) if dialogue is None else None
        return self.dialogue_id(dialogue) if holder is None else holder

    def _shown(self, names: Sequence[str]) -> Iterator[str]:
        """Yield names, with a progress bar where they are many."""
        from tqdm.auto import tqdm

        quiet = len(names) < MANY_DIALOGUES if self.progress is None else not self.progress
        yield from tqdm(names, disable=quiet, unit="dialogue", leave=False)
