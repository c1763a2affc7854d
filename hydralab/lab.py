"""The lab: dialogues on the bench, and the questions one asks of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from numbers import Integral
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.checkpoints import (
    Span,
    edit_checkpoint,
    extract_checkpoint,
    extract_checkpoints,
    find_checkpoints,
    mark_checkpoint,
    merge_checkpoints,
    split_checkpoint,
)
from hydralab.encoders import Encoder, embed, get_encoder
from hydralab.errors import HydralabError, known_names
from hydralab.frames import Corpus, build, empty, validate
from hydralab.packing import Context
from hydralab.readers import count_turns
from hydralab.replay import Run, Timeline, run_replay
from hydralab.signals import Signal, compute_signals, default_signals
from hydralab.stores import Store, open_store
from hydralab.strategies import Hydration, Strategy, View, resolve_strategy
from hydralab.texts import Tokenizer, language
from hydralab.texts import tokenizer as get_tokenizer
from hydralab.triggers import Trigger, default_trigger, find_boundaries, resolve_trigger

__all__ = ["Lab"]

CORPUS_TABLES = ("dialogues", "turns", "questions", "gold")
PLACED_TABLES = ("boundaries", "checkpoints")


class Lab:
    """Dialogues with an encoder, a tokenizer and, when wanted, a store that keeps what was done.

    Parameters
    ----------
    data
        A corpus, or a turns table. None opens the store where it was left.
    encoder
        A name, a callable, or an encoder.
    tokenizer
        The name of the tokenizer that counts; the turns are counted again by it.
    store
        "memory", a path such as "lab.db", an URL, or a store.
    progress
        Show progress bars.

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
        encoder: str | Encoder | Callable[[list[str]], Any] = "use",
        tokenizer: str | Tokenizer = "cl100k_base",
        store: str | Store | None = None,
        progress: bool = False,
    ) -> None:
        if data is None and store is None:
            raise HydralabError("Lab: expected a corpus, a turns table, or store= to open one")
        self.encoder = get_encoder(encoder)
        self.tokenizer = get_tokenizer(tokenizer) if isinstance(tokenizer, str) else tokenizer
        if not isinstance(self.tokenizer, Tokenizer):
            raise HydralabError(f"tokenizer: got {tokenizer!r}, expected a name or a tokenizer")
        self.progress = progress
        self.store = None if store is None else open_store(store)
        self._corpus = self._counted(self._kept(_as_corpus(data)))
        self._placed = {table: self._stored(table) for table in PLACED_TABLES}
        self._triggers: dict[str, Trigger] = {}
        self._signals: dict[str, Signal] = {}
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._encoding_events: dict[str, pl.DataFrame] = {}
        self._timelines: dict[tuple[str, Strategy, bool], Timeline] = {}
        self._reach_the_ends()

    @property
    def dialogues(self) -> pl.DataFrame:
        """The dialogues table."""
        return self._corpus.dialogues

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
        """What happened while reading and encoding."""
        return pl.concat([self._corpus.events, *self._encoding_events.values()])

    def dialogue_id(self, dialogue: str | None = None) -> str:
        """Return the id of the dialogue that is meant.

        Parameters
        ----------
        dialogue
            An id or a title; may be left out where there is one dialogue only.

        Raises
        ------
        HydralabError
            Several dialogues and none named (the message lists their titles), or none of that name.
        """
        known = self.dialogues.select("dialogue_id", "title").rows()
        if dialogue is None:
            if len(known) == 1:
                return str(known[0][0])
            listed = ", ".join(repr(title or name) for name, title in known[:12]) or "none"
            raise HydralabError(f"dialogue= is needed, there are {len(known)} dialogues: {listed}")
        for name, title in known:
            if dialogue in (name, title):
                return str(name)
        nearest = known_names(dialogue, [name for pair in known for name in pair if name])[:5]
        raise HydralabError(f"no dialogue {dialogue!r}; nearest: {', '.join(map(repr, nearest)) or 'none'}")

    def dialogue_turns(self, dialogue: str | None = None) -> pl.DataFrame:
        """Return the turns of one dialogue."""
        return self.turns.filter(pl.col("dialogue_id") == self.dialogue_id(dialogue))

    def vectors(self, dialogue: str | None = None) -> NDArray[np.float32]:
        """Return the unit rows of one dialogue's turns: float32 (n, d). Encoded once."""
        name = self.dialogue_id(dialogue)
        if name not in self._vectors:
            texts = self.dialogue_turns(name)["text"].to_list()
            embedding = embed(texts, self.encoder, progress=self.progress)
            self._encoding_events[name] = embedding.events.with_columns(dialogue_id=pl.lit(name))
            self._vectors[name] = embedding.vectors
        return self._vectors[name]

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
            for name in self._names(dialogue)
        ]
        if named:
            self._signals.update(named)
            self._timelines.clear()
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
        frames = [self._cut(name, chosen) for name in self._names(dialogue)]
        return pl.concat(frames) if frames else empty("boundaries")

    def checkpoints(self, trigger: Trigger | str | None = None, dialogue: str | None = None) -> pl.DataFrame:
        """Return the checkpoints; with a trigger, place them anew.

        Without a trigger the present ones, edited by `mark`, `merge`, `split` and `edit`, are
        returned, or placed by `hl.default_trigger()` where there are none yet.
        """
        frames = []
        for name in self._names(dialogue):
            if trigger is not None or not self._present("checkpoints", name).height:
                self._place(name, default_trigger() if trigger is None else resolve_trigger(trigger))
            frames.append(self._present("checkpoints", name))
        return pl.concat(frames) if frames else empty("checkpoints")

    def find(
        self,
        *,
        kind: str | None = None,
        entity: str | None = None,
        text: str | None = None,
        since: datetime | str | None = None,
        dialogue: str | None = None,
    ) -> pl.DataFrame:
        """Return the checkpoints of a kind, with an entity, that say a text, from a time on."""
        return find_checkpoints(
            self.checkpoints(dialogue=dialogue), kind=kind, entity=entity, text=text, since=since
        )

    def mark(self, position: int, *, kind: str = "manual", dialogue: str | None = None) -> pl.DataFrame:
        """Start a new span at a turn by hand; returns the checkpoints."""
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
        self._set(name, checkpoints=changed)
        return changed

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
        budget: int = 4_000,
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
        self, strategy: Strategy | str | None = None, *, budget: int = 4_000, dialogue: str | None = None
    ) -> Run:
        """Run a dialogue turn by turn under a strategy; see `hydralab.replay.run_replay`.

        Parameters
        ----------
        strategy
            A strategy or the name of one; `Hydration` by the trigger of `checkpoints` when None. It places
            its own checkpoints as the dialogue runs; those edited by hand are used by `hydrate`.
        budget
            Tokens a prompt.
        """
        name = self.dialogue_id(dialogue)
        return run_replay(
            self.dialogue_turns(name),
            self.vectors(name),
            self._hydration(name) if strategy is None else resolve_strategy(strategy),
            budget=budget,
            encoder=self.encoder,
            tokenizer=self.tokenizer,
            questions=_of(self.questions, name),
            gold=_of(self.gold, name),
            title=self._title(name),
            signals=self.named_signals(),
            progress=self.progress,
        )

    def compare(
        self, strategies: Sequence[Strategy | str], *, budget: int = 4_000, dialogue: str | None = None
    ) -> pl.DataFrame:
        """Return the steps tables of several strategies on one dialogue, one below the other."""
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

    def _kept(self, corpus: Corpus | None) -> Corpus:
        """Put what was given into the store, and return all that the store holds."""
        if self.store is None:
            return corpus or Corpus()
        if corpus is not None:
            with self.store.transaction():
                for table in CORPUS_TABLES:
                    self.store.append(table, getattr(corpus, table))
        events = empty("events") if corpus is None else corpus.events
        return Corpus(**{table: self.store.read(table) for table in CORPUS_TABLES}, events=events)

    def _counted(self, corpus: Corpus) -> Corpus:
        """Count the turns by the lab's tokenizer, whatever they were counted by before."""
        return replace(corpus, turns=count_turns(corpus.turns, self.tokenizer))

    def _stored(self, table: str) -> pl.DataFrame:
        return empty(table) if self.store is None else self.store.read(table)

    def _names(self, dialogue: str | None) -> list[str]:
        return self.dialogues["dialogue_id"].to_list() if dialogue is None else [self.dialogue_id(dialogue)]

    def _title(self, name: str) -> str:
        return str(_of(self.dialogues, name)["title"].first() or name)

    def _present(self, table: str, name: str) -> pl.DataFrame:
        return _of(self._placed[table], name)

    def _cut(self, name: str, trigger: Trigger) -> pl.DataFrame:
        return find_boundaries(
            trigger,
            self.dialogue_turns(name),
            self.vectors(name),
            signals=self.named_signals(),
            encoder=self.encoder.name,
        )

    def _place(self, name: str, trigger: Trigger) -> None:
        turns = self.dialogue_turns(name)
        boundaries = self._cut(name, trigger)
        checkpoints = extract_checkpoints(turns, boundaries, tokenizer=self.tokenizer)
        self._triggers[name] = trigger
        self._set(name, boundaries=boundaries, checkpoints=checkpoints)

    def _set(self, name: str, **placed: pl.DataFrame) -> None:
        for table, frame in placed.items():
            if self.store is not None:
                self.store.replace(table, frame, dialogue_id=name)
            others = self._placed[table].filter(pl.col("dialogue_id") != name)
            self._placed[table] = pl.concat([others, frame], how="vertical_relaxed")
        self._timelines = {key: kept for key, kept in self._timelines.items() if key[0] != name}

    def _reach_the_ends(self) -> None:
        """Make the last span reach the last turn, where turns were added since it was stored."""
        ends = self.turns.group_by("dialogue_id").agg(pl.col("position").max().alias("last_turn"))
        spans = self._placed["checkpoints"].sort("end").group_by("dialogue_id", maintain_order=True).last()
        grown = spans.join(ends, on="dialogue_id").filter(pl.col("end") < pl.col("last_turn"))
        for row in grown.iter_rows(named=True):
            name = row["dialogue_id"]
            span = Span(row["start"], row["last_turn"], row["trigger"], row["score"], None)
            opened = extract_checkpoint(self.dialogue_turns(name), span, tokenizer=self.tokenizer)
            before = self._present("checkpoints", name).filter(pl.col("start") < row["start"])
            self._set(name, checkpoints=pl.concat([before, opened]))

    def _change(
        self, dialogue: str | None, change: Callable[..., pl.DataFrame], *arguments: Any, **named: Any
    ) -> pl.DataFrame:
        name = self.dialogue_id(dialogue)
        rows, turns = self.checkpoints(dialogue=name), self.dialogue_turns(name)
        changed = change(rows, turns, *arguments, tokenizer=self.tokenizer, **named)
        self._set(name, checkpoints=changed, boundaries=_as_cut(changed, self._present("boundaries", name)))
        return changed

    def _view(self, timeline: Timeline, query: str, at: int | None) -> View:
        if not isinstance(query, str):
            raise HydralabError(f"query: got {type(query).__name__}, expected a text")
        last = timeline.turns.height
        if at is not None and (isinstance(at, bool) or not isinstance(at, Integral) or not 0 <= at <= last):
            raise HydralabError(f"at is {at!r}, expected a position from 0 to {last}")
        return timeline.view(last if at is None else int(at))

    def _hydration(self, name: str) -> Hydration:
        return Hydration(self._triggers.get(name))

    def _timeline(self, name: str, strategy: Strategy | str | None) -> Timeline:
        """Return the dialogue's tables under a strategy; without one, with the lab's own checkpoints."""
        chosen = self._hydration(name) if strategy is None else resolve_strategy(strategy)
        own = strategy is None and self._present("checkpoints", name).height > 0
        key = (name, chosen, own)
        if key not in self._timelines:
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
                timeline.adopt({table: self._present(table, name) for table in PLACED_TABLES})
            else:
                for position in range(timeline.turns.height):
                    timeline.observe(position)
            self._timelines[key] = timeline
        return self._timelines[key]


def _as_cut(checkpoints: pl.DataFrame, boundaries: pl.DataFrame) -> pl.DataFrame:
    """Return the boundaries between checkpoints; those that were not there before are manual ones."""
    starts = checkpoints.filter(pl.col("start") > 0).select("dialogue_id", position="start")
    manual = starts.join(boundaries, on=["dialogue_id", "position"], how="anti").select(
        "dialogue_id",
        "position",
        trigger=pl.lit("manual"),
        score=pl.lit(1.0),
        decided_at=pl.col("position"),
    )
    kept = boundaries.join(starts, on=["dialogue_id", "position"], how="semi")
    return pl.concat([kept, manual]).sort("dialogue_id", "position")


def _of(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    return frame.filter(pl.col("dialogue_id") == name)


def _as_corpus(data: Corpus | pl.DataFrame | None) -> Corpus | None:
    if data is None or isinstance(data, Corpus):
        return data
    turns = validate("turns", data)
    listed = turns.group_by("dialogue_id", maintain_order=True).agg(pl.col("text").head(20).str.join("\n"))
    spoken = [language(text) for text in listed["text"]]
    dialogues = listed.select("dialogue_id").with_columns(pl.Series("language", spoken, dtype=pl.String))
    return Corpus(dialogues=build("dialogues", dialogues), turns=turns)
