"""Boundaries of many triggers against the gold of one dialogue; the floors and what was scored before are kept."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import polars as pl

from hydralab.frames import empty
from hydralab.metrics import score_boundaries
from hydralab.widgets.annotating import without_decisions

__all__ = ["Scored", "annotators_of"]

MEASURES = {"pk": "Pk", "window_diff": "WindowDiff", "f1": "F1", "score": "Score", "ratio": "ratio"}
KEPT = 2_000
"""Sets of boundaries whose scores are kept."""

Scores = Mapping[str, float | None]


class Scored:
    """Gold of one dialogue, and how triggers do against it.

    Parameters
    ----------
    turns
        Turns of the dialogue.
    gold
        Gold, in any order; rows of other dialogues don't count, nor does the first turn, where a span starts anyway.
    annotator
        Whose gold counts. "" for all: of boundaries where anybody marked them, else of decisions.

    Attributes
    ----------
    gold
        The rows that count.
    annotators
        Who marked something in the dialogue.

    >>> import hydralab as hl
    >>> corpus = hl.read_all(hl.example("launch_zh"))
    >>> [row["name"] for row in Scored(corpus.turns, corpus.gold).floors][:2]
    ['no boundary', 'every turn']
    """

    def __init__(self, turns: pl.DataFrame, gold: pl.DataFrame, annotator: str = "") -> None:
        own = gold.filter(pl.col("dialogue_id").is_in(turns["dialogue_id"].unique().implode()))
        self.turns = turns
        self.annotators = annotators_of(own)
        self.annotator = annotator if annotator in self.annotators else ""
        self.gold = _chosen(own.filter(pl.col("position") > 0), self.annotator).sort("position")
        self._known: dict[tuple[int, ...], Scores] = {}

    def __bool__(self) -> bool:
        """Whether there is gold to score against."""
        return self.gold.height > 0

    def of(self, boundaries: pl.DataFrame) -> Scores:
        """Return the measures of some boundaries, mean over annotators; there has to be gold."""
        key = tuple(boundaries["position"].to_list())
        if key not in self._known:
            while len(self._known) >= KEPT:
                self._known.pop(next(iter(self._known)))
            self._known[key] = self._measured(boundaries, seeds=1)[0]["scores"]
        return self._known[key]

    @cached_property
    def floors(self) -> list[dict[str, Any]]:
        """Names and measures of the floors."""
        return self._measured(empty("boundaries"), seeds=20)[1:] if self else []

    def _measured(self, boundaries: pl.DataFrame, *, seeds: int) -> list[dict[str, Any]]:
        means = score_boundaries(boundaries, self.gold, self.turns, annotator="each", seeds=seeds).means
        interval = max(1, round(self.turns.height / (self.gold["position"].n_unique() + 1)))
        names = {"none": "no boundary", "every": "every turn", "every_n": f"every {interval} turns"}
        return [
            {
                "name": names.get(row["method"], row["method"]),
                "scores": {shown: row[name] for name, shown in MEASURES.items()},
            }
            for row in means.to_dicts()
        ]


def annotators_of(gold: pl.DataFrame) -> list[str]:
    """Return the names of annotators, "" for one without a name."""
    return gold["annotator"].fill_null("").unique(maintain_order=True).to_list()


def _chosen(gold: pl.DataFrame, annotator: str) -> pl.DataFrame:
    """Return the gold of an annotator; of all, decisions only where nothing else is marked."""
    if annotator:
        return gold.filter(pl.col("annotator") == annotator)
    boundaries = without_decisions(gold)
    return boundaries if boundaries.height else gold
