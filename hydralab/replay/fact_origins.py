"""Of which dialogue a fact is that was not told in this one."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from hydralab.llms.prompting import prompt_language

__all__ = ["with_origins"]

ORIGINS = {"en": "; said in another dialogue, {!r}", "zh": "；出自另一段对话「{}」"}


def with_origins(
    reasons: Mapping[str, str], memories: pl.DataFrame, dialogue_id: str, query: str
) -> Mapping[str, str]:
    """Return the reasons for candidates, those for facts of other dialogues with the dialogue's id.

    Parameters
    ----------
    reasons
        Item id → why it was recalled.
    memories
        The memories table.
    dialogue_id
        The dialogue of the query, whose own facts need no such word.
    """
    foreign = memories.filter(pl.col("memory_id").is_in(list(reasons)), pl.col("dialogue_id") != dialogue_id)
    if not foreign.height:
        return reasons
    phrase = ORIGINS[prompt_language(query)]
    origins = foreign.select("memory_id", "dialogue_id").iter_rows()
    return {**reasons, **{name: reasons[name] + phrase.format(origin) for name, origin in origins}}
