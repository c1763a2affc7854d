"""An exchange: what was said since the assistant last finished, up to the turn in which it finishes again."""

from __future__ import annotations

import polars as pl

__all__ = ["newest_exchange"]

WITHOUT_ASSISTANT = 8
"""Where people talk among themselves an exchange has so many turns."""

LONGEST = 64


def newest_exchange(turns: pl.DataFrame) -> pl.DataFrame | None:
    """Return the exchange that the newest turn ends, or None when it ends none.

    Parameters
    ----------
    turns
        The turns of one dialogue so far.

    >>> parts = pl.Series([None, None, None], dtype=pl.String)
    >>> turns = pl.DataFrame({"role": ["user", "assistant", "user"], "parts": parts})
    >>> newest_exchange(turns) is None, newest_exchange(turns.head(2)).height
    (True, 2)
    """
    if not turns.height:
        return None
    recent = turns.tail(LONGEST)
    ends = ((recent["role"] == "assistant") & ~_calls(recent)).to_list()
    if ends[-1]:
        before = [row for row, finished in enumerate(ends[:-1]) if finished]
        exchange = recent.slice(before[-1] + 1 if before else 0)
    elif turns.height % WITHOUT_ASSISTANT == 0 and not (turns["role"] == "assistant").any():
        exchange = turns.tail(WITHOUT_ASSISTANT)
    else:
        return None
    spoken = exchange.filter(pl.col("role") != "system")
    return spoken if spoken.height else None


def _calls(turns: pl.DataFrame) -> pl.Series:
    return turns["parts"].fill_null("").str.contains('"tool_call"', literal=True)
