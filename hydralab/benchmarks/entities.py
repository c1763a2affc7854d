"""How often the typed entities of `hydralab.texts` are right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from hydralab.benchmarks.labelled import read_labelled
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.readers import example
from hydralab.texts import ENTITY_TYPES, entities, normalise

__all__ = ["measure_entities", "score_entities"]

BUNDLED = {"zh": "entities_zh", "en": "entities_en"}
LABELLED = ("text", "entities", "split")


def measure_entities(sets: Mapping[str, Path] | None = None) -> pl.DataFrame:
    """Return precision and recall of each type of entity on labelled sentences.

    Parameters
    ----------
    sets
        Name → file of JSON lines with text, entities (type and text of each) and split; the bundled
        sentences, Chinese and English, when None.

    Returns
    -------
    pl.DataFrame
        The columns of `score_entities` behind set and split, a row a set, split and type; the type
        "all" pools them.

    Raises
    ------
    HydralabError
        A file that can't be read or is no such file.
    """
    paths = {name: example(file) for name, file in BUNDLED.items()} if sets is None else sets
    frames = [
        score_entities(sentences).select(pl.lit(name).alias("set"), pl.lit(split).alias("split"), pl.all())
        for name, path in paths.items()
        for split, sentences in _splits(name, Path(path))
    ]
    return pl.concat(frames)


def score_entities(sentences: pl.DataFrame) -> pl.DataFrame:
    """Return precision and recall of each type on labelled sentences.

    An entity is right when a labelled one of its sentence has the same type and, apart from width and
    letter case, the same text. The same name twice counts twice.

    Parameters
    ----------
    sentences
        A row a sentence: text, entities (List of type and text).

    Returns
    -------
    pl.DataFrame
        type, labelled, found, right, precision, recall, f1. Precision is null where nothing was found,
        recall where nothing is labelled.

    >>> labelled = [{"text": "Ask ann@example.org", "entities": [{"type": "email", "text": "ann@example.org"}]}]
    >>> score_entities(pl.DataFrame(labelled)).filter(pl.col("type") == "email")["recall"].item()
    1.0
    """
    labelled: Counter[str] = Counter()
    found: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for text, gold in sentences.select("text", "entities").rows():
        expected, given = _counted(gold or ()), _counted(entities(text))
        for counter, held in ((labelled, expected), (found, given), (right, expected & given)):
            counter.update(kind for kind, _ in held.elements())
    counts = pl.DataFrame(
        [(kind, labelled[kind], found[kind], right[kind]) for kind in ENTITY_TYPES],
        schema={"type": pl.String, "labelled": pl.Int64, "found": pl.Int64, "right": pl.Int64},
        orient="row",
    )
    pooled = counts.select(pl.lit("all").alias("type"), pl.sum("labelled", "found", "right"))
    agreed, there, wanted = pl.col("right"), pl.col("found"), pl.col("labelled")
    return pl.concat([counts, pooled]).with_columns(
        precision=pl.when(there > 0).then(agreed / there),
        recall=pl.when(wanted > 0).then(agreed / wanted),
        f1=pl.when(there + wanted > 0).then(2 * agreed / (there + wanted)),
    )


def _counted(listed: Iterable[Mapping[str, str]]) -> Counter[tuple[str, str]]:
    return Counter((entity["type"], normalise(entity["text"])) for entity in listed)


def _splits(name: str, path: Path) -> Sequence[tuple[Any, pl.DataFrame]]:
    sentences = read_labelled(name, path, LABELLED)
    return [(key[0], part) for key, part in sentences.partition_by("split", as_dict=True).items()]


BENCHES.add(
    "entities",
    Bench(measure_entities, lambda: {"types": ENTITY_TYPES}, "precision and recall of typed entities"),
)
