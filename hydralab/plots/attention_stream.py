"""Where each word of an answer looked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hydralab.plots.attended import (
    OTHER_COLOUR,
    Pick,
    check_attention,
    check_share,
    compared_items,
    context_items,
    item_colours,
    item_names,
    item_shares,
    word_rows,
)
from hydralab.plots.figures import axes_or_new, note, shorten
from hydralab.theme import plot_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hydralab.attention import Attention

__all__ = ["plot_attention_stream"]

MOST_WORDS = 80
"""More words than these are drawn without their texts."""

WIDEST_ROW = 120
"""So many characters of the legend have room in one row."""


def plot_attention_stream(
    attention: Attention,
    *,
    measure: str = "sink_free",
    layers: Pick = None,
    heads: Pick = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the answer (or query) from left to right, a stack a word: the items that it looked at.

    Remembered and recent items alone are drawn, since query and instructions are looked at whatever they
    say; nor is what goes to the chat template, to sinks and to the answer's own words. A word has the
    colour of the item that it looked at most for the item's length. A word of several tokens is their mean.

    Parameters
    ----------
    attention
        What `hl.attend` returns.
    measure
        "sink_free": a stack is as high as the share of all attention that these items get together; or
        "lift": all are of one height, shared by attention per token, so that a long item has no advantage.
    layers, heads
        A number or several; all when None.
    ax
        Where to draw; a figure of its own when None.
    """
    check_attention(attention)
    check_share(measure)
    words = word_rows(attention.rows["text"].to_list())
    compared = compared_items(attention)
    mass, per_token = (
        _by_word(item_shares(attention, name, by="row", layers=layers, heads=heads), words)[:, compared]
        for name in ("sink_free", "lift")
    )
    texts = [_text(attention, rows) for rows in words]
    items = context_items(attention)[compared.tolist()]
    names = [shorten(name, 30) for name in item_names(items)]
    colours = [item_colours(attention)[to] for to in compared]
    with plot_style([*texts, *names]):
        ax = axes_or_new(ax, 9, 3.2)
        if not mass.size:
            note(ax, "no items")
            return ax
        _stack(ax, mass if measure == "sink_free" else _normed(per_token), colours, names)
        ax.set_ylabel("share of all attention" if measure == "sink_free" else "share per token")
        _axes(ax, texts, [colours[place] for place in per_token.argmax(axis=1)])
        _legend(ax)
    return ax


def _by_word(values: NDArray[np.float64], words: list[list[int]]) -> NDArray[np.float64]:
    return np.asarray([values[rows].mean(axis=0) for rows in words]).reshape(len(words), values.shape[1])


def _normed(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    whole = shares.sum(axis=1, keepdims=True)
    return np.divide(shares, whole, out=np.zeros_like(shares), where=whole > 0)


def _text(attention: Attention, rows: list[int]) -> str:
    text = "".join(attention.rows["text"].gather(rows)).strip()
    return shorten(text, 16).replace("$", r"\$").replace("\n", "⏎") or "␣"


def _stack(ax: Axes, shares: NDArray[np.float64], colours: list[str], names: list[str]) -> None:
    """Stack the items with a colour in the order of the prompt, the others together on top."""
    own = [place for place, colour in enumerate(colours) if colour != OTHER_COLOUR]
    rest = [place for place in range(len(colours)) if place not in own]
    layers = [(names[place], colours[place], shares[:, place]) for place in own]
    if rest:
        layers.append((f"{len(rest)} other items", OTHER_COLOUR, shares[:, rest].sum(axis=1)))
    bottom = np.zeros(len(shares))
    for name, colour, share in layers:
        ax.bar(np.arange(len(shares)), share, 0.9, bottom=bottom, color=colour, label=name, linewidth=0)
        bottom += share


def _axes(ax: Axes, texts: list[str], colours: list[str]) -> None:
    ticker: Any = ax.yaxis
    ticker.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    ax.set_xlim(-0.6, len(texts) - 0.4)
    ax.set_ylim(bottom=0)
    ax.tick_params(axis="x", length=0)
    if len(texts) > MOST_WORDS:
        ax.set_xlabel("word")
        return
    turned: dict[str, Any] = {"rotation": 90} if sum(map(len, texts)) > 84 or len(texts) > 16 else {}
    ax.set_xticks(range(len(texts)), texts, **turned)
    for label, colour in zip(ax.get_xticklabels(), colours, strict=True):
        label.set_color(colour)
        label.set_fontweight("bold")


def _legend(ax: Axes) -> None:
    handles, labels = ax.get_legend_handles_labels()
    in_one_row = sum(map(len, labels)) + 5 * len(labels) < WIDEST_ROW
    ax.legend(
        handles, labels, loc="lower left", bbox_to_anchor=(0, 1.02), ncols=len(labels) if in_one_row else 4,
        borderaxespad=0, columnspacing=1.4, handlelength=1.2, handletextpad=0.5,
    )  # fmt: skip
