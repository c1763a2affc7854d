"""The topic-shift curve of a dialogue, with the boundaries a trigger placed and those of the gold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hydralab.errors import HydralabError, check_kind, check_value, unknown_name
from hydralab.plots.figures import axes_or_new, legend_above, note, one_dialogue, turn_axis
from hydralab.theme import MARK_COLOURS, plot_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_shift"]

MARK_STRIP = 0.1
"""Share of the Axes' height, at its top, that is kept for the marks of boundaries."""

POINTS = 600
"""Above so many turns the curve is drawn as the mean and range of as many groups of turns."""

DENSE_MARKS = 120
"""Above so many boundaries their lines through the curve are left out."""


def plot_shift(
    signals: pl.DataFrame,
    *,
    signal: str = "shift",
    boundaries: pl.DataFrame | None = None,
    gold: pl.DataFrame | None = None,
    threshold: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a signal over the turns of one dialogue.

    ▼ above the curve are `boundaries`, ◆ below it is `gold`, left out where the table is empty; both
    stand at the first turn of a new span. Beyond 600 turns the curve is a mean with the range around it.

    Parameters
    ----------
    signals
        A signals table of one dialogue, one row a turn.
    signal
        The column to draw. Null values leave a gap.
    boundaries, gold
        Boundaries and gold tables of the same dialogue.
    threshold
        Drawn as a dashed line, in the signal's unit.
    ax
        Where to draw; a figure of its own when None.

    Raises
    ------
    HydralabError
        When a table holds several dialogues, or not the same.
    UnknownNameError
        When the table has no such signal.

    >>> from hydralab import frames
    >>> rows = [{"dialogue_id": "a", "position": t, "shift": v} for t, v in enumerate([None, 0.1, 0.9])]
    >>> plot_shift(frames.build("signals", rows), threshold=0.8).get_xlabel()
    'turn'
    """
    check_kind("signals", signals, pl.DataFrame, "a signals table")
    check_value("plot_shift: signal", signal, "str")
    check_value("plot_shift: threshold", threshold, "float | None")
    if signal not in signals.columns:
        raise unknown_name(
            "signal", signal, [name for name in signals.columns if signals[name].dtype.is_float()]
        )
    dialogue = one_dialogue("signals", signals)
    marks = {
        name: _positions(name, table, dialogue)
        for name, table in (("boundaries", boundaries), ("gold", gold))
    }
    with plot_style():
        ax = axes_or_new(ax, 9, 2.6 if dialogue else 1)
        if dialogue is None:
            note(ax, "no turns")
            return ax
        _curve(ax, signals["position"].to_numpy(), signals[signal].cast(pl.Float64).to_numpy(), signal)
        _share_scale(ax, signals[signal])
        if threshold is not None:
            ax.axhline(
                threshold,
                color=MARK_COLOURS["threshold"],
                linestyle=(0, (4, 3)),
                label=f"threshold {threshold:g}",
            )
        _marks(ax, marks)
        turn_axis(ax, int(signals["position"][0]), int(signals["position"][-1]))
        ax.set_ylabel(signal)
        legend_above(ax)
    return ax


def _positions(name: str, table: pl.DataFrame | None, dialogue: str | None) -> np.ndarray | None:
    if table is None:
        return None
    other = one_dialogue(name, table)
    if dialogue is not None and other is not None and other != dialogue:
        raise HydralabError(f"{name}: of dialogue {other!r}, expected {dialogue!r}, which the signals are of")
    return table["position"].unique().sort().to_numpy()


def _share_scale(ax: Axes, values: pl.Series) -> None:
    """Show a signal that stays within 0 and 1 on the whole of that scale, so that plots compare."""
    low, high = values.min(), values.max()
    if low is None or (low >= 0 and high <= 1):  # type: ignore[operator]
        ax.set_ylim(-0.03, 1.03)


def _curve(ax: Axes, positions: np.ndarray, values: np.ndarray, name: str) -> None:
    colour = MARK_COLOURS["curve"]
    if len(values) > POINTS:
        at, low, mean, high = _grouped(positions, values)
        ax.fill_between(at, low, high, color=colour, alpha=0.25, linewidth=0, label="range")
        ax.plot(at, mean, color=colour, linewidth=1.0, label=f"mean of {len(values) // len(at)} turns")
    else:
        ax.plot(
            positions, values, color=colour, marker="o", markersize=3 if len(values) < 100 else 0, label=name
        )


def _grouped(positions: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, ...]:
    groups = np.arange(len(values)) // -(-len(values) // POINTS)
    frame = pl.DataFrame({"group": groups, "at": positions, "value": values}).with_columns(
        pl.col("value").fill_nan(None)
    )
    value = pl.col("value")
    summary = frame.group_by("group", maintain_order=True).agg(
        pl.col("at").mean(), value.min().alias("low"), value.mean().alias("mean"), value.max().alias("high")
    )
    return tuple(summary[name].cast(pl.Float64).to_numpy() for name in ("at", "low", "mean", "high"))


def _marks(ax: Axes, marks: dict[str, np.ndarray | None]) -> None:
    # A strip above and one below the curve, so that no value can run into the marks; the upper one is
    # inside the Axes, where a title stands clear of it.
    strips = {"boundaries": ("v", 1 - MARK_STRIP / 2, "boundary"), "gold": ("D", -0.05, "gold")}
    across = ax.get_xaxis_transform()
    if marks["boundaries"] is not None and len(marks["boundaries"]):
        low, high = ax.get_ylim()
        ax.set_ylim(low, low + (high - low) / (1 - MARK_STRIP))
    for name, at in marks.items():
        if at is None or (name == "gold" and not len(at)):
            continue
        marker, height, meaning = strips[name]
        colour, few = MARK_COLOURS[meaning], len(at) <= DENSE_MARKS
        if name == "boundaries" and few:
            ax.vlines(at, 0, 1 - MARK_STRIP / 2, transform=across, color=colour, alpha=0.6, linewidth=1)
        ax.plot(
            at, np.full(len(at), height), transform=across, clip_on=False, linestyle="none",
            marker=marker if few else "|", markersize=5.5, markeredgewidth=1 if few else 0.6, color=colour,
            label=f"{len(at):,} {'boundary' if name == 'boundaries' and len(at) == 1 else name}",
        )  # fmt: skip
    ax.tick_params(axis="x", pad=9 if marks["gold"] is not None and len(marks["gold"]) else 3)
