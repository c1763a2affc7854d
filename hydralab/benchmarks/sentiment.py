"""How often the sentiment of `hydralab.texts.sentiment` is right."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from hydralab.benchmarks.labelled import read_labelled
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
    frames = []
    for name, path in paths.items():
        sentences = read_labelled(name, Path(path), LABELLED)
        for (language, part), rows in sentences.group_by("language", "part", maintain_order=True):
            about = {"set": name, "language": language, "part": part}
            named = [pl.lit(value).alias(column) for column, value in about.items()]
            frames.append(measure_sentiment(rows).select(*named, pl.all()))
    return pl.concat(frames).sort("set", "language", "part", maintain_order=True)


BENCHES.add(
    "sentiment",
    Bench(
        measure_sentiment_sets,
        lambda: {"neutral up to": NEUTRAL},
        "precision, recall and macro-F1 of sentiment",
    ),
)
