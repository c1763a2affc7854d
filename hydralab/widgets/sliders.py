"""The sliders of recall and its settings, each made from the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from hydralab.errors import HydralabError, unknown_name
from hydralab.recall import BLENDS, SCORE_COLUMNS, Recall, weighted

__all__ = ["Sliders", "weights_of"]


@dataclass(frozen=True)
class Sliders:
    """What the sliders of recall say.

    Attributes
    ----------
    blend
        A name of `hl.BLENDS`; "" for the weights.
    weights
        (score column, weight) pairs, the largest weight 1; those of the named blend where there is one.
    turns, checkpoints
        The most candidates of each kind.
    budget
        Tokens for everything that is sent.

    >>> Sliders.named("dense").weights
    (('dense', 1.0),)
    """

    blend: str = ""
    weights: tuple[tuple[str, float], ...] = ()
    turns: int = 100
    checkpoints: int = 10
    budget: int = 1_000

    @classmethod
    def named(cls, blend: str, **others: Any) -> Sliders:
        """Return the sliders of a named blend."""
        return cls(blend=blend, weights=weights_of(blend), **others)

    @classmethod
    def of(cls, recall: Recall, *, budget: int) -> Sliders:
        """Return the sliders that show settings of recall.

        Raises
        ------
        HydralabError
            Their blend is an expression that is no weighted sum of scores.

        >>> Sliders.of(Recall(blend=pl.col("dense") + 2 * pl.col("lexical")), budget=500).weights
        (('dense', 0.5), ('lexical', 1.0))
        """
        limits = {"turns": recall.turns, "checkpoints": recall.checkpoints, "budget": budget}
        if isinstance(recall.blend, str):
            return cls.named(recall.blend, **limits)
        weights = weights_of(recall.blend)
        if not weights:
            raise HydralabError(
                f"blend: {recall.blend} is no weighted sum of scores, expected one that sliders can show"
            )
        return cls("", weights, **limits)

    @classmethod
    def of_json(cls, given: Mapping[str, Any]) -> Sliders:
        """Return the sliders that a browser sent."""
        blend = str(given["blend"])
        weights = (
            weights_of(blend)
            if blend
            else tuple((name, float(w)) for name, w in given["weights"].items() if w)
        )
        return cls(blend, weights, int(given["turns"]), int(given["checkpoints"]), int(given["budget"]))

    def to_json(self) -> dict[str, Any]:
        """Return the sliders for the browser."""
        return {
            "blend": self.blend,
            "weights": dict(self.weights),
            "turns": self.turns,
            "checkpoints": self.checkpoints,
            "budget": self.budget,
        }

    def recall(self, base: Recall | None = None) -> Recall:
        """Return the settings of recall.

        Parameters
        ----------
        base
            What stands in them beside what sliders show; its blend as long as the weights are those of it.

        Raises
        ------
        HydralabError
            Every weight is 0, or a column is no score.
        """
        base = Recall() if base is None else base
        for name, _ in self.weights:
            if name not in SCORE_COLUMNS:
                raise unknown_name("score column", name, SCORE_COLUMNS)
        if not self.blend and not self.weights:
            raise HydralabError("blend: every weight is 0, expected at least one that is not")
        blend: str | pl.Expr = self.blend or weighted(dict(self.weights))
        if not isinstance(base.blend, str) and self.weights == weights_of(base.blend):
            blend = base.blend
        return replace(base, blend=blend, turns=self.turns, checkpoints=self.checkpoints)


def weights_of(blend: str | pl.Expr) -> tuple[tuple[str, float], ...]:
    """Return the weights of a blend, the largest 1, no zeros; nothing where it is no weighted sum.

    >>> dict(weights_of("default"))["lexical"]
    1.0
    """
    trials = np.random.default_rng(0).random((8, len(SCORE_COLUMNS)))
    probes = np.vstack([np.eye(len(SCORE_COLUMNS)), trials])
    chosen = BLENDS[blend] if isinstance(blend, str) else blend
    scores = pl.DataFrame(probes, schema=list(SCORE_COLUMNS)).select(score=chosen)["score"].to_numpy()
    weights, tried = np.split(scores, [len(SCORE_COLUMNS)])
    largest = np.abs(weights).max()
    if not largest or not np.allclose(trials @ weights, tried):
        return ()
    shares = zip(SCORE_COLUMNS, (weights / largest).round(3).tolist(), strict=True)
    return tuple((name, share) for name, share in shares if share)
