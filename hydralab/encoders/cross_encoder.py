"""Cross-encoders: models that read a query and a text together and say how well they fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hydralab.encoders.pretrained import load_pretrained, stamp
from hydralab.encoders.vector_caches import KeptVectors, text_keys
from hydralab.errors import HydralabError
from hydralab.texts import scrub

__all__ = ["CrossEncoder", "PairFunction", "PairScorer", "Pairs", "score_pairs"]

Pairs = Sequence[tuple[str, str]]
"""(query, text) pairs."""

LONGEST_PAIR = 512
BATCH = 32


class PairScorer(Protocol):
    """Anything with a name and `score`; with a `cache_key` its scores are kept on disk as well."""

    @property
    def name(self) -> str:
        """The name to show."""

    def score(self, pairs: Pairs, /) -> Any:
        """Return one finite number a pair, the higher the better: shape (n,)."""


@dataclass(frozen=True)
class CrossEncoder:
    """A transformer with one label, or two of which the second means that the text fits the query.

    Only safetensors are read and no code of a repository is run. Of a pair that is too long the longer one
    loses its end.
    Source: Nogueira and Cho, "Passage Re-ranking with BERT", 2019.

    Parameters
    ----------
    source
        A Hugging Face id ("BAAI/bge-reranker-v2-m3") or a folder.
    window
        Tokens of a pair, special tokens among them; the model's own limit, at most 512, when 0.
    """

    source: str
    window: int = 0

    @property
    def name(self) -> str:
        """The source."""
        return self.source

    @property
    def cache_key(self) -> str:
        """The model's weights and the settings."""
        settings = (_load(self.source).stamp, self._limit())
        return f"{Path(self.source).name}-pairs-{sha256(repr(settings).encode()).hexdigest()[:16]}"

    def score(self, pairs: Pairs) -> NDArray[np.float32]:
        """Return the logit of each pair, of two labels that of the second less that of the first: float32 (n,)."""
        model, limit = _load(self.source), self._limit()
        scores = np.empty(len(pairs), np.float32)
        # Pairs of similar length together: a batch is as long as its longest.
        order = np.argsort([len(query) + len(text) for query, text in pairs], kind="stable")
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            scores[rows] = model.run([pairs[row] for row in rows], limit)
        return scores

    def _limit(self) -> int:
        longest = _load(self.source).longest
        return min(self.window, longest) if self.window else longest


@dataclass(frozen=True)
class PairFunction:
    """A function from (query, text) pairs to a number each as a scorer of pairs."""

    function: Callable[[list[tuple[str, str]]], Any] = field(repr=False)

    @property
    def name(self) -> str:
        """The function's name."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    def score(self, pairs: Pairs) -> Any:
        """Return what the function returns."""
        return self.function(list(pairs))


def score_pairs(query: str, texts: Sequence[str], scorer: PairScorer) -> NDArray[np.float32]:
    """Return how well each text fits a query; equal pairs are scored once, and what was scored before is known.

    Returns
    -------
    array
        Float32, shape (n,), on the scorer's own scale, the higher the better. NaN for a blank text, or all where the
        query is blank.

    Raises
    ------
    HydralabError
        The scorer raised, or what it returned is not one finite number a pair.

    >>> shared = lambda pairs: [len(set(query) & set(text)) for query, text in pairs]
    >>> score_pairs("cat", ["act", "dog", ""], PairFunction(shared)).tolist()
    [3.0, 0.0, nan]
    """
    asked, clean = scrub(query), [scrub(text) for text in texts]
    places = {
        text: place for place, text in enumerate(dict.fromkeys(clean)) if text.strip() and asked.strip()
    }
    keys = text_keys([f"{asked}\0{text}" for text in places], "pair")
    scores = np.empty((len(places), 1), np.float32)
    kept = KeptVectors(scorer, dim=1)
    known, rows, _ = kept.get(keys)
    scores[known] = rows
    missing = np.flatnonzero(~known)
    if missing.size:
        listed = list(places)
        scores[missing] = _scored([(asked, listed[place]) for place in missing], scorer)[:, None]
        kept.put([keys[place] for place in missing], scores[missing], np.ones(missing.size, np.int64))
    found = dict(zip(places, scores[:, 0].tolist(), strict=True))
    return np.asarray([found.get(text, np.nan) for text in clean], np.float32)


def _scored(pairs: Pairs, scorer: PairScorer) -> NDArray[np.float32]:
    try:
        returned = np.asarray(scorer.score(pairs), dtype=np.float32)
    except HydralabError:
        raise
    except Exception as error:  # whatever somebody's model raises
        raise HydralabError(f"scorer {scorer.name!r} raised {type(error).__name__}: {error}") from error
    if returned.shape != (len(pairs),) or not np.isfinite(returned).all():
        raise HydralabError(
            f"scorer {scorer.name!r} returned {returned.shape} for {len(pairs)} pairs, expected one finite number each"
        )
    return returned


@dataclass(frozen=True)
class _Model:
    """A loaded model with its tokenizer."""

    tokenizer: Any
    network: Any
    longest: int
    stamp: str

    def run(self, pairs: Pairs, limit: int) -> Any:
        import torch

        queries, texts = zip(*pairs, strict=True)
        batch = self.tokenizer(
            list(queries), list(texts), padding=True, truncation=True, max_length=limit, return_tensors="pt"
        )
        with torch.inference_mode():
            logits = self.network(**batch).logits.float().numpy()
        return logits[:, -1] - (logits[:, 0] if logits.shape[1] == 2 else 0)


@lru_cache(maxsize=2)
def _load(source: str) -> _Model:
    tokenizer, network = load_pretrained(source, "AutoModelForSequenceClassification", what="cross-encoder")
    if network.config.num_labels > 2:
        raise HydralabError(
            f"cross-encoder {source!r} has {network.config.num_labels} labels, expected one score, or two labels"
        )
    room = getattr(network.config, "max_position_embeddings", LONGEST_PAIR)
    return _Model(
        tokenizer, network, int(min(LONGEST_PAIR, tokenizer.model_max_length, room)), stamp(network, source)
    )
