"""What a lab works on: dialogues, encoder, tokenizer, vectors, named signals, and where they are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.encoders import Encoder
from hydralab.encoders.saved_encoder import kept_encoder, kept_tokenizer
from hydralab.encoders.turn_vectors import TurnVectors
from hydralab.frames import Corpus, empty
from hydralab.lab.corpora import annotated, find_dialogue, keep_annotation, keep_corpus, overview
from hydralab.lab.indexes import Indexes
from hydralab.lab.journal import Journal
from hydralab.readers import count_turns
from hydralab.recall.documents import Documents
from hydralab.signals import Signal, default_signals
from hydralab.signals.saved_signals import keep_signals, kept_signals
from hydralab.stores import MemoryStore, Store
from hydralab.stores.settings import LAB, Settings
from hydralab.texts import Tokenizer

__all__ = ["LabResources"]


class LabResources:
    """The dialogues of a lab and everything that is known of them before anything is asked.

    Parameters
    ----------
    data
        What was given; None for what the store holds.
    encoder, tokenizer
        What was given; None for those the store was left with, or the default ones.
    store
        Where everything is kept; None to keep nothing.
    index
        As in `hydralab.lab.indexes.Indexes`.
    progress
        Show progress bars; None: where there is much to do.
    redact
        Kinds of what is private that is taken out of documents.

    Attributes
    ----------
    holder
        The store, or one in memory for what a lab must remember without one.
    left_with_another_encoder
        Whether the store was left with another encoder than the one in use now.
    """

    def __init__(
        self,
        data: Corpus | None,
        *,
        encoder: str | Encoder | Callable[[list[str]], Any] | None,
        tokenizer: str | Tokenizer | None,
        store: Store | None,
        index: str | None,
        progress: bool | None,
        redact: Sequence[str] = (),
    ) -> None:
        self.store = store
        self.holder = MemoryStore() if store is None else store
        self.settings = Settings(self.holder)
        self.encoder, encoder_text = kept_encoder(self.settings, encoder)
        self.tokenizer, tokenizer_text = kept_tokenizer(self.settings, tokenizer)
        corpus = keep_corpus(data, store)
        self.corpus = replace(corpus, turns=count_turns(corpus.turns, self.tokenizer))
        parts = self.corpus.turns.partition_by("dialogue_id", as_dict=True) if corpus.turns.height else {}
        self._turns = {str(name): rows for (name,), rows in parts.items()}
        self.overview = overview(self.corpus)
        self.journal = Journal(store)
        self._signals, unread = kept_signals(self.settings)
        self.journal.note(unread)
        self._vectors = TurnVectors(self.encoder, store, progress=progress)
        self.indexes = Indexes(index, store, getattr(self.encoder, "cache_key", None))
        self.documents = Documents(self.tokenizer, self._vectors, store, redact=redact)
        self.left_with_another_encoder = self.settings.get("encoder") not in (None, encoder_text)
        self.settings.write({(LAB, "encoder"): encoder_text, (LAB, "tokenizer"): tokenizer_text})

    @property
    def names(self) -> list[str]:
        """The ids of all dialogues."""
        return self.corpus.dialogues["dialogue_id"].to_list()

    @property
    def events(self) -> pl.DataFrame:
        """What was retried, salvaged or failed: while reading, encoding and replaying."""
        return pl.concat([self.corpus.events, self._vectors.events, self.indexes.events, self.journal.events])

    def name(self, dialogue: str | None) -> str:
        """Return the id of the dialogue that is meant by an id, a title, or by nothing."""
        return find_dialogue(self.corpus.dialogues, dialogue)

    def title(self, name: str) -> str:
        """Return the title of a dialogue, its id where it has none."""
        return str(self._own(self.corpus.dialogues, name)["title"].first() or name)

    def turns(self, name: str) -> pl.DataFrame:
        """Return the turns of a dialogue."""
        return self._turns.get(name, empty("turns"))

    def vectors(self, name: str) -> NDArray[np.float32]:
        """Return the unit rows of a dialogue's turns: float32 (n, d)."""
        return self._vectors.of(name, self.turns(name))

    def questions(self, name: str) -> pl.DataFrame:
        """Return the gold questions of a dialogue."""
        return self._own(self.corpus.questions, name)

    def gold(self, name: str) -> pl.DataFrame:
        """Return the gold boundaries of a dialogue."""
        return self._own(self.corpus.gold, name)

    def signals(self) -> dict[str, Signal]:
        """Return the default signals and the named ones."""
        return {**default_signals(self.encoder.name), **self._signals}

    def name_signals(self, named: Mapping[str, Signal]) -> set[str]:
        """Remember named signals, and return the names that stood for other signals before."""
        known = self.signals()
        changed = {name for name, signal in named.items() if known.get(name, signal) != signal}
        self.journal.note(keep_signals(self.settings, named))
        self._signals.update(named)
        return changed

    def annotate(
        self,
        gold: pl.DataFrame | None,
        questions: pl.DataFrame | None,
        replaced: tuple[str, str | None] | None,
    ) -> None:
        """Take in gold and questions; `replaced` is the dialogue and annotator whose gold is given whole."""
        corpus = annotated(self.corpus, gold, questions, replaced)
        if self.store is not None:
            given = [each["dialogue_id"].to_list() for each in (gold, questions) if each is not None]
            names = {name for each in given for name in each} | ({replaced[0]} if replaced else set())
            keep_annotation(self.corpus, corpus, self.store, sorted(names))
        self.corpus = corpus

    @staticmethod
    def _own(frame: pl.DataFrame, name: str) -> pl.DataFrame:
        return frame.filter(pl.col("dialogue_id") == name)
