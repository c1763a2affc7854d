"""What taking items away does to the answer: the controls that measures of attention are read beside."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.attention.lasso import fit_lasso
from hydralab.attention.models import LanguageModel, load_language_model
from hydralab.attention.running import BATCH_TOKENS, check_length, score_sequences
from hydralab.attention.spans import prompt_ids
from hydralab.errors import HydralabError
from hydralab.packing import Context

__all__ = ["REMOVABLE", "ablate", "leave_one_out", "score_answers"]

REMOVABLE = ("memory", "checkpoint", "recalled", "recent")
"""Sections whose items are taken away; the instructions and the query always stay."""


def score_answers(
    model: str | LanguageModel, contexts: Sequence[Context], answer: str, *, batch_tokens: int = BATCH_TOKENS
) -> pl.DataFrame:
    """Return how likely an answer is after each of several contexts, to compare them for one query.

    Returns
    -------
    DataFrame
        log_probability (nats, sum over the answer's tokens; null when the context can't be rendered) and
        reason (why not, else null), a row a context.
    """
    loaded = load_language_model(model)
    frames = [ctx.kept.sort("order") for ctx in contexts]
    scores, reasons = score_frames(loaded, frames, answer_ids(loaded, answer), batch_tokens=batch_tokens)
    return pl.DataFrame(
        {"log_probability": scores, "reason": reasons},
        schema={"log_probability": pl.Float64, "reason": pl.String},
        nan_to_null=True,
    )


def answer_ids(model: LanguageModel, answer: str) -> NDArray[np.int64]:
    """Return the tokens of an answer as they follow a prompt."""
    if not model.can_answer:
        raise HydralabError(f"attend: {model.name!r} is an encoder and writes no answer; expected a decoder")
    ids = model.encode(answer)
    if not ids:
        raise HydralabError("attend: the answer is empty, expected at least one token")
    return np.asarray(ids, dtype=np.int64)


def score_frames(
    model: LanguageModel, frames: Sequence[pl.DataFrame], answer: NDArray[np.int64], *, batch_tokens: int
) -> tuple[NDArray[np.float64], list[str | None]]:
    """Return log p of an answer after each table of kept items, NaN with a reason where one can't be sent."""
    prompts: dict[int, NDArray[np.int64]] = {}
    reasons: list[str | None] = [None] * len(frames)
    for number, frame in enumerate(frames):
        try:
            prompts[number] = prompt_ids(model, frame)
            check_length(model, len(prompts[number]) + len(answer))
        except HydralabError as error:
            prompts.pop(number, None)
            reasons[number] = str(error)
    scores = np.full(len(frames), np.nan)
    if prompts:
        found = score_sequences(model, list(prompts.values()), answer, batch_tokens=batch_tokens)
        scores[list(prompts)] = found.sum(axis=1)
    return scores, reasons


def leave_one_out(
    model: str | LanguageModel,
    ctx: Context,
    answer: str | NDArray[np.int64],
    *,
    sections: Sequence[str] = REMOVABLE,
    batch_tokens: int = BATCH_TOKENS,
) -> pl.DataFrame:
    """Return what leaving each item out does to the log-probability of an answer.

    Causal, in the sense that the model really runs without the item. Caveats: of two items that say the
    same neither seems to matter, since the other stands in (`ablate` sees that); and the rest of the prompt
    moves up when an item goes, which by itself changes the answer a little.

    Parameters
    ----------
    answer
        Text, or its token ids.
    sections
        Whose items are left out; the query never is.
    batch_tokens
        So many tokens go through the model at once. One run of the model an item, and one for the whole;
        on a processor half of that, since what stands before the item runs once, for the memory of one
        prompt's keys and values.

    Returns
    -------
    DataFrame
        to (the item's number among the kept items), item_id, effect (nats: log p with the item less log p
        without it; above 0 when the item helps) and reason (null, or why the prompt can't be sent without
        it, as when a chat template wants user and assistant to take turns).
    """
    model = load_language_model(model)
    ids = answer_ids(model, answer) if isinstance(answer, str) else answer
    kept = ctx.kept.sort("order")
    numbers = _removable(kept, sections)
    frames = [kept, *(kept.filter(pl.int_range(pl.len()) != number) for number in numbers)]
    scores, reasons = score_frames(model, frames, ids, batch_tokens=batch_tokens)
    return pl.DataFrame(
        {
            "to": numbers,
            "item_id": kept["item_id"].gather(numbers),
            "effect": scores[0] - scores[1:],
            "reason": reasons[1:],
        },
        schema={"to": pl.Int32, "item_id": pl.String, "effect": pl.Float64, "reason": pl.String},
        nan_to_null=True,
    )


def ablate(
    model: str | LanguageModel,
    ctx: Context,
    answer: str | NDArray[np.int64],
    *,
    ablations: int = 32,
    sections: Sequence[str] = REMOVABLE,
    penalty: float = 0.01,
    seed: int = 0,
    batch_tokens: int = BATCH_TOKENS,
) -> pl.DataFrame:
    """Return the weight of each item in a sparse linear model of the answer's log-odds under ablation.

    Each item stays or goes by the toss of a coin, many times over; a lasso on who was there predicts the
    log-odds of the answer, per answer token. Unlike leaving one out it shares out what redundant items do
    between them, or gives it to one.

    Caveats: with fewer ablations than items the fit rests on sparsity alone; an effect that needs two items
    at once is not linear; weights of 32 ablations move with the seed.

    Parameters
    ----------
    ablations
        How often; 32 to 64 are usual. One run of the model each, on about half the items.
    penalty
        Of the lasso, on standardised columns, as in ContextCite; higher makes more weights 0.

    Returns
    -------
    DataFrame
        to, item_id, weight (nats of log-odds that the item adds to the whole answer).

    Raises
    ------
    HydralabError
        Fewer than 4 ablations, or fewer than 4 of them can be sent.

    Notes
    -----
    Cohen-Wang et al., "ContextCite: Attributing Model Generation to Context", 2024.
    """
    if ablations < 4:
        raise HydralabError(f"ablate: {ablations} ablations, expected at least 4")
    model = load_language_model(model)
    ids = answer_ids(model, answer) if isinstance(answer, str) else answer
    kept = ctx.kept.sort("order")
    numbers = _removable(kept, sections)
    present = np.random.default_rng(seed).random((ablations, len(numbers))) < 0.5
    frames = []
    for row in present:
        gone = [number for number, here in zip(numbers, row, strict=True) if not here]
        frames.append(kept.filter(~pl.int_range(pl.len()).is_in(gone)))
    scores, reasons = score_frames(model, frames, ids, batch_tokens=batch_tokens)
    sent = np.isfinite(scores)
    if sent.sum() < 4:
        told = next((reason for reason in reasons if reason), "")
        raise HydralabError(
            f"ablate: only {int(sent.sum())} of {ablations} ablated prompts can be sent: {told}"
        )
    weights = fit_lasso(
        present[sent].astype(np.float64), log_odds(scores[sent]) / len(ids), penalty=penalty
    ) * len(ids)
    return pl.DataFrame(
        {"to": numbers, "item_id": kept["item_id"].gather(numbers), "weight": weights},
        schema={"to": pl.Int32, "item_id": pl.String, "weight": pl.Float64},
    )


def log_odds(log_probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log(p / (1 − p)) of log p, exact for small and for large p."""
    capped = np.minimum(log_probabilities, -1e-12)
    return capped - np.log(-np.expm1(capped))


def _removable(kept: pl.DataFrame, sections: Sequence[str]) -> list[int]:
    """Return the numbers of the items that can be taken away: those of the sections, never the query."""
    chosen = pl.col("section").is_in(list(sections)) & (pl.col("section") != "query")
    numbers: list[int] = kept.select(chosen.arg_true()).to_series().to_list()
    return numbers
