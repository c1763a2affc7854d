"""A fitted trigger: a probability a gap from signals and the two turns around it, kept as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.errors import HydralabError, check_value
from hydralab.signals import Signal, compute_signals
from hydralab.signals.storing import signal_from_json, signal_to_json
from hydralab.triggers.forms import get_trigger
from hydralab.triggers.tree import Trigger

__all__ = ["LearnedTrigger", "feature_names", "features_of", "kept_model", "models_in"]

Floats = NDArray[np.float64]

FORMAT = 1
DECIMALS = 7
PAIR_WEIGHT = 2.5
"""How much a pair's vectors weigh beside signals of unit variance: less, and few weights of many take part."""

_fitted: dict[str, LearnedTrigger] = {}
"""Models of this process, by what their triggers call them."""


@dataclass(frozen=True)
class LearnedTrigger:
    """What `fit_trigger` learned; needs nothing of scikit-learn.

    Attributes
    ----------
    signals
        (Name, JSON of the signal) of each signal that it reads; it computes them itself, so that it reads them as
        it did when it was fitted.
    dim
        Dimension of the vectors of a pair of turns; 0 when it reads none.
    encoder
        Name of the encoder whose vectors it was fitted on.
    mean, scale, weights
        A number a feature, in the order of `feature_names`: what is taken off, what it is divided by, and what it
        counts for.
    bias
        The log-odds where everything is average.
    threshold
        The probability above which it fires.
    turns, boundaries
        How many of them it was fitted on.
    """

    signals: tuple[tuple[str, str], ...]
    dim: int
    encoder: str
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float
    threshold: float
    turns: int
    boundaries: int

    @property
    def lookahead(self) -> int:
        """The most of its signals'."""
        return max((int(signal.lookahead) for signal in self.made_signals().values()), default=0)

    def made_signals(self) -> dict[str, Signal]:
        """Return its signals by name."""
        return dict(_made(self.signals))

    def trigger(self, *, threshold: float | None = None) -> Trigger:
        """Return it as a trigger, to be joined and placed like any other.

        Its text names a model that is kept in this process and by the store of a lab that places it; name the file
        that `save` wrote, ``hl.get_trigger("learned", model="mine.json")``, where the text has to last elsewhere.

        Parameters
        ----------
        threshold
            Probability above which it fires; the fitted one when None.
        """
        name = f"fitted-{sha256(self.to_json().encode()).hexdigest()[:12]}"
        _fitted[name] = self
        return get_trigger("learned", model=name, threshold=threshold)

    def probabilities(self, turns: pl.DataFrame, vectors: NDArray[np.float32] | None) -> Floats:
        """Return how probable it is that a new span starts at each turn of one dialogue: float64 (n,), 0 at the first.

        Raises
        ------
        HydralabError
            Vectors are missing, or of another dimension than those it was fitted on.
        """
        if self.dim and (vectors is None or vectors.shape[1] != self.dim):
            given = "none" if vectors is None else f"{vectors.shape[1]} dimensions"
            raise HydralabError(
                f"trigger 'learned': vectors of {given}, expected those of {self.encoder!r}, {self.dim} dimensions"
            )
        features = features_of(turns, vectors, self.made_signals(), pairs=self.dim > 0)
        centred = (features - np.asarray(self.mean)) / np.asarray(self.scale)
        logits = np.where(np.isnan(centred), 0.0, centred) @ np.asarray(self.weights) + self.bias
        # Rounded, so that noise of the last bits decides nothing.
        probabilities: Floats = (1 / (1 + np.exp(-np.clip(logits, -50, 50)))).round(DECIMALS)
        probabilities[:1] = 0.0
        return probabilities

    def strongest(self, n: int = 10) -> pl.DataFrame:
        """Return the features of signals that count most: feature, weight (log-odds a standard deviation).

        Parameters
        ----------
        n
            Rows.
        """
        names = feature_names(self.made_signals())
        table = pl.DataFrame({"feature": names, "weight": list(self.weights[: len(names)])})
        return table.sort(pl.col("weight").abs(), descending=True).head(n)

    def to_json(self) -> str:
        """Return it as JSON text."""
        return json.dumps({"format": FORMAT, "kind": "learned trigger", **asdict(self)}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read it from what `to_json` gives.

        Raises
        ------
        HydralabError
            Text that is no JSON, or none of a learned trigger.
        """
        try:
            record = json.loads(text)
            if record.pop("kind") != "learned trigger" or record.pop("format") != FORMAT:
                raise ValueError("of another kind or format")
            record["signals"] = tuple((str(name), str(code)) for name, code in record["signals"])
            for name in ("mean", "scale", "weights"):
                record[name] = tuple(map(float, record[name]))
            read = cls(**record)
            width = len(feature_names(read.made_signals())) + 3 * read.dim
            if {len(read.mean), len(read.scale), len(read.weights)} != {width}:
                raise ValueError(f"{len(read.weights)} weights for {width} features")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise HydralabError(f"learned trigger: {text[:60]!r} is none: {error}") from error
        return read

    def save(self, path: str | Path) -> Path:
        """Write it to a file that ``hl.get_trigger("learned", model=PATH)`` reads."""
        path = Path(path)
        path.write_text(self.to_json() + "\n", encoding="utf-8")
        return path

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        HydralabError
            No such file, or none of a learned trigger.
        """
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise HydralabError(f"learned trigger: {str(path)!r} can't be read: {error}") from error
        return cls.from_json(text)


def kept_model(name: str) -> LearnedTrigger:
    """Return the model of a file, or one that was fitted in this process, by what `LearnedTrigger.trigger` calls it.

    Raises
    ------
    HydralabError
        Neither of the two.
    """
    check_value("trigger 'learned': model", name, "str")
    if name in _fitted:
        return _fitted[name]
    path = Path(name)
    if not name or not path.is_file():
        raise HydralabError(
            f"trigger 'learned': model is {name!r}, expected the file of a saved LearnedTrigger (see hl.fit_trigger)"
        )
    return _loaded(str(path), path.stat().st_mtime_ns)


def models_in(text: str) -> dict[str, LearnedTrigger]:
    """Return the models of this process that the text of a trigger names, by name."""
    return {name: model for name, model in _fitted.items() if name in text}


def feature_names(signals: Mapping[str, Signal]) -> list[str]:
    """Return what the features of signals are called; the vectors of a pair follow them."""
    return [*signals, *(f"{name}, turn before" for name in signals), "user speaks", "1 / position"]


def features_of(
    turns: pl.DataFrame,
    vectors: NDArray[np.float32] | None,
    signals: Mapping[str, Signal],
    *,
    pairs: bool,
) -> Floats:
    """Return the features of each turn of one dialogue: float64 (n, features), NaN where a signal is unknown.

    Signals of the turn and of the one before it, those without a bounded range as logarithms; who speaks; how far
    the dialogue is; with `pairs` the vectors of the turn before, of the turn, and their product, entry by entry.
    """
    table = compute_signals(turns, vectors, signals).drop("dialogue_id", "position")
    values = table.fill_null(float("nan")).to_numpy().reshape(turns.height, len(signals)).astype(np.float64)
    unbounded = [not _bounded(signal) for signal in signals.values()]
    values[:, unbounded] = np.log1p(np.maximum(values[:, unbounded], 0.0))
    user = (turns["role"] == "user").to_numpy().astype(np.float64)[:, None]
    place = 1 / np.maximum(np.arange(turns.height, dtype=np.float64), 1)[:, None]
    parts = [values, _before(values, np.nan), user, place]
    if pairs and vectors is not None:
        clean = np.where(np.isnan(vectors).any(axis=1, keepdims=True), 0.0, vectors).astype(np.float64)
        last = _before(clean, 0.0)
        parts += [PAIR_WEIGHT * each for each in (last, clean, last * clean * vectors.shape[1] ** 0.5)]
    return np.concatenate(parts, axis=1)


def _before(values: Floats, blank: float) -> Floats:
    return np.concatenate([np.full_like(values[:1], blank), values[:-1]])


def _bounded(signal: Signal) -> bool:
    return signal.range is not None and bool(np.isfinite(signal.range).all())


@lru_cache(maxsize=64)
def _made(signals: tuple[tuple[str, str], ...]) -> dict[str, Signal]:
    return {name: signal_from_json(code) for name, code in signals}


@lru_cache(maxsize=16)
def _loaded(path: str, _modified: int) -> LearnedTrigger:
    return LearnedTrigger.load(path)


def written_signals(signals: Mapping[str, Signal]) -> tuple[tuple[str, str], ...]:
    """Return signals as a model keeps them."""
    return tuple((name, signal_to_json(signal)) for name, signal in signals.items())
