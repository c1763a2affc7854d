"""The class one works with: dialogues, an encoder, a tokenizer, and what was done with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from numbers import Integral
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.checkpoints import (
    edit_checkpoint,
    extract_checkpoints,
    find_checkpoints,
    mark_checkpoint,
    merge_checkpoints,
    split_checkpoint,
)
from hydralab.encoders import Encoder
from hydralab.errors import HydralabError
from hydralab.frames import Corpus, build, empty, event
from hydralab.lab.corpora import (
    annotated,
    as_corpus,
    find_dialogue,
    keep_annotation,
    keep_corpus,
    overview,
)
from hydralab.lab.journal import Journal
from hydralab.lab.placed import Placed, Placement
from hydralab.lab.remembering import keep_signals, kept_encoder, kept_signals, kept_tokenizer
from hydralab.lab.settings import LAB, Settings
from hydralab.lab.timelines import Timelines
from hydralab.lab.vectors import MANY_TURNS, TurnVectors
from hydralab.packing import DEFAULT_BUDGET, Context
from hydralab.readers import count_turns
from hydralab.replay import Run, Timeline, run_replay
from hydralab.signals import Signal, compute_signals, default_signals
from hydralab.stores import MemoryStore, Store, open_store
from hydralab.strategies import Hydration, Strategy, View, resolve_strategy
from hydralab.texts import Tokenizer
from hydralab.triggers import Trigger, default_trigger, find_boundaries, resolve_trigger
from hydralab.triggers.facts import signals_read

__all__ = ["Lab"]

MANY_DIALOGUES = 20
"""From so many on a progress bar is shown where nothing else was asked for."""


class Lab:
    """Dialogues with an encoder, a tokenizer and, when wanted, a store that keeps what was done.

    A store keeps the dialogues, the vectors of their turns, boundaries and checkpoints with the triggers
    that placed them and what was changed by hand, named signals, and a row for each prompt of a replay.

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
    progress
        Show progress bars; None: where there is much to do.

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
        progress: bool | None = None,
    ) -> None:
        if data is None and store is None:
            raise HydralabError("Lab: expected a corpus, a turns table, or store= to open one")
        self.progress = progress
        given = None if data is None else as_corpus(data)
        self.store = None if store is None else open_store(store)
        try:
            self._open(given, encoder, tokenizer)
        except BaseException:
            if self.store is not None and self.store is not store:
                self.store.close()
            raise

    def _open(
        self,
        data: Corpus | None,
        encoder: str | Encoder | Callable[[list[str]], Any] | None,
        tokenizer: str | Tokenizer | None,
    ) -> None:
        holder = MemoryStore() if self.store is None else self.store
        self._settings = Settings(holder)
        self.encoder, encoder_text = kept_encoder(self._settings, encoder)
        self.tokenizer, tokenizer_text = kept_tokenizer(self._settings, tokenizer)
        corpus = keep_corpus(data, self.store)
        self._corpus = replace(corpus, turns=count_turns(corpus.turns, self.tokenizer))
        parts = self.turns.partition_by("dialogue_id", as_dict=True) if self.turns.height else {}
        self._turns = {str(name): rows for (name,), rows in parts.items()}
        self._overview = overview(self._corpus)
        self._journal = Journal(self.store)
        self._signals, unread = kept_signals(self._settings)
        self._journal.note(unread)
        self._placed = Placed(holder, self._settings)
        self._placed.reach_the_ends(self.turns, self.tokenizer)
        self._vectors = TurnVectors(self.encoder, self.store, progress=self.progress)
        self._timelines = Timelines()
        left_with = self._settings.get("encoder")
        if left_with not in (None, encoder_text):
            self._note_stale(self.dialogues["dialogue_id"].to_list(), "another encoder")
        self._settings.write({(LAB, "encoder"): encoder_text, (LAB, "tokenizer"): tokenizer_text})

    @property
    def dialogues(self) -> pl.DataFrame:
        """The dialogues table."""
        return self._corpus.dialogues

    @property
    def overview(self) -> pl.DataFrame:
        """What helps to choose a dialogue: title, language, turns, tokens, time of the first and last turn, id."""
        return self._overview

    @property
    def turns(self) -> pl.DataFrame:
        """The turns table of all dialogues."""
        return self._corpus.turns

    @property
    def questions(self) -> pl.DataFrame:
        """The gold questions."""
        return self._corpus.questions

    @property
    def gold(self) -> pl.DataFrame:
        """The gold boundaries."""
        return self._corpus.gold

    @property
    def events(self) -> pl.DataFrame:
        """What was retried, salvaged or failed: while reading, encoding and replaying."""
        return pl.concat([self._corpus.events, self._vectors.events, self._journal.events])

    @property
    def steps(self) -> pl.DataFrame:
        """A row for each prompt of each replay; a replay that is run again replaces its rows."""
        return self._journal.steps

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
        return find_dialogue(self.dialogues, dialogue)

    def dialogue_turns(self, dialogue: str | None = None) -> pl.DataFrame:
        """Return the turns of one dialogue."""
        turns = self._turns.get(self.dialogue_id(dialogue))
        return empty("turns") if turns is None else turns

    def vectors(self, dialogue: str | None = None) -> NDArray[np.float32]:
        """Return the unit rows of one dialogue's turns: float32 (n, d). Encoded once."""
        name = self.dialogue_id(dialogue)
        return self._vectors.of(name, self.dialogue_turns(name))

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
            for name in self._each(dialogue)
        ]
        if named:
            changed = {
                name for name, signal in named.items() if self.named_signals().get(name, signal) != signal
            }
            self._journal.note(keep_signals(self._settings, named))
            self._signals.update(named)
            self._timelines.forget()
            self._note_stale(
                [name for name in self._turns if self._reads(name, changed)], "signals given anew"
            )
        return pl.concat(frames) if frames else empty("signals")

    def named_signals(self) -> dict[str, Signal]:
        """Return the signals a trigger may name: the default ones and those given to `signals`."""
        return {**default_signals(self.encoder.name), **self._signals}

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
        frames = [self._cut(name, chosen) for name in self._each(dialogue)]
        return pl.concat(frames) if frames else empty("boundaries")

    def checkpoints(self, trigger: Trigger | str | None = None, dialogue: str | None = None) -> pl.DataFrame:
        """Return the checkpoints; with a trigger, place them anew.

        Without a trigger the present ones, edited by `mark`, `merge`, `split` and `edit`, are
        returned, or placed by `hl.default_trigger()` where there are none yet.
        """
        names = self.dialogues["dialogue_id"].to_list() if dialogue is None else [self.dialogue_id(dialogue)]
        missing = [name for name in names if not self._placed.of("checkpoints", name).height]
        wanted = missing if trigger is None else names
        if wanted:
            self._place(wanted, default_trigger() if trigger is None else resolve_trigger(trigger))
        frames = [self._placed.of("checkpoints", name) for name in names]
        return pl.concat(frames) if frames else empty("checkpoints")

    def trigger(self, dialogue: str | None = None) -> Trigger:
        """Return the trigger that cuts a dialogue as it is cut now: after a change by hand, its marks."""
        return self._placed.trigger(self.dialogue_id(dialogue))

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
        return self._change(dialogue, mark_checkpoint, position, kind=kind)

    def merge(self, first: str, last: str, *, dialogue: str | None = None) -> pl.DataFrame:
        """Make one checkpoint of those from `first` to `last` (ids); returns the checkpoints."""
        return self._change(dialogue, merge_checkpoints, first, last)

    def split(self, checkpoint_id: str, position: int, *, dialogue: str | None = None) -> pl.DataFrame:
        """Make two checkpoints of one, the second starting at a position; returns the checkpoints."""
        return self._change(dialogue, split_checkpoint, checkpoint_id, position)

    def edit(self, checkpoint_id: str, *, dialogue: str | None = None, **columns: Any) -> pl.DataFrame:
        """Write title, summary, keywords … of a checkpoint by hand; returns the checkpoints."""
        name = self.dialogue_id(dialogue)
        changed = edit_checkpoint(
            self.checkpoints(dialogue=name), checkpoint_id, tokenizer=self.tokenizer, **columns
        )
        self._placed.rewrite(name, changed, checkpoint_id)
        self._timelines.forget(name)
        return changed

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
        corpus = annotated(self._corpus, gold, questions, replaced)
        if self.store is not None:
            given = [each["dialogue_id"].to_list() for each in (gold, questions) if each is not None]
            names = {name for each in given for name in each} | ({replaced[0]} if replaced else set())
            keep_annotation(self._corpus, corpus, self.store, sorted(names))
        self._corpus = corpus

    def recall(self, query: str, *, at: int | None = None, dialogue: str | None = None) -> pl.DataFrame:
        """Return the candidates for a query with every score a column.

        Parameters
        ----------
        at
            Only turns before this position are seen; all when None.
        """
        view = self._view(self._timeline(self.dialogue_id(dialogue), None), query, at)
        return view.recall(query).candidates

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
        timeline = self._timeline(self.dialogue_id(dialogue), strategy)
        return timeline.context(self._view(timeline, query, at), query, budget)

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
        name = self.dialogue_id(dialogue)
        own = strategy is None
        run = run_replay(
            self.dialogue_turns(name),
            self.vectors(name),
            Hydration(self.trigger(name)) if strategy is None else resolve_strategy(strategy),
            budget=budget,
            encoder=self.encoder,
            tokenizer=self.tokenizer,
            questions=_of(self.questions, name),
            gold=_of(self.gold, name),
            title=self._title(name),
            signals=self.named_signals(),
            edited=self._placed.edited(name) if own else None,
            progress=self.dialogue_turns(name).height >= MANY_TURNS
            if self.progress is None
            else self.progress,
        )
        self._journal.keep_run(run)
        return run

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

    def _each(self, dialogue: str | None) -> Iterator[str]:
        """Yield the ids of the dialogues that are meant, all when None."""
        yield from self._shown(
            self.dialogues["dialogue_id"].to_list() if dialogue is None else [self.dialogue_id(dialogue)]
        )

    def _shown(self, names: Sequence[str]) -> Iterator[str]:
        """Yield names, with a progress bar where they are many."""
        from tqdm.auto import tqdm

        quiet = len(names) < MANY_DIALOGUES if self.progress is None else not self.progress
        yield from tqdm(names, disable=quiet, unit="dialogue", leave=False)

    def _title(self, name: str) -> str:
        return str(_of(self.dialogues, name)["title"].first() or name)

    def _cut(self, name: str, trigger: Trigger) -> pl.DataFrame:
        return find_boundaries(
            trigger,
            self.dialogue_turns(name),
            self.vectors(name),
            signals=self.named_signals(),
            encoder=self.encoder.name,
        )

    def _place(self, names: Sequence[str], trigger: Trigger) -> None:
        placements = {}
        for name in self._shown(names):
            boundaries = self._cut(name, trigger)
            checkpoints = extract_checkpoints(self.dialogue_turns(name), boundaries, tokenizer=self.tokenizer)
            placements[name] = Placement(trigger, boundaries, checkpoints)
        self._placed.place(placements)
        for name in names:
            self._timelines.forget(name)

    def _reads(self, name: str, signals: set[str]) -> bool:
        """Tell whether what is placed in a dialogue was placed by a trigger that reads one of these signals."""
        if not signals or not self._placed.of("checkpoints", name).height:
            return False
        return not signals.isdisjoint(signals_read(self._placed.trigger(name)))

    def _note_stale(self, names: Sequence[str], why: str) -> None:
        """Say that the checkpoints of dialogues were placed under other circumstances, and how to place them anew."""
        stale = [name for name in names if self._placed.of("checkpoints", name).height]
        detail = f"{why}: the checkpoints are those placed before; lab.checkpoints(lab.trigger(…), …) places them anew"
        rows = [event("checkpoints", "ok", dialogue_id=name, detail=detail) for name in stale]
        self._journal.note(build("events", rows))

    def _change(
        self, dialogue: str | None, change: Callable[..., pl.DataFrame], *arguments: Any, **named: Any
    ) -> pl.DataFrame:
        name = self.dialogue_id(dialogue)
        rows, turns = self.checkpoints(dialogue=name), self.dialogue_turns(name)
        changed = change(rows, turns, *arguments, tokenizer=self.tokenizer, **named)
        self._placed.recut(name, changed)
        self._timelines.forget(name)
        return self._placed.of("checkpoints", name)

    def _view(self, timeline: Timeline, query: str, at: int | None) -> View:
        if not isinstance(query, str):
            raise HydralabError(f"query: got {type(query).__name__}, expected a text")
        last = timeline.turns.height
        if at is not None and (isinstance(at, bool) or not isinstance(at, Integral) or not 0 <= at <= last):
            raise HydralabError(f"at is {at!r}, expected a position from 0 to {last}")
        return timeline.view(last if at is None else int(at))

    def _timeline(self, name: str, strategy: Strategy | str | None) -> Timeline:
        """Return the dialogue's tables under a strategy; without one, with the lab's own checkpoints."""
        own = strategy is None and self._placed.of("checkpoints", name).height > 0
        chosen = Hydration() if strategy is None else resolve_strategy(strategy)

        def make() -> Timeline:
            timeline = Timeline(
                self.dialogue_turns(name),
                self.vectors(name),
                chosen,
                encoder=self.encoder,
                tokenizer=self.tokenizer,
                title=self._title(name),
                signals=self.named_signals(),
            )
            if own:
                timeline.adopt(
                    {table: self._placed.of(table, name) for table in ("boundaries", "checkpoints")}
                )
            else:
                for position in range(timeline.turns.height):
                    timeline.observe(position)
            return timeline

        return self._timelines.get((name, chosen, own), make)


def _of(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    return frame.filter(pl.col("dialogue_id") == name)
