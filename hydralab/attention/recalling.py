"""Attention as a signal on turns, and as a score of candidates for later turns.

Both take results of `attend`, so their cost is that of attending: a run of the model for each context
that is looked at (with_control=False leaves it at that).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.attention.result import NO_ITEMS, Attention
from hydralab.errors import HydralabError

__all__ = ["add_attention", "attention_scores", "attention_signal"]

COLUMN = "attention"


def attention_scores(found: Sequence[Attention], *, before: int | None = None) -> pl.DataFrame:
    """Return how much each item of earlier contexts was attended to.

    Of the sink-free attention that went to items, the share that each got, over its share of their tokens:
    1 is as much as its length has by chance. Averaged over the contexts that kept the item.

    Caveat: a model looks at near items more, whatever they say; and items that recall brought often
    are no better known than those it brought once.

    Parameters
    ----------
    found
        Results of `attend`, of contexts of one dialogue.
    before
        Only contexts asked before this position count, as for a candidate of a turn at this position.

    Returns
    -------
    DataFrame
        item_id, attention (Float64, at least 0), contexts (Int64, in how many it was kept).
    """
    parts = []
    for each in found:
        if before is not None and each.context.at >= before:
            continue
        items = each.measures().filter(~pl.col("section").is_in([*NO_ITEMS, "sink", "query"]))
        share = pl.col("sink_free") / pl.col("sink_free").sum()
        length = pl.col("tokens") / pl.col("tokens").sum()
        parts.append(items.filter(pl.col("tokens") > 0).select("item_id", (share / length).alias(COLUMN)))
    if not parts:
        return pl.DataFrame(schema={"item_id": pl.String, COLUMN: pl.Float64, "contexts": pl.Int64})
    return (
        pl.concat(parts)
        .group_by("item_id", maintain_order=True)
        .agg(pl.col(COLUMN).mean(), pl.len().cast(pl.Int64).alias("contexts"))
    )


def add_attention(
    candidates: pl.DataFrame, found: Sequence[Attention], *, before: int | None = None
) -> pl.DataFrame:
    """Add the column `attention` to a candidates table: null for items that no earlier context kept.

    A blend may then read it, as in ``pl.col("score") + 0.05 * pl.col("attention").fill_null(1).log()``.

    Raises
    ------
    HydralabError
        The table has no item_id, or has the column already.
    """
    if "item_id" not in candidates.columns or COLUMN in candidates.columns:
        raise HydralabError(
            f"add_attention: columns {', '.join(candidates.columns)}; expected a candidates table with item_id and "
            f"without {COLUMN!r}"
        )
    scores = attention_scores(found, before=before).drop("contexts")
    return candidates.join(scores, on="item_id", how="left", maintain_order="left")


def attention_signal(turns: pl.DataFrame, found: Sequence[Attention]) -> NDArray[np.float64]:
    """Return how much of a turn's attention to items goes to checkpoints, as a signal on turns.

    High when the model, reading the turn, looks back at what was summed up. Unit: share, 0 to 1; lookahead 0.

    Parameters
    ----------
    turns
        Turns of one dialogue.
    found
        Results of `attend` for contexts whose query was a turn, in any order (`run.step(t)`); with
        source="query" the answer is not needed.

    Returns
    -------
    float64 (n,)
        NaN for a turn without a result, or whose context held no checkpoint.
    """
    by_position = {}
    for each in found:
        items = each.measures().filter(~pl.col("section").is_in([*NO_ITEMS, "sink", "query"]))
        got = items["sink_free"].to_numpy()
        held = (items["section"] == "checkpoint").to_numpy()
        if held.any():
            by_position[each.context.at] = float(got[held].sum() / got.sum())
    return np.asarray([by_position.get(position, np.nan) for position in turns["position"]], dtype=np.float64)
