"""The checkpoints of a dialogue on its timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from hydralab.plots.figures import axes_or_new, note, one_dialogue, shorten, turn_axis
from hydralab.theme import band_colour, has_glyphs, plot_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_checkpoints"]

TITLED = 30
"""Up to so many checkpoints each has a row with its title; more are drawn as one skyline of tokens."""


def plot_checkpoints(checkpoints: pl.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw each checkpoint of one dialogue as a bar from its first to its last turn, with its title.

    The open span at the end is hatched. Beyond 30 checkpoints titles would be too small to read:
    the bars then stand side by side, as high as their spans have tokens.

    Parameters
    ----------
    checkpoints
        A checkpoints table of one dialogue.
    ax
        Where to draw; a figure of its own, as high as the rows need, when None.

    Raises
    ------
    HydralabError
        When the table holds several dialogues.

    >>> from hydralab import frames
    >>> row = {"checkpoint_id": "a#0-3", "dialogue_id": "a", "start": 0, "end": 3, "status": "ready"}
    >>> table = frames.build("checkpoints", [{**row, "title": "budget"}])
    >>> [label.get_text() for label in plot_checkpoints(table).get_yticklabels()]
    ['budget']
    """
    one_dialogue("checkpoints", checkpoints)
    spans = checkpoints.sort("start")
    rows = min(spans.height, TITLED)
    titles = spans["title"].fill_null("").to_list()
    with plot_style(titles):
        ax = axes_or_new(ax, 9, 2.6 if spans.height > TITLED else 0.75 + 0.24 * max(rows, 1))
        if spans.is_empty():
            note(ax, "no checkpoints")
            return ax
        (_skyline if spans.height > TITLED else _rows)(ax, spans)
        turn_axis(ax, int(spans["start"].min()), int(spans["end"].max()))  # type: ignore[arg-type]
    return ax


def _rows(ax: Axes, spans: pl.DataFrame) -> None:
    for row, (start, end, status) in enumerate(spans.select("start", "end", "status").iter_rows()):
        _bar(ax, row, start, end, status)
    spoken = [
        title if title and has_glyphs(title) else f"turns {start}–{end}"
        for title, start, end in spans.select("title", "start", "end").iter_rows()
    ]
    ax.set_yticks(range(spans.height), [shorten(title, 44) for title in spoken])
    ax.set_ylim(spans.height - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x")


def _bar(ax: Axes, row: int, start: int, end: int, status: str) -> None:
    colour = band_colour(row)
    unfinished = status != "ready"
    ax.barh(
        row, end - start + 1, left=start - 0.5, height=0.62, edgecolor=colour, linewidth=1,
        color="none" if unfinished else colour, hatch="////" if unfinished else None,
    )  # fmt: skip


def _skyline(ax: Axes, spans: pl.DataFrame) -> None:
    widths = (spans["end"] - spans["start"] + 1).to_numpy()
    # So many bars are a texture, in which more than two colours would be noise.
    colours = [band_colour(row % 2) for row in range(spans.height)]
    ax.bar(
        spans["start"].to_numpy() - 0.5,
        spans["tokens"].fill_null(0).to_numpy(),
        widths,
        align="edge",
        color=colours,
    )
    ax.set_ylabel("tokens of a span")
    ax.yaxis.set_major_formatter("{x:,.0f}")
    ax.set_title(f"{spans.height:,} checkpoints", fontweight="normal", fontsize="medium")
