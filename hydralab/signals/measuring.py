"""How often the intent rules are right."""

from __future__ import annotations

import polars as pl

from hydralab.errors import HydralabError
from hydralab.texts.cues import INTENTS, find_intent

__all__ = ["measure_intents"]


def measure_intents(sentences: pl.DataFrame) -> pl.DataFrame:
    """Return precision and recall of each intent on labelled sentences.

    Parameters
    ----------
    sentences
        A row a sentence: text, role, intents (List(String), empty where it has none). The bundled
        ones are read with ``pl.read_ndjson(hl.example("intents_zh"))``; take one split and language.

    Returns
    -------
    pl.DataFrame
        intent, sentences (labelled with it), found, right, precision, recall, f1; the last row, "all",
        pools the intents. Precision is null where nothing was found, recall where nothing is labelled.

    >>> measure_intents(pl.DataFrame({"text": ["定了"], "role": ["user"], "intents": [["decision"]]})).columns
    ['intent', 'sentences', 'found', 'right', 'precision', 'recall', 'f1']
    """
    for name in ("text", "role", "intents"):
        if name not in sentences.columns:
            raise HydralabError(f"sentences: column {name!r} is missing; expected text, role and intents")
    labels = sentences["intents"].cast(pl.List(pl.String))
    rows = []
    for name in INTENTS:
        shown = find_intent(name, sentences["text"], sentences["role"])
        meant = labels.list.contains(name)
        rows.append((name, int(meant.sum()), int(shown.sum()), int((shown & meant).sum())))
    counts = pl.DataFrame(
        rows,
        schema={"intent": pl.String, "sentences": pl.Int64, "found": pl.Int64, "right": pl.Int64},
        orient="row",
    )
    pooled = counts.select(pl.lit("all").alias("intent"), pl.sum("sentences", "found", "right"))
    right, found, labelled = pl.col("right"), pl.col("found"), pl.col("sentences")
    return pl.concat([counts, pooled]).with_columns(
        precision=pl.when(found > 0).then(right / found),
        recall=pl.when(labelled > 0).then(right / labelled),
        f1=pl.when(found + labelled > 0).then(2 * right / (found + labelled)),
    )
