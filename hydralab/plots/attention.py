"""Attention to each item of a context, beside what leaving the item out does to the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hydralab.errors import unknown_name
from hydralab.plots.attended import BESIDE_NAMES, MEASURES, check_attention, format_measure, item_names
from hydralab.plots.figures import axes_or_new, note, shorten
from hydralab.theme import INK, MARK_COLOURS, SECTION_COLOURS, plot_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hydralab.attention import Attention

__all__ = ["plot_attention"]

MOST_ITEMS = 40
"""The items that are drawn when there are more: those with most of the last measure of attention."""

CONTROL = "leave_one_out"
LONGEST_BAR, NUMBER = 0.6, 0.17


def plot_attention(
    attention: Attention,
    *,
    measures: Sequence[str] = ("sink_free", "lift"),
    ax: Axes | None = None,
) -> Axes:
    """Draw a row an item of the context: measures of attention, and what leaving the item out does.

    Each column has a scale of its own and its values in words. Leaving an item out stands always beside,
    in nats of the answer's log-probability: to the right the item helps, to the left the answer is likelier
    without it. The rank correlations (Spearman) with it stand in the corner. Below the items, in the columns
    of mass, lie the chat template, the answer's own tokens, and the sinks, whose share was dropped.

    Parameters
    ----------
    attention
        What `hl.attend` returns.
    measures
        Columns of `attention.measures()`.
    ax
        Where to draw; a figure of its own, as high as the rows need, when None.

    Raises
    ------
    UnknownNameError
        For a measure there is not.

    Notes
    -----
    Beyond 40 items those with most of the last measure are drawn, in the order of the prompt.
    """
    check_attention(attention)
    for name in measures:
        if name not in MEASURES:
            raise unknown_name("measure of attention", name, MEASURES)
    columns = [name for name in dict.fromkeys(measures) if name != CONTROL]
    with_control = attention.control is not None
    table = attention.measures()
    rows, more = _rows(table, columns[-1] if columns else CONTROL)
    names = [shorten(BESIDE_NAMES.get(name, name), 36) for name in item_names(rows)]
    with plot_style(names):
        ax = axes_or_new(ax, 9, 1.15 + 0.25 * rows.height)
        if rows.is_empty():
            note(ax, "no items")
            return ax
        shown = [*columns, *([CONTROL] if with_control else [])]
        zeros = [_column(ax, place, rows, name) for place, name in enumerate(shown)]
        ax.set_xticks(zeros, [_heading(name) for name in shown])
        ax.xaxis.tick_top()
        ax.tick_params(length=0, pad=6)
        for label, zero, place in zip(ax.get_xticklabels(), zeros, range(len(shown)), strict=True):
            label.set_fontweight("bold" if shown[place] == CONTROL else "normal")
            label.set_horizontalalignment("left" if zero - place < NUMBER else "center")
        ax.set_yticks(range(rows.height), names)
        ax.set_ylim(rows.height - 0.4, -0.6)
        ax.set_xlim(0, len(shown))
        ax.spines[:].set_visible(False)
        ax.text(
            1, -0.015, _corner(attention, table, columns, more),
            transform=ax.transAxes, ha="right", va="top", fontsize=9, linespacing=1.4,
        )  # fmt: skip
    return ax


def _rows(table: pl.DataFrame, measure: str) -> tuple[pl.DataFrame, int]:
    """Return the items to draw, then template, answer and sinks; and how many items were left out."""
    beside = pl.col("section").is_in(list(BESIDE_NAMES))
    items = table.filter(~beside)
    more = max(items.height - MOST_ITEMS, 0)
    if more:
        items = items.top_k(MOST_ITEMS, by=pl.col(measure).fill_null(float("-inf"))).sort("to")
    below = table.filter(beside, (pl.col("tokens").fill_null(1) > 0))
    return pl.concat([items, below]), more


def _heading(name: str) -> str:
    return "leave one out, nats" if name == CONTROL else MEASURES[name]


def _column(ax: Axes, place: int, rows: pl.DataFrame, name: str) -> float:
    """Draw one measure into its own column of width 1, and return where its zero lies."""
    values = rows[name].cast(pl.Float64).fill_null(np.nan).to_numpy()
    low, high = min(np.nanmin(values, initial=0), 0), max(np.nanmax(values, initial=0), 0)
    room = NUMBER * (low < 0)
    scale = (LONGEST_BAR if low >= 0 else LONGEST_BAR - NUMBER) / ((high - low) or 1)
    zero = place + 0.02 + room - low * scale
    for row, value in enumerate(values):
        if np.isnan(value):
            continue
        section, unstable = rows["section"][row], rows["unstable"][row] and name != CONTROL
        colour = SECTION_COLOURS.get(section, MARK_COLOURS["free"])
        ax.barh(
            row, value * scale, left=zero, height=0.66, edgecolor=colour, linewidth=0.8,
            color="none" if section == "sink" else colour, hatch="////" if section == "sink" else None,
            alpha=0.4 if unstable and name == "lift" else 1,
        )  # fmt: skip
        side = 1 if value >= 0 else -1
        ax.text(
            zero + value * scale + side * 0.012, row, format_measure(name, value),
            ha="left" if side > 0 else "right", va="center", fontsize=8.5,
        )  # fmt: skip
    ax.plot([zero, zero], [-0.5, rows.height - 0.5], color=INK, linewidth=0.8)
    return zero


def _corner(attention: Attention, table: pl.DataFrame, columns: Sequence[str], more: int) -> str:
    """Return the rank correlations in words, and what a reader has to know of the rows."""
    lines = []
    if attention.control is None:
        lines.append("leaving items out was not tried: attention alone doesn't say what the answer rests on")
    else:
        compared = table.filter(~pl.col("unstable"), pl.col(CONTROL).is_not_null()).height
        found = [(name, attention.agreement(name)) for name in columns if name != CONTROL]
        told = " · ".join(
            f"{MEASURES[name]} {format_measure('lift', value) if np.isfinite(value) else 'too few items'}"
            for name, value in found
        )
        lines.append(f"Spearman's ρ with leave one out, {compared} items:  {told}")
    if more:
        lines.append(f"{more:,} more items are not drawn")
    if "lift" in columns and table["unstable"].any():
        lines.append("pale: under 5 tokens, where lift is unstable")
    return "\n".join(lines)
