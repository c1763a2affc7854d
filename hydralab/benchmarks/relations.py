"""How often the patterns of relations are right."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from hydralab.benchmarks.labelled import read_labelled
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.graph import RELATION_LABELS, measure_relations
from hydralab.readers import example, read

__all__ = ["bundled_texts", "measure_bundled_relations"]

DIALOGUES = ("launch_zh", "launch_en", "long_zh", "long_en")
SENTENCES = ("entities_zh", "entities_en", "sentiment")
JUDGED = "relations"


def measure_bundled_relations(sets: Mapping[str, Path] | None = None) -> pl.DataFrame:
    """Return how many of the relations found in the bundled dialogues and labelled sentences are right.

    Parameters
    ----------
    sets
        Name → file of judged relations, JSON lines as `hydralab.graph.measure_relations` takes them; the
        bundled one when None.

    Returns
    -------
    pl.DataFrame
        The columns of `hydralab.graph.measure_relations` behind set.
    """
    paths = {JUDGED: example(JUDGED)} if sets is None else sets
    texts = bundled_texts()
    columns = ("sentence", "source", "type", "target", "right")
    return pl.concat(
        measure_relations(texts, read_labelled(name, Path(path), columns)).select(
            pl.lit(name).alias("set"), pl.all()
        )
        for name, path in paths.items()
    )


def bundled_texts() -> pl.Series:
    """Return the texts of the bundled dialogues and labelled sentences."""
    said = [read(example(name))["text"] for name in DIALOGUES]
    return pl.concat([*said, *(pl.read_ndjson(example(name))["text"] for name in SENTENCES)])


BENCHES.add(
    "relations",
    Bench(
        measure_bundled_relations,
        lambda: {"types": tuple(RELATION_LABELS)},
        "precision of the relations between entities",
    ),
)
