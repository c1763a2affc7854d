"""Attention to items as heat maps: layer by layer, and of one head word by word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.attention.measures import lift, retrieval_heads
from hydralab.errors import HydralabError
from hydralab.optional import load_optional
from hydralab.plots.attended import (
    BESIDE_NAMES,
    SHARES,
    Pick,
    check_attention,
    check_share,
    compared_items,
    context_items,
    item_names,
    item_shares,
)
from hydralab.plots.figures import axes_or_new, note, shorten
from hydralab.theme import BLUE, INK, ORANGE, plot_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hydralab.attention import Attention

__all__ = ["plot_attention_head", "plot_attention_layers"]

MOST_ITEMS = 40
MOST_TOKENS = 60
WIDEST = 90
"""Tokens stand upright when, were they all as long as the longest, they had more characters than this."""

FARTHEST_LIFT = 3.0
"""Lifts beyond ± 3, eight times or an eighth, have the strongest colour."""


def plot_attention_layers(
    attention: Attention,
    *,
    measure: str = "lift",
    heads: Pick = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a heat map of layers by items.

    A dot marks which of the remembered and recent items a layer looks at most. Lift compares an item's
    share with its share of the tokens: 0 as much as its length has by chance, 1 twice as much, −1 half.

    Parameters
    ----------
    attention
        What `hl.attend` returns.
    measure
        "lift", or "sink_free": the share of all attention, what goes to sinks left out.
    heads
        Some heads of each layer; all when None.
    ax
        Where to draw; a figure of its own when None.
    """
    check_attention(attention)
    check_share(measure)
    shares = item_shares(attention, by="layer", heads=heads).T
    values = _lifted(shares, context_items(attention)) if measure == "lift" else shares
    shown = _most(shares)
    names = [shorten(name, 36) for name in item_names(context_items(attention)[shown.tolist()])]
    with plot_style(names):
        ax = axes_or_new(ax, 9, 1.2 + 0.25 * len(names))
        if not names:
            note(ax, "no items")
            return ax
        compared = np.isin(shown, compared_items(attention))
        _heat(ax, values[shown], measure, values[shown][compared])
        strongest = np.where(compared[:, None], np.nan_to_num(values[shown], nan=-np.inf), -np.inf).argmax(
            axis=0
        )
        ax.scatter(np.arange(len(strongest)), strongest, s=11, color=INK, edgecolors="white", linewidths=0.6)
        _item_axis(ax, names)
        ax.set_xlabel("layer  ·  a dot: the remembered or recent item that the layer looks at most")
    return ax


def plot_attention_head(
    attention: Attention, layer: int | None = None, head: int | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw what one head looks at: tokens of the answer by items.

    A colour is a share of the head's attention, nothing left out: chat template, the answer's own tokens
    and the sinks, wherever they lie, have rows of their own below the items. On top is the token that each
    position gives most to, a dot where that is a sink.

    Parameters
    ----------
    attention
        What `hl.attend` returns.
    layer, head
        From 0. Without them, the head that copies most: whose strongest key is most often the very token
        that is written next, as in `hydralab.attention.retrieval_heads`.
    ax
        Where to draw; a figure of its own when None.

    Raises
    ------
    HydralabError
        There is no such layer or head.
    """
    check_attention(attention)
    layer, head = _which(attention, layer, head)
    sink = attention.sums.sink[layer, head].T
    weights = attention.mass[layer, head].T - sink
    shown = _most(weights)
    names = [
        shorten(BESIDE_NAMES.get(name, name), 36) for name in item_names(attention.items[shown.tolist()])
    ]
    values = np.vstack([weights[shown], sink.sum(axis=0, keepdims=True)])[:, :MOST_TOKENS]
    tokens = [_shown(text) for text in attention.rows["text"][:MOST_TOKENS]]
    tops = _tops(attention, layer, head)[:MOST_TOKENS]
    with plot_style([*names, *tokens]):
        ax = axes_or_new(ax, 9, 2.1 + 0.25 * len(names))
        _heat(ax, values, "share of the head's attention", values)
        _item_axis(ax, [*names, "sinks"])
        turned: dict[str, Any] = {"rotation": 90} if len(tokens) * max(map(len, tokens)) > WIDEST else {}
        ax.set_xticks(range(len(tokens)), tokens, **turned)
        ax.set_xlabel(f"{attention.source}  ·  layer {layer}, head {head}")
        top = ax.secondary_xaxis("top")
        top.set_xticks(range(len(tops)), tops, **turned)
        top.tick_params(length=0, colors=INK)
        top.spines[:].set_visible(False)
        top.set_xlabel("token that it looks at most  ·  a dot: a sink")
    return ax


def _which(attention: Attention, layer: int | None, head: int | None) -> tuple[int, int]:
    """Return the layer and head asked for, where None is that which copies most."""
    for name, each, size in zip(("layer", "head"), (layer, head), attention.mass.shape, strict=False):
        if each is not None and not 0 <= each < size:
            raise HydralabError(f"plot_attention_head: {name} {each}, expected 0 to {size - 1}")
    copies = retrieval_heads(
        attention.sums.top_key, attention.layout.ids, attention.rows["token_id"].to_numpy()
    )
    often = copies.sum(axis=2)
    for axis, each in enumerate((layer, head)):
        if each is not None:
            others = np.arange(often.shape[axis]) != each
            often[(others, slice(None)) if axis == 0 else (slice(None), others)] = -1
    found = np.unravel_index(int(often.argmax()), often.shape)
    return int(found[0]), int(found[1])


def _tops(attention: Attention, layer: int, head: int) -> list[str]:
    keys = attention.sums.top_key[layer, head]
    sinks = attention.sums.sink_keys[layer, head][keys]
    texts = attention.tokens["text"].gather(keys).to_list()
    return ["·" if sink else _shown(text) for text, sink in zip(texts, sinks, strict=True)]


def _most(shares: NDArray[np.floating]) -> NDArray[np.int64]:
    """Return the rows with most attention, in the order of the prompt."""
    return np.sort(np.argsort(-np.nansum(shares, axis=1), kind="stable")[:MOST_ITEMS])


def _lifted(shares: NDArray[np.floating], items: pl.DataFrame) -> NDArray[np.floating]:
    """Return the lift of each item (items, layers); NaN for one without tokens."""
    lengths = items["tokens"].to_numpy()
    return np.stack([lift(share, lengths) for share in shares.T], axis=1)


def _heat(ax: Axes, values: NDArray[np.floating], measure: str, compared: NDArray[np.floating]) -> None:
    """Draw values as colours, of which the strongest is that of the strongest among those compared."""
    colors = load_optional("matplotlib.colors", extra="notebook", purpose="a plot")
    # The colours fade into what lies below the figure, so that both themes of a notebook are followed.
    if measure == "lift":
        stops = [BLUE, f"{BLUE}00", f"{ORANGE}00", ORANGE]
        places = [0, 0.5, 0.5, 1]
        limit = min(max(float(np.abs(compared[np.isfinite(compared)]).max(initial=0)), 0.5), FARTHEST_LIFT)
        low, label = -limit, "lift"
    else:
        stops, places = [f"{BLUE}00", BLUE], [0, 1]
        limit, low, label = float(np.nanmax(compared, initial=0)) or 1.0, 0.0, SHARES.get(measure, measure)
    scale = colors.LinearSegmentedColormap.from_list("hydralab", list(zip(places, stops, strict=True)))
    picture = ax.imshow(values, cmap=scale, vmin=low, vmax=limit, aspect="auto", interpolation="nearest")
    figure = ax.figure
    bar = figure.colorbar(picture, ax=ax, pad=0.015, fraction=0.04, aspect=14)
    bar.set_label(label)
    bar.outline.set_visible(False)
    if measure != "lift":
        bar.ax.yaxis.set_major_formatter(
            load_optional("matplotlib.ticker", extra="notebook", purpose="a plot").PercentFormatter(1)
        )


def _item_axis(ax: Axes, names: Sequence[str]) -> None:
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def _shown(text: str) -> str:
    """Return a token as it can stand on an axis: a space is seen, a dollar sign starts no formula."""
    return text.strip(" ").replace("\n", "⏎").replace("$", r"\$") or "␣"
