"""One prompt as a row of the steps table."""

from __future__ import annotations

from typing import Any

from hydralab.packing import Context

__all__ = ["step_row"]


def step_row(
    context: Context,
    run_id: str,
    position: int,
    times: dict[str, float],
    previous: Context | None,
    met: tuple[float | None, float | None] = (None, None),
) -> dict[str, Any]:
    """Return a row of the steps table, without calls and cost.

    Parameters
    ----------
    position
        Of the turn after which the prompt was made.
    times
        Milliseconds a stage.
    previous
        The prompt before it.
    met
        Evidence of a gold question, verbatim and by answer.
    """
    return {
        "run_id": run_id,
        "strategy": context.strategy,
        "dialogue_id": context.dialogue_id,
        "position": position,
        "query_id": context.query_id,
        "tokens": context.tokens,
        "items": context.items_by_section(),
        "stable_prefix_tokens": stable_prefix(context, previous),
        "evidence_verbatim": met[0],
        "evidence_answer": met[1],
        "milliseconds": times,
    }


def stable_prefix(context: Context, previous: Context | None) -> int:
    """Return the tokens of the leading items that are as they were in the prompt before."""
    if previous is None:
        return 0
    stable = 0
    for now, before in zip(context.kept_rows, previous.kept_rows, strict=False):
        if any(now[name] != before[name] for name in ("item_id", "text", "label")):
            break
        stable += now["tokens"]
    return stable
