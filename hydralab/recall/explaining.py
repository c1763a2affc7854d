"""Why a candidate is there, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from hydralab.recall.history import History

__all__ = ["explain_rows"]


def explain_rows(
    query: str, candidates: pl.DataFrame, item_ids: Sequence[str] | None, history: History
) -> dict[str, str]:
    return dict.fromkeys(candidates["item_id"].to_list(), "")
