"""What the second stage of recall costs a prompt: when its model has read nothing yet, along a dialogue, and later."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any

import polars as pl

from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.encoders import Encoder, embed, get_encoder
from hydralab.readers import example, read_all
from hydralab.recall import Recall, Recaller
from hydralab.texts import key_texts

__all__ = ["measure_reranking"]

BUNDLED = ("long_zh", "long_en")
MODELS = ("e5", "minilm")
COLD = 8
"""Prompts that are made with a model that has read nothing."""


@dataclass(frozen=True, eq=False)
class Forgetful:
    """An encoder whose vectors are remembered as long as this object lives, and not kept on disk."""

    encoder: Encoder

    @property
    def name(self) -> str:
        """The encoder's."""
        return self.encoder.name

    @property
    def dim(self) -> int:
        """The encoder's."""
        return self.encoder.dim

    def encode(self, texts: Sequence[str]) -> Any:
        """Return the encoder's rows."""
        return self.encoder.encode(texts)

    def encode_queries(self, texts: Sequence[str]) -> Any:
        """Return the encoder's rows of queries."""
        return getattr(self.encoder, "encode_queries", self.encoder.encode)(texts)


def measure_reranking(
    sets: Mapping[str, Path] | None = None, *, methods: Sequence[str] = MODELS, limit: int | None = None
) -> pl.DataFrame:
    """Measure recall of the gold questions with a second stage and without.

    Parameters
    ----------
    sets
        Name → file or folder with dialogues and questions; the two long bundled dialogues when None.
    methods
        Names of encoders for the second stage.
    limit
        So many questions of each dialogue.

    Returns
    -------
    DataFrame
        set, model, turns, questions, and milliseconds a prompt in the mean: without (no second stage), cold (the
        model has read nothing; loading it is not counted), growing (what it read for the questions before is
        known) and warm (all is known, but not the query). The first stage has read everything before.
    """
    paths = {name: example(name) for name in BUNDLED} if sets is None else sets
    return pl.DataFrame(
        [
            {"set": name, "model": model, **row}
            for name, path in paths.items()
            for model in methods
            for row in _dialogues(path, get_encoder(model), limit)
        ]
    )


def _dialogues(path: Path, second: Encoder, limit: int | None) -> Iterator[dict[str, float]]:
    corpus = read_all(path)
    second.encode(["loaded"])
    for dialogue_id in corpus.dialogues["dialogue_id"]:
        turns = corpus.turns.filter(pl.col("dialogue_id") == dialogue_id)
        asked = corpus.questions.filter(pl.col("dialogue_id") == dialogue_id)["text"].to_list()[:limit]
        if not asked:
            continue
        # A question told a little differently: its vector is new to the second model, those of the turns are not.
        again = [f"{query} " for query in asked]
        embed([*asked, *again], kind="query")
        plain = Recaller(turns, embed(key_texts(turns)).vectors)
        known = _anew(plain, second)
        yield {
            "turns": turns.height,
            "questions": len(asked),
            "without": _milliseconds(plain.find, asked),
            "cold": round(
                mean(_milliseconds(_anew(plain, second).find, [query]) for query in asked[:COLD]), 2
            ),
            "growing": _milliseconds(known.find, asked),
            "warm": _milliseconds(known.find, again),
        }


def _anew(recaller: Recaller, second: Encoder) -> Recaller:
    """Return the recaller with a second stage that has read nothing."""
    return recaller.reconfigured(Recall(rerank=Forgetful(second)))


def _milliseconds(ask: Callable[[str], object], queries: Sequence[str]) -> float:
    """Return the mean time of asking."""

    def timed(query: str) -> float:
        started = perf_counter()
        ask(query)
        return (perf_counter() - started) * 1e3

    return round(mean(map(timed, queries)), 2)


BENCHES.add(
    "reranking",
    Bench(
        measure_reranking,
        lambda: {"recall": Recall(rerank="e5")},
        "what the second stage of recall costs a prompt, cold and warm",
    ),
)
