"""What the figures of attention share: an item's name and colour, the words of an answer, shares of attention."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.attention.controls import REMOVABLE
from hydralab.errors import HydralabError, check_kind, unknown_name
from hydralab.theme import BAND_COLOURS, MARK_COLOURS, SERIES

if TYPE_CHECKING:
    from hydralab.attention import Attention

__all__ = [
    "BESIDE_NAMES",
    "ITEM_COLOURS",
    "MEASURES",
    "OTHER_COLOUR",
    "SHARES",
    "Pick",
    "check_attention",
    "check_share",
    "compared_items",
    "context_items",
    "format_measure",
    "item_colours",
    "item_names",
    "item_shares",
    "word_rows",
]

Pick = int | list[int] | None

MEASURES: Mapping[str, str] = MappingProxyType(
    {
        "mass": "mass",
        "mass_per_token": "mass per token",
        "sink_free": "sink-free mass",
        "lift": "lift",
        "adjusted_lift": "distance-adjusted lift",
        "retrieval": "retrieval-head mass",
        "rollout": "rollout",
        "leave_one_out": "leave one out",
        "ablation": "ablation",
    }
)
"""Column of `Attention.measures` → what a figure calls it."""

SHARES: Mapping[str, str] = MappingProxyType(
    {"sink_free": "sink-free mass", "lift": "sink-free mass per token"}
)
"""Measures that can be told of one word or one layer → what is compared between items."""

LOG_MEASURES = ("lift", "adjusted_lift")
EFFECTS = ("leave_one_out", "ablation")
BESIDE_NAMES: Mapping[str, str] = MappingProxyType(
    {"template": "chat template", "answer": "the answer itself", "sink": "sinks, dropped"}
)
"""Segments that are no items of the context → what a figure calls them."""


ITEM_COLOURS: tuple[str, ...] = (*SERIES[:5], BAND_COLOURS[2])
"""Colours of the items that get most attention; there are six, for more can't be told apart."""

OTHER_COLOUR = MARK_COLOURS["free"]

WORD_STARTS = re.compile(r"^\s|^[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|^[，。！？、；：（）「」《》]")


def context_items(attention: Attention) -> pl.DataFrame:
    """Return the segments that are items of the context: `Attention.items` without template and answer."""
    return attention.items.filter(~pl.col("section").is_in(list(BESIDE_NAMES)))


def compared_items(attention: Attention) -> NDArray[np.int64]:
    """Return the items that remembering put there, or that are recent; all of a context that has none.

    The query and the instructions are looked at whatever they say, and would hide what the others get.

    Returns
    -------
    int64, numbers of segments.
    """
    items = context_items(attention)
    wanted = items["section"].is_in(REMOVABLE)
    return items.filter(wanted if wanted.any() else True)["to"].to_numpy().astype(np.int64)


def item_names(items: pl.DataFrame) -> list[str]:
    """Return what each item is called: its label, or its section when it has none.

    >>> item_names(pl.DataFrame({"section": ["query", "recalled"], "label": [None, "turn 3"]}))
    ['query', 'turn 3']
    """
    return items.select(pl.coalesce("label", "section")).to_series().to_list()


def word_rows(pieces: Sequence[str]) -> list[list[int]]:
    """Return the rows of each word: tokens up to the next space, or up to the next Chinese character.

    >>> word_rows(["It", " was", " 84", ",", "500"])
    [[0], [1], [2, 3, 4]]
    >>> word_rows(["预", "算"])
    [[0], [1]]
    """
    words: list[list[int]] = []
    for row, piece in enumerate(pieces):
        if words and not WORD_STARTS.match(piece):
            words[-1].append(row)
        else:
            words.append([row])
    return words


def check_attention(attention: Attention) -> None:
    """Refuse what is no result of `hl.attend`."""
    from hydralab.attention import Attention

    check_kind("attention", attention, Attention, "what hl.attend returns")


def check_share(measure: str) -> None:
    """Refuse a measure that can't be told of one word or one layer."""
    if measure not in SHARES:
        raise unknown_name("measure of a word or a layer", measure, SHARES)


def item_shares(
    attention: Attention,
    measure: str = "sink_free",
    *,
    by: str,
    layers: Pick = None,
    heads: Pick = None,
) -> NDArray[np.float64]:
    """Return the share of all attention that goes to each item and not to a sink.

    Parameters
    ----------
    measure
        "sink_free", or "lift": the share per token of the item.
    by
        "row" (of the answer) or "layer".
    layers, heads
        A number or several; all when None.

    Returns
    -------
    float64 (R or L, items)

    Raises
    ------
    HydralabError
        For an unknown measure, or layers or heads that there are not.
    """
    check_share(measure)
    axes = {"row": (0, 1), "layer": (1, 2)}[by]
    items = context_items(attention)
    chosen = _chosen(attention, layers, heads)
    whole = attention.mass[chosen].mean(axis=axes, dtype=np.float64)
    kept = (whole - attention.sums.sink[chosen].mean(axis=axes, dtype=np.float64))[:, : items.height]
    if measure == "sink_free":
        return kept
    lengths = items["tokens"].to_numpy()
    return np.divide(kept, lengths, out=np.zeros_like(kept), where=lengths > 0)


def item_colours(attention: Attention) -> list[str]:
    """Return a colour an item: its own for those that most words look at most, one grey for the others.

    Only what `compared_items` names has a colour of its own, and six of these at most.
    """
    compared = compared_items(attention)
    if not len(compared):
        return []
    shares = item_shares(attention, "lift", by="row")
    firsts = np.bincount(shares[:, compared].argmax(axis=1), minlength=len(compared))
    ranked = np.lexsort((-shares[:, compared].mean(axis=0), -firsts))
    own = np.sort(compared[ranked[: len(ITEM_COLOURS)]]).tolist()
    return [ITEM_COLOURS[own.index(to)] if to in own else OTHER_COLOUR for to in range(shares.shape[1])]


def format_measure(measure: str, value: float | None) -> str:
    """Return a value as a figure shows it: shares as per cent, lift and effects with their sign.

    >>> format_measure("sink_free", 0.0457), format_measure("lift", -0.25), format_measure("lift", None)
    ('4.6 %', '−0.25', '–')
    """
    if value is None or not np.isfinite(value):
        return "–"
    if measure in LOG_MEASURES or measure in EFFECTS:
        digits = 2 if measure in LOG_MEASURES else 1
        return f"{value:+.{digits}f}".replace("-", "−")
    return f"{100 * value:.3f} %" if measure == "mass_per_token" else f"{100 * value:.1f} %"


def _chosen(attention: Attention, layers: Pick, heads: Pick) -> tuple[NDArray[np.int64], ...]:
    picked = []
    for name, size, asked in zip(("layers", "heads"), attention.mass.shape, (layers, heads), strict=False):
        try:
            picked.append(np.atleast_1d(np.arange(size)[slice(None) if asked is None else asked]))
        except IndexError:
            raise HydralabError(f"{name}={asked!r}, expected numbers from 0 to {size - 1}") from None
    return np.ix_(*picked)
