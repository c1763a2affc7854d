"""How often the sentiment of `hydralab.texts.sentiment` is right."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from hydralab.benchmarks.labelled import scored_parts
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.readers import example
from hydralab.signals import measure_sentiment
from hydralab.texts.sentiment import NEUTRAL

__all__ = ["measure_sentiment_sets"]

BUNDLED = "sentiment"
LABELLED = ("text", "language", "label", "part")


def measure_sentiment_sets(sets: Mapping[str, Path] | None = None) -> pl.DataFrame:
    """Return precision, recall and F1 of each sentiment on labelled sentences.

    Parameters
    ----------
    sets
        Name → file of JSON lines with text, language, label and part; the bundled sentences when None.

    Returns
    -------
    pl.DataFrame
        The columns of `hydralab.signals.measure_sentiment` behind set, language and part. Words and
        phrases were chosen by the part "dev"; of "test" only the figures were looked at.

    Raises
    ------
    HydralabError
        A file that can't be read or is no such file.
    """
    paths = {BUNDLED: example(BUNDLED)} if sets is None else sets
    return scored_parts(paths, LABELLED, measure_sentiment)


BENCHES.add(
    "sentiment",
    Bench(
        measure_sentiment_sets,
        lambda: {"neutral up to": NEUTRAL},
        "precision, recall and macro-F1 of sentiment",
    ),
)
