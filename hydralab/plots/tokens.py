"""How large the prompt of each turn was, by strategy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import polars as pl

from hydralab.errors import HydralabError, check_kind, check_value
from hydralab.plots.figures import axes_or_new, legend_above, note, one_dialogue, turn_axis
from hydralab.theme import INK, plot_style, strategy_colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_tokens"]

WIDE_RANGE = 20
"""The scale is a log one when the largest prompt of one run has so many times the tokens of another's."""

LINES = ("-", (0, (5, 1.5)), (0, (1.5, 1)), (0, (5, 1.5, 1, 1.5)))
"""Line styles that tell runs of one strategy, and so of one colour, apart."""


def plot_tokens(
    steps: pl.DataFrame | Sequence[pl.DataFrame],
    *,
    budget: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the tokens of the prompt over the turns of one dialogue, a line a strategy.

    Parameters
    ----------
    steps
        A steps table, or several, one a run: `[run.steps for run in runs]`. Of several contexts at a
        turn (a gold question is asked there) the first is drawn.
    budget
        Drawn as a dashed line, in tokens.
    ax
        Where to draw; a figure of its own when None.

    Raises
    ------
    HydralabError
        When the runs are of several dialogues.

    >>> from hydralab import frames
    >>> row = {"run_id": "r", "strategy": "full_history", "dialogue_id": "a", "query_id": "a:0"}
    >>> table = frames.build("steps", [{**row, "position": 0, "tokens": 120}])
    >>> plot_tokens(table).get_ylabel()
    'tokens in the prompt'
    """
    check_value("plot_tokens: budget", budget, "int | None")
    check_kind("steps", steps, (pl.DataFrame, Sequence), "a steps table, or several")
    for each in () if isinstance(steps, pl.DataFrame) else steps:
        check_kind("steps: one of several", each, pl.DataFrame, "a steps table")
    table = (
        steps if isinstance(steps, pl.DataFrame) else pl.concat(list(steps)) if len(steps) else pl.DataFrame()
    )
    if table.is_empty():
        with plot_style():
            ax = axes_or_new(ax, 9, 1)
            note(ax, "no steps")
        return ax
    one_dialogue("steps", table)
    if table["position"].null_count():
        raise HydralabError("steps: column 'position' has nulls, expected the turn of every context")
    turns = table.sort("position", maintain_order=True).unique(
        ["run_id", "position"], keep="first", maintain_order=True
    )
    with plot_style():
        ax = axes_or_new(ax, 9, 3)
        drawn: list[str] = []
        for label, run in _labelled(turns):
            colour = strategy_colour(run["strategy"][0])
            ax.plot(
                run["position"], run["tokens"], label=label, color=colour, markersize=3.5,
                linestyle=LINES[drawn.count(colour) % len(LINES)], marker="o" if run.height < 60 else "",
            )  # fmt: skip
            drawn.append(colour)
        if budget is not None:
            ax.axhline(budget, color=INK, linestyle=(0, (4, 3)), linewidth=1, label=f"budget {budget:,}")
        _scale(ax, turns)
        turn_axis(ax, int(turns["position"].min()), int(turns["position"].max()))  # type: ignore[arg-type]
        ax.set_ylabel("tokens in the prompt")
        ax.grid(axis="y")
        legend_above(ax)
    return ax


def _labelled(turns: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    """Name each run by its strategy, and by its id too where two runs share one."""
    runs = turns.partition_by("run_id", maintain_order=True)
    names = [run["strategy"][0] for run in runs]
    labels = (
        name if names.count(name) == 1 else f"{name} {run['run_id'][0]}"
        for name, run in zip(names, runs, strict=True)
    )
    return sorted(zip(labels, runs, strict=True), key=lambda pair: pair[0])


def _scale(ax: Axes, turns: pl.DataFrame) -> None:
    largest = turns.group_by("run_id").agg(pl.col("tokens").max())["tokens"]
    if largest.max() > WIDE_RANGE * max(largest.min(), 1):  # type: ignore[operator, type-var]
        ax.set_yscale("log")
    else:
        ax.set_ylim(0, 1.08 * max(int(largest.max()), 1))  # type: ignore[arg-type]
    ax.yaxis.set_major_formatter("{x:,.0f}")
