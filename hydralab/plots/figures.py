"""What all plots share: an Axes that a notebook shows once, a legend that covers nothing, input checks."""

from __future__ import annotations

from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

import polars as pl

from hydralab.errors import FrameError, HydralabError, check_kind
from hydralab.optional import load_optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "axes_or_new",
    "legend_above",
    "new_figure",
    "note",
    "one_dialogue",
    "render_png",
    "shorten",
    "turn_axis",
]

PIXEL_RATIO = 2


def new_figure(width: float, height: float) -> tuple[Figure, Axes]:
    """Return a new figure of `width` × `height` inches that pyplot doesn't keep, and its one Axes."""
    module = load_optional("matplotlib.figure", extra="notebook", purpose="a plot")
    figure: Figure = module.Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def axes_or_new(ax: Axes | None, width: float, height: float) -> Axes:
    """Return the Axes to draw on: the user's, or that of a new figure, to be shown by a notebook.

    A notebook shows what has `_repr_png_`. An Axes has none, and a figure that pyplot made would be
    shown by pyplot as well, so this one Axes is given its figure's picture.
    """
    if ax is not None:
        module = load_optional("matplotlib.axes", extra="notebook", purpose="a plot")
        check_kind("plot: ax", ax, module.Axes, "an Axes of matplotlib or None")
        return ax
    figure, ax = new_figure(width, height)
    vars(ax)["_repr_png_"] = partial(_shown, figure)
    return ax


def render_png(figure: Figure, *, pixel_ratio: float = PIXEL_RATIO) -> bytes:
    """Return the figure as PNG bytes with `pixel_ratio` image pixels for each of its own."""
    buffer = BytesIO()
    # Without its usual metadata the same figure gives the same bytes under every version of matplotlib.
    figure.savefig(buffer, format="png", dpi=figure.dpi * pixel_ratio, metadata={"Software": None})
    return buffer.getvalue()


def _shown(figure: Figure) -> tuple[bytes, dict[str, int]]:
    width, height = figure.get_size_inches() * figure.dpi
    return render_png(figure), {"width": round(width), "height": round(height)}


def legend_above(ax: Axes) -> None:
    """Put the legend in one row above the Axes, at the right, where no curve can be."""
    handles, labels = ax.get_legend_handles_labels()
    if handles:
        ax.legend(
            handles, labels, loc="lower right", bbox_to_anchor=(1.0, 1.03), ncols=len(handles),
            borderaxespad=0, columnspacing=1.4, handletextpad=0.5, handlelength=1.6,
        )  # fmt: skip


def note(ax: Axes, text: str) -> None:
    """Write `text` in the middle of an Axes that has nothing to show."""
    ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", va="center", style="italic")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)


def turn_axis(ax: Axes, first: int, last: int) -> None:
    """Make the x axis one of turns: whole numbers, from `first` to `last` with half a turn to spare."""
    ticker = load_optional("matplotlib.ticker", extra="notebook", purpose="a plot")
    ax.set_xlim(first - 0.5, last + 0.5)
    ax.xaxis.set_major_locator(ticker.MaxNLocator(nbins=12, integer=True, min_n_ticks=1))
    ax.xaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
    ax.set_xlabel("turn")


def one_dialogue(table: str, frame: pl.DataFrame) -> str | None:
    """Return the dialogue that the frame is of, None when it has no row.

    Raises
    ------
    HydralabError
        When it is no table, one without dialogues, or holds several.
    """
    check_kind(f"{table}", frame, pl.DataFrame, f"a {table} table")
    if "dialogue_id" not in frame.columns:
        raise FrameError(f"{table}: no column 'dialogue_id', expected a {table} table")
    names = frame["dialogue_id"].unique(maintain_order=True).to_list()
    if len(names) > 1:
        listed = ", ".join(repr(name) for name in names[:5]) + (", …" if len(names) > 5 else "")
        raise HydralabError(
            f"{table}: a plot shows one dialogue, got {len(names)} ({listed}); filter by dialogue_id first"
        )
    return names[0] if names else None


def shorten(text: str, columns: int) -> str:
    """Cut `text` to a number of columns, of which a Chinese character takes two.

    >>> shorten("市场推广预算", 7)
    '市场推…'
    >>> shorten("budget", 7)
    'budget'
    """
    widths = [2 if east_asian_width(character) in "WF" else 1 for character in text]
    if sum(widths) <= columns:
        return text
    used = 0
    for number, width in enumerate(widths):
        used += width
        if used > columns - 1:
            return text[:number].rstrip() + "…"
    return text
