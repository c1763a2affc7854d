"""Fitting a trigger to boundaries that a person marked: logistic regression, calibrated, by scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.encoders import Encoder, embed, get_encoder
from hydralab.errors import HydralabError, check_value
from hydralab.frames import check_table, validate
from hydralab.optional import load_optional
from hydralab.signals import (
    CueWord,
    Intent,
    Question,
    RefersBack,
    Shift,
    ShiftRaw,
    Signal,
    Tokens,
    TurnLength,
)
from hydralab.signals.compute import check_vectors, chosen_signals, dialogue_slices
from hydralab.texts import key_texts
from hydralab.triggers.learned import DECIMALS, LearnedTrigger, features_of, written_signals

__all__ = ["fit_trigger", "learnable_signals"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

FOLDS = 5
LEAST_BOUNDARIES = 5
TINY = 1e-9


def learnable_signals(encoder: str = "use") -> dict[str, Signal]:
    """Return the signals that a trigger is fitted on where none are named: look-ahead of one turn.

    >>> list(learnable_signals())[:3]
    ['shift_next', 'shift_raw', 'shift_wide']
    """
    return {
        "shift_next": ShiftRaw(window=1, lag=0),
        "shift_raw": ShiftRaw(window=3, lag=1),
        "shift_wide": ShiftRaw(window=6, lag=1),
        "shift": Shift(prior=encoder),
        "question": Question(),
        "tokens": Tokens(),
        "turn_length": TurnLength(),
        "cue": CueWord(),
        "refers_back": RefersBack(),
        "topic_change": Intent("topic_change"),
    }


def fit_trigger(
    turns: pl.DataFrame,
    gold: pl.DataFrame,
    vectors: NDArray[np.float32] | None = None,
    *,
    encoder: str | Encoder | Callable[[list[str]], Any] = "use",
    signals: Mapping[str, Signal] | None = None,
    pairs: bool = True,
    strength: float = 0.05,
) -> LearnedTrigger:
    """Learn from marked boundaries where new spans start.

    A logistic regression on signals and on the vectors of the two turns around a gap. Its log-odds are calibrated
    on dialogues that it wasn't fitted on (five folds; of one dialogue, stretches of it), and it fires above the
    probability that would have given those the best F1.

    Parameters
    ----------
    turns
        Turns table of one or more dialogues, each in one piece.
    gold
        Gold table, such as a corpus' or ``stepper.gold``; of several annotators, every boundary counts that one of
        them marked. Dialogues without any are taken for uncut ones.
    vectors
        Float32 (n, d), row by row with the turns; computed by `encoder` when None.
    encoder
        What makes the vectors, or its name where they are given.
    signals
        Column name → registered signal; `learnable_signals` when None. None may need the whole dialogue.
    pairs
        Whether the vectors of a pair are features, too. They know what turns sound like at the start of a topic;
        without them a model of a few hundred turns is steadier.
    strength
        Inverse of the ridge, above 0; higher follows the gold more closely.

    Raises
    ------
    HydralabError
        Less than 5 boundaries or 5 other turns, gold at a turn that isn't there, or a signal that needs the whole
        dialogue.
    MissingExtraError
        scikit-learn isn't installed.

    References
    ----------
    Platt, "Probabilistic outputs for support vector machines", 1999, for the calibration.

    >>> import hydralab as hl
    >>> corpus = hl.read_all(hl.example("long_en"))
    >>> model = hl.fit_trigger(corpus.turns, corpus.gold, pairs=False)
    >>> model.trigger().lookahead
    1
    """
    check_table("turns", turns)
    check_value("fit_trigger: strength", strength, "float")
    if not strength > 0:
        raise HydralabError(f"fit_trigger: strength is {strength}, expected a number above 0")
    name = encoder if isinstance(encoder, str) else get_encoder(encoder).name
    rows = embed(key_texts(turns), encoder).vectors if vectors is None else vectors
    check_vectors(rows, turns)
    chosen = dict(learnable_signals(name) if signals is None else chosen_signals(signals, rows))
    _check_lookahead(chosen)
    features, labels, groups = _examples(turns, gold, rows, chosen, pairs)
    _check_boundaries(labels)
    with np.errstate(invalid="ignore"):
        mean, scale = _centred(features, rows.shape[1] if pairs else 0)
    centred = np.nan_to_num((features - mean) / scale)
    weights, bias = _regression(centred, labels, strength)
    unseen = _unseen_logits(centred, labels, groups, strength)
    steepness, shift = _regression(unseen[:, None], labels, 1e6)
    # A slope that turned round would say that nothing was learned, not that the opposite holds.
    slope = max(float(steepness[0]), TINY)
    limit = _best_threshold(slope * unseen + shift, labels)
    return LearnedTrigger(
        signals=written_signals(chosen),
        dim=rows.shape[1] if pairs else 0,
        encoder=name,
        mean=_plain(mean),
        scale=_plain(scale),
        weights=_plain(slope * weights),
        bias=round(slope * bias + shift, DECIMALS),
        threshold=round(float(1 / (1 + np.exp(-limit))), DECIMALS),
        turns=turns.height,
        boundaries=int(labels.sum()),
    )


def _check_lookahead(signals: Mapping[str, Signal]) -> None:
    for name, signal in signals.items():
        if signal.lookahead == "all":
            raise HydralabError(
                f"fit_trigger: signal {name!r} needs the whole dialogue, expected a look-ahead"
            )


def _check_boundaries(labels: Bools) -> None:
    boundaries, others = labels.sum(), (~labels).sum()
    if min(boundaries, others) < LEAST_BOUNDARIES:
        raise HydralabError(
            f"fit_trigger: {boundaries} boundaries and {others} other turns, expected at least "
            f"{LEAST_BOUNDARIES} of each"
        )


def _unseen_logits(features: Floats, labels: Bools, groups: NDArray[np.int64], strength: float) -> Floats:
    """Return the log-odds of each example by what was learned of the other folds."""
    logits = np.empty(len(labels))
    for fold in range(FOLDS):
        own = groups == fold
        weights, bias = _regression(features[~own], labels[~own], strength)
        logits[own] = features[own] @ weights + bias
    return logits


def _examples(
    turns: pl.DataFrame,
    gold: pl.DataFrame,
    vectors: NDArray[np.float32],
    signals: Mapping[str, Signal],
    pairs: bool,
) -> tuple[Floats, Bools, NDArray[np.int64]]:
    """Return features, labels and folds of every turn but the first of each dialogue."""
    marks = validate("gold", gold).select("dialogue_id", "position").unique()
    keys = turns.select("dialogue_id", "position").with_columns(pl.lit(value=True).alias("here"))
    own_marks = marks.filter(pl.col("dialogue_id").is_in(turns["dialogue_id"].unique().implode()))
    misplaced = own_marks.join(keys, on=["dialogue_id", "position"], how="anti")
    if misplaced.height:
        raise HydralabError(f"fit_trigger: gold at {misplaced.row(0)}, expected positions of turns")
    marked = keys.join(
        marks.with_columns(pl.lit(value=True).alias("marked")),
        on=["dialogue_id", "position"],
        how="left",
        maintain_order="left",
    )["marked"].fill_null(value=False)
    labels = marked.to_numpy()
    slices = list(dialogue_slices(turns))
    parts = [features_of(turns[each], vectors[each], signals, pairs=pairs)[1:] for each in slices]
    counted = np.ones(turns.height, dtype=bool)
    counted[[each.start for each in slices]] = False
    sizes = [each.stop - each.start - 1 for each in slices]
    total = sum(sizes)
    if len(slices) < FOLDS:
        groups = np.arange(total) * FOLDS // max(total, 1)
    else:
        groups = np.repeat(np.arange(len(slices)) % FOLDS, sizes)
    return np.concatenate(parts), labels[counted], groups


def _centred(features: Floats, dim: int) -> tuple[Floats, Floats]:
    """Return what is taken off each feature, and what it is divided by; vectors of a pair keep their scale."""
    unknown = np.isnan(features).all(axis=0)
    mean, scale = np.zeros(features.shape[1]), np.ones(features.shape[1])
    mean[~unknown] = np.nanmean(features[:, ~unknown], axis=0)
    spread = np.nanstd(features[:, ~unknown], axis=0)
    scale[~unknown] = np.where(spread > TINY, spread, 1.0)
    if dim:
        scale[-3 * dim :] = 1.0
    return mean, scale


def _regression(features: Floats, labels: Bools, strength: float) -> tuple[Floats, float]:
    linear = load_optional("sklearn.linear_model", extra="learn", purpose="fit_trigger")
    if labels.all() or not labels.any():
        raise HydralabError(
            "fit_trigger: a fifth of the dialogues holds all boundaries, expected them spread"
        )
    fitted = linear.LogisticRegression(C=strength, max_iter=500).fit(features, labels)
    return fitted.coef_[0], float(fitted.intercept_[0])


def _best_threshold(logits: Floats, labels: Bools) -> float:
    """Return the log-odds above which the F1 of the boundaries is best, halfway between two that were seen."""
    order = np.argsort(-logits, kind="stable")
    falling, hits = logits[order], np.cumsum(labels[order])
    f1 = 2 * hits / (np.arange(1, len(labels) + 1) + labels.sum())
    ends = np.flatnonzero(falling[:-1] > falling[1:])  # equal ones can't be told apart by a threshold
    if not ends.size:
        return float(falling[-1])
    best = int(ends[f1[ends].argmax()])
    return float(falling[best] + falling[best + 1]) / 2


def _plain(values: Floats) -> tuple[float, ...]:
    return tuple(values.round(DECIMALS).tolist())
