"""The state behind the AttentionExplorer: what is picked, and what is to be shown of it."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from hydralab.attention import Attention, agreement
from hydralab.errors import HydralabError, unknown_name
from hydralab.plots.attended import (
    BESIDE_NAMES,
    MEASURES,
    OTHER_COLOUR,
    compared_items,
    format_measure,
    item_names,
    item_shares,
)
from hydralab.widgets.compared_contexts import Side, described, sides_of
from hydralab.widgets.shading import ALL, MOST_TOKENS, shaded_text

__all__ = ["ALL", "MOST_TOKENS", "AttentionState", "Pick"]

CONTROL = "leave_one_out"
WHOLE = ("rollout", "adjusted_lift", "ablation")
"""Measures of the whole model and answer, whatever layer, head or word is picked."""


@dataclass(frozen=True)
class Pick:
    """What is looked at: a measure, a layer and head (or all), an item by its id, a word of the answer."""

    measure: str = "lift"
    layer: int = ALL
    head: int = ALL
    item: str = ""
    word: int = ALL


class AttentionState:
    """One or two results of `hl.attend` for the same query, and what is picked of them.

    Parameters
    ----------
    attentions
        One, or two that are compared.
    names
        What each is called.

    Raises
    ------
    HydralabError
        They aren't of one query, or of one shape of model.
    """

    def __init__(self, attentions: Sequence[Attention], names: Sequence[str]) -> None:
        for each in attentions:
            if not isinstance(each, Attention):
                raise HydralabError(
                    f"AttentionExplorer: got {type(each).__name__}, expected what hl.attend returns"
                )
        first, *others = attentions
        for other in others:
            if other.context.query != first.context.query:
                raise HydralabError(
                    f"AttentionExplorer: the contexts are of two queries, {first.context.query[:60]!r} and "
                    f"{other.context.query[:60]!r}; expected one"
                )
            if other.mass.shape[:2] != first.mass.shape[:2]:
                raise HydralabError(
                    f"AttentionExplorer: models of {first.mass.shape[:2]} and {other.mass.shape[:2]} layers and "
                    "heads can't be picked together; expected the same model"
                )
        if len(names) < len(attentions):
            raise HydralabError(f"AttentionExplorer: {len(names)} names, expected {len(attentions)}")
        self.sides = sides_of(names, attentions)
        self.pick = Pick(item=self._opened())

    @cached_property
    def measures(self) -> dict[str, str]:
        """The measures that both have: name → words."""
        tables = [side.attention.measures() for side in self.sides]
        return {
            name: words
            for name, words in MEASURES.items()
            if name != CONTROL and all(table[name].count() for table in tables)
        }

    def go(self, pick: Pick) -> None:
        """Look at something else; what there is not is refused, and nothing changes."""
        first = self.sides[0]
        if pick.measure not in self.measures:
            raise unknown_name("measure of attention", pick.measure, self.measures)
        limits = {"layer": first.attention.mass.shape[0], "head": first.attention.mass.shape[1]}
        for name, limit in {**limits, "word": len(first.words)}.items():
            if not ALL <= getattr(pick, name) < limit:
                raise HydralabError(
                    f"{name} {getattr(pick, name)}, expected 0 to {limit - 1}, or {ALL} for all"
                )
        known = {key for side in self.sides for key in side.keys}
        if pick.item and pick.item not in known:
            raise HydralabError(f"no item {pick.item!r} in what is compared")
        self.pick = pick

    def aside(self) -> AttentionState:
        """Return another that looks at the same; what one picks in it changes nothing here."""
        return copy(self)

    def frame(self) -> pl.DataFrame:
        """Return the measures of what is picked; `side` says of which, where two are compared."""
        tables = [self._measures(side) for side in self.sides]
        if len(tables) == 1:
            return tables[0]
        return pl.concat(
            table.select(pl.lit(side.name).alias("side"), pl.all())
            for side, table in zip(self.sides, tables, strict=True)
        )

    def overview(self) -> dict[str, Any]:
        """Return what stays the same: query, items, words, measures, the model's layers and heads."""
        layers, heads = self.sides[0].attention.mass.shape[:2]
        return {
            "query": self.sides[0].attention.context.query[:MOST_TOKENS],
            "model": self.sides[0].attention.model,
            "source": self.sides[0].attention.source,
            "layers": layers,
            "heads": heads,
            "measures": self.measures,
            "whole": list(WHOLE),
            "sides": [described(side, self.sides[0]) for side in self.sides],
        }

    def result(self) -> dict[str, Any]:
        """Return what is shown of the pick: values, their scale, where words looked, the item's tokens."""
        measured = self.measured(self.tables())
        beside = [{**self.looks(side), "text": self.text(side)} for side in self.sides]
        sides = [{**one, **other} for one, other in zip(measured["sides"], beside, strict=True)]
        return {"pick": vars(self.pick), "scale": measured["scale"], "sides": sides}

    def tables(self) -> list[pl.DataFrame]:
        """Return each side's measures for the layer, head and word of the pick."""
        return [self._measures(side) for side in self.sides]

    def measured(self, tables: Sequence[pl.DataFrame]) -> dict[str, Any]:
        """Return the picked measure of each side, with words for it, and the scale that holds for both."""
        measure = self.pick.measure
        return {
            "scale": {name: _scale(tables, name) for name in (measure, CONTROL)},
            "sides": [
                {
                    "values": _rounded(table[measure]),
                    "effects": _rounded(table[CONTROL]),
                    "told": [format_measure(measure, value) for value in table[measure]],
                    "agreement": self.agreement(table),
                }
                for table in tables
            ],
        }

    def looks(self, side: Side) -> dict[str, Any]:
        """Return the item that each word looked at most, and its share."""
        items, shares = self.looked(side)
        return {"looked": items, "shares": shares}

    def rows(self, side: int = 0) -> list[dict[str, str | float | None]]:
        """Return one side as rows in words, for a picture."""
        of = self.sides[side]
        table, measure = self._measures(of), self.pick.measure
        names = [BESIDE_NAMES.get(name, name) for name in item_names(table)]
        colours = [*of.colours, *[OTHER_COLOUR] * table.height]
        return [
            {
                "name": name,
                "colour": colours[place],
                "tokens": table["tokens"][place],
                **{each: table[each][place] for each in (measure, CONTROL)},
            }
            for place, name in enumerate(names)
        ]

    def agreement(self, table: pl.DataFrame) -> dict[str, Any]:
        """Return the rank correlation of what is shown with leaving out, and of how many items it is."""
        known = table.filter(
            ~pl.col("unstable"), pl.col(CONTROL).is_not_null(), pl.col(self.pick.measure).is_not_null()
        )
        found = agreement(known[self.pick.measure].cast(pl.Float64).to_numpy(), known[CONTROL].to_numpy())
        return {
            "items": known.height,
            "rho": round(found, 2) if np.isfinite(found) else None,
            "tried": table[CONTROL].count() > 0,
        }

    def looked(self, side: Side) -> tuple[list[int], list[float]]:
        """Return the item that each word looked at most for its length, and its share among those compared."""
        compared = compared_items(side.attention)
        if not len(compared) or not side.words:
            return [], []
        picked = {"layers": _one(self.pick.layer), "heads": _one(self.pick.head)}
        shares = item_shares(side.attention, "lift", by="row", layers=picked["layers"], heads=picked["heads"])
        of_words = np.asarray([shares[rows][:, compared].mean(axis=0) for rows in side.words])
        most = of_words.argmax(axis=1)
        whole = of_words.sum(axis=1)
        best = np.divide(of_words.max(axis=1), whole, out=np.zeros_like(whole), where=whole > 0)
        return compared[most].tolist(), [round(float(share), 3) for share in best]

    def _opened(self) -> str:
        """Return the item to begin with: that whose leaving out costs most, else that with most lift."""
        side = self.sides[0]
        compared = compared_items(side.attention)
        if not len(compared):
            return ""
        table = side.attention.measures()[compared.tolist()]
        for name in (CONTROL, "lift"):
            if table[name].count():
                return side.keys[int(compared[int(table[name].arg_max() or 0)])]
        return side.keys[int(compared[0])]

    def _measures(self, side: Side) -> pl.DataFrame:
        pick, rows = self.pick, None
        if pick.word != ALL and side.texts == self.sides[0].texts:
            rows = side.words[pick.word]
        return side.attention.measures(layers=_one(pick.layer), heads=_one(pick.head), rows=rows)

    def text(self, side: Side) -> dict[str, Any] | None:
        """Return the picked item's tokens with their shades; None where the context hasn't the item."""
        if self.pick.item not in side.keys:
            return None
        return shaded_text(
            side.attention, side.keys.index(self.pick.item), layer=self.pick.layer, head=self.pick.head
        )


def _one(number: int) -> int | None:
    return None if number == ALL else number


def _rounded(values: pl.Series) -> list[float | None]:
    return [None if value is None else float(f"{value:.4g}") for value in values]


def _scale(tables: Sequence[pl.DataFrame], name: str) -> list[float]:
    """Return the least and greatest value of all sides, with 0 between them."""
    values = np.concatenate([table[name].cast(pl.Float64).drop_nulls().to_numpy() for table in tables])
    return [min(float(values.min(initial=0)), 0.0), max(float(values.max(initial=0)), 0.0)]
