"""How often the rules for intents and for sentiment are right."""

from __future__ import annotations

import polars as pl

from hydralab.errors import HydralabError
from hydralab.texts.cues import INTENTS, find_intent
from hydralab.texts.sentiment import SENTIMENTS, polarity, sentiment_label

__all__ = ["measure_intents", "measure_sentiment"]


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
    _check_columns(sentences, ("text", "role", "intents"))
    labels = sentences["intents"].cast(pl.List(pl.String))
    rows = []
    for name in INTENTS:
        predicted = find_intent(name, sentences["text"], sentences["role"])
        labelled = labels.list.contains(name)
        rows.append((name, int(labelled.sum()), int(predicted.sum()), int((predicted & labelled).sum())))
    counts = _counts("intent", rows)
    pooled = counts.select(pl.lit("all").alias("intent"), pl.sum("sentences", "found", "right"))
    return pl.concat([counts, pooled]).with_columns(**_SHARES)


def measure_sentiment(sentences: pl.DataFrame) -> pl.DataFrame:
    """Return precision, recall and F1 of negative, neutral and positive on labelled sentences.

    Parameters
    ----------
    sentences
        A row a sentence: text, label (one of `hydralab.texts.sentiment.SENTIMENTS`). The bundled ones are
        read with ``pl.read_ndjson(hl.example("sentiment"))``; take one part and language.

    Returns
    -------
    pl.DataFrame
        sentiment, sentences (labelled with it), found, right, precision, recall, f1; the last row, "macro",
        has the sums, and the plain means of the others over the three.

    >>> measure_sentiment(pl.DataFrame({"text": ["开心", "嗯"], "label": ["positive", "neutral"]}))["right"].to_list()
    [0, 1, 1, 2]
    """
    _check_columns(sentences, ("text", "label"))
    labels = sentences["label"]
    predicted = pl.Series([sentiment_label(polarity(text)) for text in sentences["text"]], dtype=pl.String)
    rows = [
        (
            name,
            int((labels == name).sum()),
            int((predicted == name).sum()),
            int(((labels == name) & (predicted == name)).sum()),
        )
        for name in SENTIMENTS
    ]
    counts = _counts("sentiment", rows).with_columns(**_SHARES)
    macro = counts.select(
        pl.lit("macro").alias("sentiment"),
        pl.sum("sentences", "found", "right"),
        pl.col("precision", "recall", "f1").mean(),
    )
    return pl.concat([counts, macro])


_RIGHT, _FOUND, _LABELLED = pl.col("right"), pl.col("found"), pl.col("sentences")
_SHARES = {
    "precision": pl.when(_FOUND > 0).then(_RIGHT / _FOUND),
    "recall": pl.when(_LABELLED > 0).then(_RIGHT / _LABELLED),
    "f1": pl.when(_FOUND + _LABELLED > 0).then(2 * _RIGHT / (_FOUND + _LABELLED)),
}


def _counts(name: str, rows: list[tuple[str, int, int, int]]) -> pl.DataFrame:
    counted = dict.fromkeys(("sentences", "found", "right"), pl.Int64)
    return pl.DataFrame(rows, schema={name: pl.String, **counted}, orient="row")


def _check_columns(sentences: pl.DataFrame, names: tuple[str, ...]) -> None:
    for name in names:
        if name not in sentences.columns:
            expected = f"{', '.join(names[:-1])} and {names[-1]}"
            raise HydralabError(f"sentences: column {name!r} is missing; expected {expected}")
