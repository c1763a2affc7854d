"""The second stage: a stronger model scores the best candidates of the first, and only those.

Source: Nogueira and Cho, "Passage Re-ranking with BERT", 2019; with an encoder in the place of a cross-encoder its
vectors of turns are kept, so that a turn is read by it once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, cast

import numpy as np
import polars as pl

from hydralab.core.blend import min_max
from hydralab.encoders import CrossEncoder, Encoder, PairFunction, PairScorer, embed, get_encoder, score_pairs
from hydralab.errors import HydralabError
from hydralab.frames import empty
from hydralab.recall.blending import Blend
from hydralab.recall.candidate_blocks import Block, Rows
from hydralab.recall.scoring import Columns, Floats

__all__ = ["CROSS", "Rerank", "Reranker", "get_reranker", "rerank", "second_scores"]

CROSS = "cross:"
"""What a spec begins with that names a cross-encoder."""

Reranker = str | Encoder | PairScorer | Callable[[list[tuple[str, str]]], Any]
"""What `get_reranker` takes."""

Rerank = Callable[[list[str]], Floats]
"""Texts → how well each fits the query at hand, NaN for unknown."""


def get_reranker(spec: Reranker) -> Encoder | PairScorer:
    """Return the model that `spec` stands for.

    Parameters
    ----------
    spec
        "cross:" and a Hugging Face id or a folder for a cross-encoder; any other name, id or folder, or an
        encoder, as `hydralab.encoders.get_encoder` takes it; an object with `name` and `score`, or a function, from
        (query, text) pairs to a number each.

    >>> get_reranker("use").name, get_reranker(lambda pairs: [1.0] * len(pairs)).name
    ('use', '<lambda>')
    """
    if isinstance(spec, str):
        return CrossEncoder(spec.removeprefix(CROSS)) if spec.startswith(CROSS) else get_encoder(spec)
    if hasattr(spec, "score"):
        return cast(PairScorer, spec)
    if hasattr(spec, "encode"):
        return get_encoder(cast(Encoder, spec))
    if callable(spec):
        return PairFunction(spec)
    raise HydralabError(
        f"rerank is {type(spec).__name__}, expected a name, an encoder, or a function from (query, text) pairs to "
        "numbers"
    )


def second_scores(
    query: str, texts: Sequence[str], model: Encoder | PairScorer
) -> tuple[Floats, pl.DataFrame]:
    """Return how well a model says that texts fit a query, and events.

    Returns
    -------
    array
        Float32 (n,): cosines, or the numbers of a scorer of pairs; NaN where the text, or the query, is blank or
        could not be encoded.

    >>> second_scores("a cat", ["a cat", ""], get_encoder("use"))[0].round(3).tolist()
    [1.0, nan]
    """
    if hasattr(model, "score"):
        return score_pairs(query, texts, cast(PairScorer, model)), empty("events")
    of_query, of_texts = embed([query], model, kind="query"), embed(texts, model)
    scores = of_texts.vectors @ of_query.vectors[0]
    unknown = ~of_texts.vectors.any(axis=1) | ~of_query.vectors.any()
    return np.where(unknown, np.float32(np.nan), scores), pl.concat([of_query.events, of_texts.events])


def rerank(
    blocks: Sequence[Block],
    close: Sequence[Rows],
    columns: Columns,
    scores: Floats,
    ends: Rows,
    blend: Blend,
    second: Rerank,
    top: int,
) -> Floats:
    """Put the scores of the second stage into the column "rerank" and return the scores of the blend with it.

    The best `top` of each kind are read. What was not read keeps its order and stays below all that was, so that
    the two are never told apart by a number that only one of them has.

    Parameters
    ----------
    close
        Rows of each block that are candidates.
    columns
        Their columns, block by block; "rerank" is written, NaN for what was not read.
    scores
        What the blend made of the columns before.
    ends
        The last turn of each candidate: of equal scores the later comes first.
    """
    edges = np.cumsum([0, *(len(rows) for rows in close)])
    order = np.lexsort((-ends, -scores))
    parts = [
        np.sort(order[(order >= start) & (order < stop)][:top]) for start, stop in pairwise(edges.tolist())
    ]
    texts = [
        text
        for block, rows, start, part in zip(blocks, close, edges, parts, strict=False)
        for text in block.texts(rows[part - start])
    ]
    read = np.concatenate(parts)
    found = min_max(second(texts))
    columns["rerank"][read] = np.where(np.isnan(found), np.float32(0), found)
    again = blend(columns)
    below = np.ones(len(scores), bool)
    below[read] = False
    if below.any() and len(read) and (above := again[below].max() - again[read].min()) >= 0:
        again[below] -= above + 4 * np.spacing(np.abs(again).max())
    columns["rerank"] = np.full_like(scores, np.nan)
    columns["rerank"][read] = found
    return again
