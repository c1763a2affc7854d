"""How often the patterns of relations are right."""

from __future__ import annotations

import polars as pl

from hydralab.errors import HydralabError
from hydralab.graph.extracting import read_facts

__all__ = ["measure_relations"]

JUDGED = ("sentence", "source", "type", "target", "right")


def measure_relations(texts: pl.Series, judged: pl.DataFrame) -> pl.DataFrame:
    """Return how many of the relations found in some texts a person judged right.

    Parameters
    ----------
    texts
        Texts of turns or sentences.
    judged
        A row a relation: sentence, source, type, target, right (Boolean). A relation that is found and was
        not judged counts as wrong, so that a new pattern has to be looked at.

    Returns
    -------
    pl.DataFrame
        type, found, right, unjudged, precision; the last row, "all", pools the types.

    >>> judged = pl.DataFrame({"sentence": ["Lena works at Brava."], "source": ["Lena"], "type": ["works_at"],
    ...                        "target": ["Brava"], "right": [True]})
    >>> measure_relations(pl.Series(["Lena works at Brava."]), judged)["precision"].to_list()
    [1.0, 1.0]
    """
    for name in JUDGED:
        if name not in judged.columns:
            raise HydralabError(f"judged: column {name!r} is missing; expected {', '.join(JUDGED)}")
    said = [each for text in texts for each in read_facts(text).stated]
    found = pl.DataFrame(
        [(each.sentence, each.source.text, each.type, each.target.text) for each in said],
        schema=dict.fromkeys(JUDGED[:-1], pl.String),
        orient="row",
    ).unique(maintain_order=True)
    known = judged.select(JUDGED).unique(JUDGED[:-1], maintain_order=True)
    rows = found.join(known, on=list(JUDGED[:-1]), how="left", maintain_order="left")
    counts = [
        pl.len().alias("found"),
        pl.col("right").fill_null(False).sum().alias("right"),
        pl.col("right").is_null().sum().alias("unjudged"),
    ]
    by_type = rows.group_by("type").agg(counts).sort("type")
    pooled = rows.select(pl.lit("all").alias("type"), *counts)
    return pl.concat([by_type, pooled]).with_columns(
        pl.when(pl.col("found") > 0).then(pl.col("right") / pl.col("found")).alias("precision")
    )
