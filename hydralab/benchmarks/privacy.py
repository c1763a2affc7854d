"""How often what `hydralab.privacy` finds is right, and how much it misses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from hydralab.benchmarks.labelled import scored_parts
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.privacy import KINDS, PrivateSpan, find_private
from hydralab.readers import example

__all__ = ["measure_privacy", "score_privacy"]

BUNDLED = "privacy"
LABELLED = ("text", "language", "spans", "part")


def measure_privacy(sets: Mapping[str, Path] | None = None) -> pl.DataFrame:
    """Return precision and recall of each kind on labelled texts.

    Parameters
    ----------
    sets
        Name → file of JSON lines with text, language, spans (start, end and type of each) and part; the
        bundled texts when None.

    Returns
    -------
    pl.DataFrame
        The columns of `score_privacy` behind set, language and part. Rules were made by the part "dev";
        of "test" only the figures were looked at.

    Raises
    ------
    HydralabError
        A file that can't be read or is no such file.
    """
    paths = {BUNDLED: example(BUNDLED)} if sets is None else sets
    return scored_parts(paths, LABELLED, score_privacy)


def score_privacy(texts: pl.DataFrame) -> pl.DataFrame:
    """Return precision and recall of each kind on labelled texts; a span is right when it is exactly a labelled one.

    Parameters
    ----------
    texts
        A row a text: text, spans (List of start, end and type).

    Returns
    -------
    pl.DataFrame
        kind, labelled, found, right, leaked (labelled ones of which a character is in no span found),
        precision, recall. The kind "all" pools them. Precision is null where nothing was found, recall where
        nothing is labelled.

    >>> span = {"start": 4, "end": 19, "type": "email"}
    >>> scored = score_privacy(pl.DataFrame([{"text": "Ask ann@example.org", "spans": [span]}]))
    >>> scored.filter(pl.col("kind") == "email")["recall"].item()
    1.0
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("labelled", "found", "right", "leaked")}
    for text, spans in texts.select("text", "spans").rows():
        labelled = {PrivateSpan(span["start"], span["end"], span["type"]) for span in spans or ()}
        found = set(find_private(text))
        covered = {place for start, end, _ in found for place in range(start, end)}
        leaked = [span for span in labelled if not covered.issuperset(range(span.start, span.end))]
        for name, each in zip(counts, (labelled, found, labelled & found, leaked), strict=True):
            counts[name].update(kind for _, _, kind in each)
    rows = [(kind, *(counts[name][kind] for name in counts)) for kind in KINDS]
    table = pl.DataFrame(rows, schema={"kind": pl.String, **dict.fromkeys(counts, pl.Int64)}, orient="row")
    pooled = table.select(pl.lit("all").alias("kind"), pl.sum(*counts))
    return pl.concat([table, pooled]).with_columns(
        precision=pl.when(pl.col("found") > 0).then(pl.col("right") / pl.col("found")),
        recall=pl.when(pl.col("labelled") > 0).then(pl.col("right") / pl.col("labelled")),
    )


BENCHES.add(
    "privacy",
    Bench(measure_privacy, lambda: {"kinds": KINDS}, "precision and recall of what redaction finds"),
)
