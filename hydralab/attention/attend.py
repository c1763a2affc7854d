"""Run a model over a packed context and its answer, and see which items it attends to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.attention.capture import FIRST_TOKENS, Capture, Sums
from hydralab.attention.controls import ablate, answer_ids, leave_one_out
from hydralab.attention.hook import capturing
from hydralab.attention.measures import distance_adjusted_lift, sink_free_mass
from hydralab.attention.models import LanguageModel, load_language_model
from hydralab.attention.result import NO_ITEMS, Attention
from hydralab.attention.running import BATCH_TOKENS, check_length, log_probabilities, write_answer
from hydralab.attention.shuffling import SHUFFLED, orders
from hydralab.attention.spans import Layout, lay_out
from hydralab.attention.verifying import verify
from hydralab.errors import HydralabError
from hydralab.packing import Context

__all__ = ["attend"]

SOURCES = ("answer", "query")

Ids = NDArray[np.int64]


def attend(
    model: str | LanguageModel | tuple[Any, Any],
    ctx: Context,
    answer: str | None = None,
    *,
    max_new_tokens: int = 64,
    source: str = "answer",
    with_control: bool = True,
    with_rollout: bool = False,
    shuffles: int = 0,
    ablations: int = 0,
    batch_tokens: int = BATCH_TOKENS,
    seed: int = 0,
) -> Attention:
    """Read which items of a context a model attends to when it reads its prompt and writes its answer.

    Attention is summed to items inside the attention call, so memory stays near that of a plain run: beside
    it about 4·L·H·(2·R·S + n) bytes, never n × n.

    Parameters
    ----------
    model
        What `load_language_model` takes: "smollm2", a Hugging Face id, a folder, (model, tokenizer).
    ctx
        A packed context, of `lab.hydrate`, `run.step` or `pack`.
    answer
        The answer to read along. When None the model writes it first, the likeliest token each time.
    max_new_tokens
        The longest answer that it writes.
    source
        "answer": from each token of the answer, at the position that predicts it. "query": from each token
        of the query, which an encoder can do too; nothing is written then.
    with_control
        Leave each item out and see what the answer's log-probability does, since attention alone is no
        proof of use. Cost: a run of the model an item. There is none without an answer.
    with_rollout
        Also roll attention out through the layers. Cost: every row of every layer is computed, about a
        plain run more.
    shuffles
        In so many orders of the recalled items the attention is read again, for `adjusted_lift`. Cost: a run an
        order; as many as there are items in a section, or a multiple, is best.
    ablations
        So many random ablations for a sparse regression (32 to 64). Cost: a run each, on about half the items.
    batch_tokens
        So many tokens of the control go through the model at once.

    Returns
    -------
    Attention
        `.measures()` is the table to begin with, `.frame` all of it, `.agreement()` the rank correlation of
        lift and leaving out.

    Raises
    ------
    HydralabError
        The prompt is longer than the model takes, its chat template rewrites the texts, or its attention
        can't be read rightly: the message says which.

    Notes
    -----
    The control is summed in batches and attention read one prompt at a time. A model is checked once
    against its own slow attention on the first tokens of the prompt.
    """
    if source not in SOURCES:
        raise HydralabError(f"attend: source is {source!r}, expected 'answer' or 'query'")
    loaded = load_language_model(model)
    kept = ctx.kept.sort("order")
    layout = lay_out(loaded, kept)
    written = answer is None and source == "answer"
    ids = _answer(loaded, layout, answer, written, max_new_tokens)
    check_length(loaded, len(layout.ids) + len(ids))
    verify(loaded, layout.ids)
    reading = _read(loaded, layout, ids, source, with_rollout)
    found = Attention(
        model=loaded.name,
        context=ctx,
        answer=_text(loaded, ids) if answer is None else answer,
        written=written,
        source=source,
        layout=layout,
        rows=reading.rows,
        tokens=reading.tokens,
        sums=reading.sums,
    )
    if shuffles:
        found = replace(found, adjusted=_adjust(loaded, found, kept, ids, shuffles, seed))
    if len(ids) and with_control:
        found = replace(found, control=leave_one_out(loaded, ctx, ids, batch_tokens=batch_tokens))
    if len(ids) and ablations:
        ablated = ablate(loaded, ctx, ids, ablations=ablations, seed=seed, batch_tokens=batch_tokens)
        found = replace(found, ablated=ablated)
    return found


@dataclass(frozen=True, eq=False)
class _Reading:
    sums: Sums
    rows: pl.DataFrame
    tokens: pl.DataFrame


def _answer(model: LanguageModel, layout: Layout, answer: str | None, written: bool, most: int) -> Ids:
    if answer is not None:
        return answer_ids(model, answer)
    if not written:
        return np.zeros(0, dtype=np.int64)
    if not model.can_answer:
        raise HydralabError(
            f"attend: {model.name!r} is an encoder and writes no answer; ask with source='query'"
        )
    if most < 1:
        raise HydralabError(f"attend: max_new_tokens is {most}, expected at least 1")
    check_length(model, len(layout.ids) + most)
    return write_answer(model, layout.ids, most)


def _read(model: LanguageModel, layout: Layout, answer: Ids, source: str, with_rollout: bool) -> _Reading:
    """Run the model once over prompt and answer."""
    before = len(layout.ids)
    ids = np.concatenate([layout.ids, answer])
    segments = np.concatenate([layout.segments, np.full(len(answer), layout.items.height - 1)])
    predicted = np.arange(before - 1, len(ids) - 1)
    rows = predicted if source == "answer" else _query_rows(layout)
    capture = Capture(
        rows=rows,
        segments=segments,
        count=layout.items.height,
        first=FIRST_TOKENS if model.can_answer else 1,
        with_rollout=with_rollout,
    )
    with capturing(model.network, capture):
        chances = log_probabilities(model, ids, predicted)
    told = ids[rows + 1] if source == "answer" else ids[rows]
    pieces = model.pieces(ids.tolist())
    return _Reading(
        sums=capture.sums(),
        rows=pl.DataFrame(
            {
                "from": np.arange(len(rows), dtype=np.int32),
                "position": rows,
                "token_id": told,
                "text": [pieces[place] for place in (rows + 1 if source == "answer" else rows)],
                "log_probability": chances if source == "answer" else np.full(len(rows), np.nan),
            },
            nan_to_null=True,
        ),
        tokens=pl.DataFrame(
            {
                "position": np.arange(len(ids)),
                "token_id": ids,
                "text": pieces,
                "to": segments.astype(np.int32),
            }
        ),
    )


def _query_rows(layout: Layout) -> Ids:
    query = layout.items.filter(pl.col("section") == "query")["to"]
    rows = np.flatnonzero(np.isin(layout.segments, query.to_numpy()))
    if not len(rows):
        raise HydralabError("attend: the query has no token of its own to look from")
    return rows


def _text(model: LanguageModel, ids: Ids) -> str:
    return "".join(model.pieces(ids.tolist()))


def _adjust(
    model: LanguageModel, found: Attention, kept: pl.DataFrame, answer: Ids, shuffles: int, seed: int
) -> pl.DataFrame:
    """Return the lift of the items that can be moved, over several orders of them."""
    items = found.items
    moved = items["section"].is_in(SHUFFLED).to_numpy()
    compared = ~items["section"].is_in(NO_ITEMS).to_numpy()
    shares = []
    for order in orders(kept, shuffles, seed=seed):
        frame = kept[order].with_columns(pl.int_range(pl.len(), dtype=pl.Int64).alias("order"))
        sums = _read(model, lay_out(model, frame), answer, found.source, False).sums
        mass, _ = sink_free_mass(sums.mass, sums.sink)
        share = np.zeros(len(mass))
        share[order] = mass[: len(order)]
        shares.append(share[compared])
    adjusted = np.full(items.height, np.nan)
    adjusted[compared] = distance_adjusted_lift(np.asarray(shares), items["tokens"].to_numpy()[compared])
    return (
        items.select("to", "item_id")
        .with_columns(pl.Series("adjusted_lift", np.where(np.isfinite(adjusted), adjusted, np.nan)))
        .filter(pl.Series(moved))
        .with_columns(pl.col("adjusted_lift").fill_nan(None))
    )
