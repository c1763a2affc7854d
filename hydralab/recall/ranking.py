"""From scored items to candidates: a first pass over all, a close look at the best."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import numpy as np
from numpy.typing import NDArray

from hydralab.core.blend import min_max
from hydralab.core.mmr import maximal_marginal_relevance
from hydralab.core.topk import top_k
from hydralab.recall.blending import SCORE_COLUMNS, Blend
from hydralab.recall.candidate_blocks import Block, Described, Rows
from hydralab.recall.config import Recall
from hydralab.recall.reranking import Rerank, rerank
from hydralab.recall.results import RecallResult
from hydralab.recall.scoring import Columns, Floats, join_columns

__all__ = ["rank"]

NOBODY = Described("", None, ())

PULLING = 10
"""So many of the best turns bring the turn before and the turn after into the close look."""

CHECKPOINTS_PULLING = 3
"""So many of the best checkpoints bring their turns into the close look."""

HALVED_AT = 3
"""The place, counted from 0, at which "parts" is half of what it is at the top."""

MOST_PULLED = 64
"""The most turns that one checkpoint brings."""


def rank(
    blocks: Sequence[Block],
    blend: Blend,
    config: Recall,
    *,
    parts: Sequence[Sequence[Block]] = (),
    second: Rerank | None = None,
    query_id: str,
    dialogue_id: str,
) -> RecallResult:
    """Return the candidates, best first; of equal scores the later item comes first.

    All items are scored by what is known of each alone, "feedback" and "checkpoint" being 0. Then the
    best of each kind, the turns beside the best turns and those under the best checkpoints are scored
    anew, with their likeness to the very best and the score of the checkpoint they are under.

    Parameters
    ----------
    blocks
        One a kind, turns first.
    parts
        The same blocks for each part of a query that asks several things.
    second
        What scores the best once more.
    """
    columns = join_columns([block.columns for block in blocks])
    if parts:
        columns["parts"] = _best_of_parts(parts, blend)
    offsets = np.cumsum([0, *(len(block) for block in blocks)])
    scores = blend(columns)
    spans, worth = _checkpoint_worth(blocks, scores)
    first = np.split(scores, offsets[1:-1])
    for block, own in zip(blocks, first, strict=True):
        own[block.barred] = -np.inf
    best = _best(first[0], config.pool)
    close = [
        _with_pulled(best, first[0], spans[_best(worth, CHECKPOINTS_PULLING)]),
        *(_best(own, _limit(config, block.kind)) for block, own in zip(blocks[1:], first[1:], strict=True)),
    ]

    places = np.concatenate([offset + rows for offset, rows in zip(offsets, close, strict=False)])
    taken = {name: column[places] for name, column in columns.items()}
    vectors = [block.vectors(rows) for block, rows in zip(blocks, close, strict=True)]
    held = np.concatenate([block.spans[rows] for block, rows in zip(blocks, close, strict=True)])
    taken["checkpoint"] = _under_checkpoint(held[:, 0], spans, worth)
    taken["feedback"] = _feedback(vectors, first[0][close[0]], config.feedback)
    scores = blend(taken)
    if second is not None:
        scores = rerank(blocks, close, taken, scores, held[:, 1], blend, second, config.rerank_top)
    if config.mmr is not None:
        _diversify(scores[: len(close[0])], vectors[0], config)

    order = _order(blocks, close, scores, held[:, 1], config)
    if second is None:
        taken["rerank"] = np.full_like(scores, np.nan)
    columns = {"score": scores, **{name: taken[name] for name in SCORE_COLUMNS}}
    return _found(blocks, close, order, columns, query_id, dialogue_id)


def _best_of_parts(parts: Sequence[Sequence[Block]], blend: Blend) -> Floats:
    """Return how far up each item stands for the part that it matches best: 1 at the top, 1/2 at the fourth place.

    By place, as round robin over the parts would take them: the scores of a short part and a long one don't compare.
    """
    best = np.zeros(sum(map(len, parts[0])), np.float32)
    for part in parts:
        scores = blend(join_columns([block.columns for block in part]))
        order = np.lexsort((-np.concatenate([block.spans[:, 1] for block in part]), -scores))
        places = np.arange(len(order), dtype=np.float32)
        best[order] = np.maximum(best[order], 1 / (1 + places / HALVED_AT))
    return best


def _best(scores: Floats, k: int) -> Rows:
    """Return the rows of the k best, best first; of equal scores, also of those that just miss, the later row."""
    rows = len(scores) - 1 - np.asarray(top_k(scores[::-1], k)[1])
    return rows[scores[rows] > -np.inf]


def _limit(config: Recall, kind: str) -> int:
    limits = {
        "turn": config.turns,
        "round": config.rounds,
        "checkpoint": config.checkpoints,
        "memory": config.memories,
        "document": config.documents,
    }
    return limits[kind]


def _checkpoint_worth(blocks: Sequence[Block], scores: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Return, by rising start, span and score of each checkpoint; lowest of all items 0, highest 1."""
    scaled, start = np.asarray(min_max(scores)), 0
    for block in blocks:
        if block.kind == "checkpoint":
            order = np.argsort(block.spans[:, 0], kind="stable")
            return block.spans[order], scaled[start + order]
        start += len(block)
    return np.empty((0, 2), np.int64), np.empty(0, np.float32)


def _with_pulled(best: Rows, scores: Floats, spans: NDArray[np.int64]) -> Rows:
    """Add the turns beside the best and those of the best checkpoints."""
    beside = (best[:PULLING, None] + np.array([-1, 1])).ravel()
    under = [np.arange(start, min(end + 1, start + MOST_PULLED)) for start, end in spans.tolist()]
    rows = np.unique(np.concatenate([best, beside, *under]))
    rows = rows[(rows >= 0) & (rows < len(scores))]
    return rows[scores[rows] > -np.inf]


def _under_checkpoint(positions: Rows, spans: NDArray[np.int64], worth: Floats) -> Floats:
    """Return the score of the last checkpoint begun that holds each position, 0 without one."""
    if not len(spans):
        return np.zeros(len(positions), np.float32)
    place = np.searchsorted(spans[:, 0], positions, side="right") - 1
    inside = (place >= 0) & (positions <= spans[place, 1])
    return np.where(inside, worth[place], np.float32(0))


def _feedback(vectors: Sequence[Floats], turn_scores: Floats, count: int) -> Floats:
    """Return the likeness of each item to the mean of the best turns, which are the first of the vectors."""
    best = _best(turn_scores, count)
    if not len(best):
        return np.zeros(sum(map(len, vectors)), np.float32)
    mean = vectors[0][best].mean(axis=0)
    return np.asarray(min_max(np.concatenate([each @ mean for each in vectors])))


def _diversify(scores: Floats, vectors: Floats, config: Recall) -> None:
    """Put the worth by maximal marginal relevance in place of the scores; turns not chosen drop out."""
    chosen, worth = maximal_marginal_relevance(scores, vectors, config.turns, config.mmr or 0.0)
    scores[:] = -np.inf
    # Where vectors point away from each other a later choice can be worth more; the order stands.
    scores[chosen] = np.minimum.accumulate(worth)


def _order(
    blocks: Sequence[Block], close: Sequence[Rows], scores: Floats, ends: Rows, config: Recall
) -> NDArray[np.int64]:
    """Return the places of what comes back, best first, at most the limit of each kind."""
    kinds = np.repeat(np.arange(len(blocks)), [len(rows) for rows in close])
    order = np.lexsort((-ends, -scores))
    order = order[scores[order] > -np.inf]
    within = np.concatenate(
        [
            np.flatnonzero(kinds[order] == number)[: _limit(config, block.kind)]
            for number, block in enumerate(blocks)
        ]
    )
    return order[np.sort(within)]


def _found(
    blocks: Sequence[Block],
    close: Sequence[Rows],
    order: Rows,
    scores: Columns,
    query_id: str,
    dialogue_id: str,
) -> RecallResult:
    starts = np.cumsum([0, *(len(rows) for rows in close)])
    kinds = [""] * len(order)
    described = [NOBODY] * len(order)
    for block, rows, start, stop in zip(blocks, close, starts, starts[1:], strict=False):
        mine = np.flatnonzero((order >= start) & (order < stop))
        for place, one in zip(mine.tolist(), block.describe(rows[order[mine] - start]), strict=True):
            kinds[place], described[place] = block.kind, one
    return RecallResult(
        query_id=query_id,
        dialogue_id=dialogue_id,
        item_ids=[one.item_id for one in described],
        kinds=kinds,
        tokens=[one.tokens for one in described],
        sources=[one.sources for one in described],
        scores={name: column[order].tolist() for name, column in scores.items()}
        | {"rerank": [None if isnan(each) else each for each in scores["rerank"][order].tolist()]},
    )
