"""What `attend` found: arrays of attention by segment, and tables to look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.attention.capture import Sums
from hydralab.attention.measures import (
    UNSTABLE_TOKENS,
    agreement,
    lift,
    mass,
    retrieval_heads,
    retrieval_mass,
    sink_free_mass,
)
from hydralab.attention.spans import Layout
from hydralab.errors import HydralabError, unknown_name
from hydralab.packing import Context

__all__ = ["Attention"]

NO_ITEMS = ("template", "answer")

Pick = int | list[int] | slice | None


@dataclass(frozen=True, eq=False)
class Attention:
    """Where a model looked, from each answer token (or token of the query) to each item of its prompt.

    L layers, H heads, R rows, S segments, n tokens of prompt and answer. Segments 0 to S − 3 are the kept
    items in the order of the prompt, S − 2 is template text (of the chat template, and the tags around
    recalled items), S − 1 the answer's own tokens.

    Attributes
    ----------
    model
        The model's name.
    context
        What was sent.
    answer
        The answer that was read along; empty when there is none.
    written
        Whether the model wrote the answer itself.
    source
        "answer": a row is a token of the answer, and its attention that of the position the token was
        predicted at, one before it. "query": a row is a token of the query, and its attention its own.
    layout
        Prompt, ids, segment of each token, items.
    rows
        from (Int32, 0 to R − 1), position (Int64, in prompt and answer), token_id (Int64), text, and
        log_probability (Float64, nats; null for rows of the query).
    tokens
        position, token_id, text (joined they are prompt and answer), to (Int32, the segment).
    sums
        The arrays; see `Sums`.
    control
        to, item_id, effect, reason of `leave_one_out`; null when it was not asked for or can't be had.
    adjusted
        to, item_id, adjusted_lift; null unless orders were asked for.
    ablated
        to, item_id, weight of `ablate`; null unless ablations were asked for.
    """

    model: str
    context: Context = field(repr=False)
    answer: str
    written: bool
    source: str
    layout: Layout = field(repr=False)
    rows: pl.DataFrame = field(repr=False)
    tokens: pl.DataFrame = field(repr=False)
    sums: Sums = field(repr=False)
    control: pl.DataFrame | None = field(default=None, repr=False)
    adjusted: pl.DataFrame | None = field(default=None, repr=False)
    ablated: pl.DataFrame | None = field(default=None, repr=False)

    @property
    def mass(self) -> NDArray[np.float32]:
        """Attention by segment, float32 (L, H, R, S); rows sum to one."""
        return self.sums.mass

    @property
    def items(self) -> pl.DataFrame:
        """A row a segment: to, section, item_id, label, text, start, end, tokens, shared; see `Layout`."""
        return self.layout.items.with_columns(
            pl.when(pl.col("section") == "answer")
            .then(len(self.tokens) - len(self.layout.ids))
            .otherwise("tokens")
            .alias("tokens")
        )

    @property
    def log_probability(self) -> float | None:
        """Log p of the whole answer, in nats."""
        found = self.rows["log_probability"]
        return None if found.null_count() else float(found.sum())

    @cached_property
    def frame(self) -> pl.DataFrame:
        """All attention as a table of L·H·R·S rows.

        layer and head (UInt16, from 0), from (Int32, of `rows`), to (Int32, of `items`), item_id (Enum, or
        String where ids repeat), mass (Float32), sink (Float32, the part of mass that goes to sinks) and
        mass_per_token (Float32; null for a segment without tokens). 25 bytes a row: for large models and
        long answers work with the arrays.
        """
        layer, head, row, to = (
            axis.ravel() for axis in np.indices(self.mass.shape, dtype=np.int32, sparse=False)
        )
        ids = self.items["item_id"]
        names = ids.gather(to)
        lengths = self.items["tokens"].to_numpy()
        with np.errstate(divide="ignore", invalid="ignore"):
            per_token = (self.mass / lengths.astype(np.float32)).ravel()
        return pl.DataFrame(
            {
                "layer": layer.astype(np.uint16),
                "head": head.astype(np.uint16),
                "from": row,
                "to": to,
                "item_id": names.cast(pl.Enum(ids)) if ids.n_unique() == len(ids) else names,
                "mass": self.mass.ravel(),
                "sink": self.sums.sink.ravel(),
                "mass_per_token": np.where(np.isfinite(per_token), per_token, np.nan),
            },
            nan_to_null=True,
        )

    def measures(self, *, layers: Pick = None, heads: Pick = None, rows: Pick = None) -> pl.DataFrame:
        """Return every measure of every segment, over all layers, heads and rows, or some.

        Parameters
        ----------
        layers, heads, rows
            A number, several, or a slice; all when None.

        Returns
        -------
        DataFrame
            A row a segment, and a last one for the sinks. Columns (Float64 unless said):

            - to (Int32), section, item_id, label, tokens (Int64) as in `items`; "sink" for the last row;
            - mass, mass_per_token;
            - sink_free: mass without sinks; the last row holds what was dropped, and all sum to one;
            - lift: of sink-free mass over length, among the items only; unstable (Boolean): under 5 tokens;
            - retrieval: mass over heads and rows that copy; null where none does;
            - rollout: over all layers and heads; null unless asked for;
            - leave_one_out, ablation, adjusted_lift: of the whole model, whatever is picked; null where not
              asked for, or not of that segment.

            The caveat of each stands in `hydralab.attention.measures` and `hydralab.attention.controls`.
        """
        pick = _pick(self.mass.shape, layers, heads, rows)
        weights, sink = self.mass[pick], self.sums.sink[pick]
        whole = mass(weights)
        kept, dropped = sink_free_mass(weights, sink)
        items = self.items
        is_item = ~items["section"].is_in(NO_ITEMS).to_numpy()
        lifted = np.full(len(whole), np.nan)
        lengths = items["tokens"].to_numpy()
        lifted[is_item] = lift(kept[is_item], lengths[is_item])
        with np.errstate(divide="ignore", invalid="ignore"):
            per_token = np.where(lengths > 0, whole / lengths, np.nan)
        rolled = self.sums.rollout
        table = items.select("to", "section", "item_id", "label", "tokens").with_columns(
            pl.Series("mass", whole),
            pl.Series("mass_per_token", per_token),
            pl.Series("sink_free", kept),
            pl.Series("lift", np.where(np.isfinite(lifted), lifted, np.nan)),
            (pl.col("tokens") < UNSTABLE_TOKENS).alias("unstable"),
            pl.Series("retrieval", self._retrieval(pick)),
            pl.Series(
                "rollout",
                np.full(len(whole), np.nan) if rolled is None else rolled[pick[2].ravel()].mean(axis=0),
                dtype=pl.Float64,
            ),
        )
        for name, frame, column in self._beside():
            found = pl.lit(None, dtype=pl.Float64) if frame is None else pl.col(name)
            if frame is not None:
                table = table.join(
                    frame.select("to", pl.col(column).alias(name)), on="to", how="left", maintain_order="left"
                )
            table = table.with_columns(found.alias(name))
        table = table.with_columns(pl.col(pl.Float64).fill_nan(None))
        sinks = pl.DataFrame({"section": ["sink"], "item_id": ["sink"], "sink_free": [dropped]})
        return pl.concat([table, sinks], how="diagonal")

    def by(self, axis: str, *, layers: Pick = None, heads: Pick = None, rows: Pick = None) -> pl.DataFrame:
        """Return the mass of each segment along one axis, mean over the others: for maps and streams.

        Parameters
        ----------
        axis
            "layer" (a layer × segment map), "head" (each head of each layer) or "from" (where each word looked).
        layers, heads, rows
            As in `measures`.

        Returns
        -------
        DataFrame
            layer (Int32) for "layer"; layer and head for "head"; from (Int32) for "from"; then to (Int32), item_id,
            mass and sink_free (Float64). Segments follow each other fastest, in order.
        """
        known = {"layer": ("layer",), "head": ("layer", "head"), "from": ("from",)}
        if axis not in known:
            raise unknown_name("axis", axis, known)
        pick = _pick(self.mass.shape, layers, heads, rows)
        names = ("layer", "head", "from")
        others = tuple(i for i, name in enumerate(names) if name not in known[axis])
        means = [each[pick].mean(axis=others, dtype=np.float64) for each in (self.mass, self.sums.sink)]
        numbers = [pick[i].ravel() for i, name in enumerate(names) if name in known[axis]]
        grid = np.meshgrid(*numbers, self.items["to"].to_numpy(), indexing="ij")
        places = {
            name: each.ravel().astype(np.int32) for name, each in zip((*known[axis], "to"), grid, strict=True)
        }
        return pl.DataFrame(places).with_columns(
            self.items["item_id"].gather(places["to"]).alias("item_id"),
            pl.Series("mass", means[0].ravel()),
            pl.Series("sink_free", (means[0] - means[1]).ravel()),
        )

    def agreement(self, measure: str = "lift") -> float:
        """Return the rank correlation of a measure and leaving each item out; NaN when there is too little.

        Items of fewer than five tokens are left out.
        """
        table = self.measures()
        if measure not in table.columns:
            raise unknown_name("measure", measure, table.columns[5:])
        table = table.filter(~pl.col("unstable"))
        return agreement(table[measure].cast(pl.Float64).to_numpy(), table["leave_one_out"].to_numpy())

    def item_tokens(self, to: int, *, layers: Pick = None, heads: Pick = None) -> pl.DataFrame:
        """Return the tokens of one segment with the attention each got, to shade its text by.

        Returns
        -------
        DataFrame
            position (Int64), text, mass (Float64, mean over the picked layers and heads and all rows),
            sink (Float64, in which share of these heads the token is a sink).
        """
        if not 0 <= to < self.items.height:
            raise HydralabError(f"item_tokens: segment {to}, expected 0 to {self.items.height - 1}")
        layer, head, _ = _pick(self.mass.shape, layers, heads, None)
        chosen = layer[..., 0], head[..., 0]
        return (
            self.tokens.with_columns(
                pl.Series("mass", self.sums.token_mass[chosen].mean(axis=(0, 1), dtype=np.float64)),
                pl.Series("sink", self.sums.sink_keys[chosen].mean(axis=(0, 1), dtype=np.float64)),
            )
            .filter(pl.col("to") == to)
            .select("position", "text", "mass", "sink")
        )

    def _beside(self) -> list[tuple[str, pl.DataFrame | None, str]]:
        return [
            ("leave_one_out", self.control, "effect"),
            ("ablation", self.ablated, "weight"),
            ("adjusted_lift", self.adjusted, "adjusted_lift"),
        ]

    def _retrieval(self, pick: tuple[NDArray[np.int64], ...]) -> NDArray[np.float64]:
        if self.source != "answer":
            return np.full(self.mass.shape[-1], np.nan)
        copying = retrieval_heads(self.sums.top_key, self.layout.ids, self.rows["token_id"].to_numpy())
        return retrieval_mass(self.mass[pick], copying[pick])


def _pick(
    shape: tuple[int, ...], layers: Pick, heads: Pick, rows: Pick
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return open index arrays of the chosen layers, heads and rows."""
    chosen = []
    for name, size, asked in zip(("layers", "heads", "rows"), shape, (layers, heads, rows), strict=False):
        try:
            found = np.atleast_1d(np.arange(size)[slice(None) if asked is None else asked])
        except IndexError:
            found = np.zeros(0, dtype=np.int64)
        if not len(found):
            raise HydralabError(f"{name}={asked!r}, expected numbers from 0 to {size - 1}")
        chosen.append(found)
    return np.ix_(*chosen)  # type: ignore[return-value]
