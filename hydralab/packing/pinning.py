"""Items that a person pinned: offered to every prompt before anything else."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

import polars as pl

from hydralab.packing.draft import Explain
from hydralab.packing.recalled import Recalled
from hydralab.recall import RecallResult

__all__ = ["with_pinned"]


def with_pinned(
    recalled: Recalled,
    item_ids: Collection[str],
    checkpoints: pl.DataFrame,
    memories: pl.DataFrame,
    turn_ids: Sequence[str] | pl.Series,
    *,
    reason: str,
) -> Recalled:
    """Return what is recalled with pinned checkpoints and facts before it, each with the best score of all.

    Parameters
    ----------
    item_ids
        Ids of the pinned items; those in neither table are passed over.
    checkpoints, memories
        What is known.
    turn_ids
        Of the dialogue, by position.
    reason
        Why they are there.

    >>> from hydralab.frames import build, empty
    >>> fact = {"memory_id": "m", "dialogue_id": "a", "text": "No nuts.", "tokens": 3}
    >>> with_pinned(Recalled(), ["m"], empty("checkpoints"), build("memories", [fact]), [], reason="").found.item_ids
    ['m']
    """
    spans = checkpoints.filter(pl.col("checkpoint_id").is_in(item_ids))
    facts = memories.filter(pl.col("memory_id").is_in(item_ids))
    listed: list[tuple[str, str, int | None, list[str]]] = [
        (name, "checkpoint", tokens, list(turn_ids[start : end + 1]))
        for name, start, end, tokens in spans.select("checkpoint_id", "start", "end", "tokens").iter_rows()
    ]
    listed += [
        (name, "memory", tokens, list(sources or ()))
        for name, tokens, sources in facts.select("memory_id", "tokens", "source_turn_ids").iter_rows()
    ]
    if not listed:
        return recalled
    pinned = [name for name, *_ in listed]
    return replace(
        recalled,
        found=_before(recalled.found, listed),
        checkpoints=_joined(recalled.checkpoints, spans),
        memories=_joined(recalled.memories, facts),
        explain=partial(_explained, recalled.explain, dict.fromkeys(pinned, reason)),
        refused={name: why for name, why in recalled.refused.items() if name not in pinned},
    )


def _before(found: RecallResult, listed: Sequence[tuple[str, str, int | None, list[str]]]) -> RecallResult:
    pinned = {name for name, *_ in listed}
    rest = [row for row, name in enumerate(found.item_ids) if name not in pinned]
    best = max((score or 0.0 for score in found.scores.get("score", ())), default=1.0)
    unknown: list[float | None] = [None] * len(listed)
    scores = {name: unknown + [column[row] for row in rest] for name, column in found.scores.items()}
    return replace(
        found,
        item_ids=[name for name, *_ in listed] + [found.item_ids[row] for row in rest],
        kinds=[kind for _, kind, *_ in listed] + [found.kinds[row] for row in rest],
        tokens=[tokens for _, _, tokens, _ in listed] + [found.tokens[row] for row in rest],
        sources=[sources for *_, sources in listed] + [found.sources[row] for row in rest],
        scores={**scores, "score": [best] * len(listed) + [found.scores["score"][row] for row in rest]},
    )


def _joined(given: pl.DataFrame, pinned: pl.DataFrame) -> pl.DataFrame:
    """Put tables below each other; a row that is offered already, perhaps in other words, stays."""
    key = pinned.columns[0]
    return pl.concat([given, pinned.join(given, on=key, how="anti")], how="vertical_relaxed")


def _explained(before: Explain | None, reasons: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    others = [name for name in names if name not in reasons]
    told = {} if before is None or not others else dict(before(others))
    return told | {name: reasons[name] for name in names if name in reasons}
