"""What is kept of the attention of each layer: sums over segments, over rows, and the strongest key."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hydralab.attention.scores import Scoring, allowed_keys, weights_of_rows
from hydralab.core.segments import find_sinks, one_hot, rollout_step, segment_sums, sink_votes
from hydralab.errors import HydralabError

__all__ = ["Capture", "Sums"]

Tensor = Any

SINK_TIMES = 20.0
"""A key that most rows give more than so many times the uniform weight is a sink."""

SINK_ROWS = 64
"""Rows, evenly over the text, that are asked which keys are sinks."""

SINK_NEAR = 32
"""Rows closer to a key than so many tokens aren't asked."""

FIRST_TOKENS = 4
"""The first tokens of a decoder's text always count as sinks."""


@dataclass(frozen=True)
class Sums:
    """Attention of L layers of H heads, from R rows to n tokens in S segments.

    Attributes
    ----------
    mass
        float32 (L, H, R, S): the weight each row gives to each segment; rows sum to one.
    sink
        float32 (L, H, R, S): the part of `mass` that goes to sinks.
    token_mass
        float32 (L, H, n): the weight of each token, mean over rows.
    sink_keys
        bool (L, H, n): which tokens are sinks of a head.
    top_key, top_mass
        int64 and float32 (L, H, R): the token that a row gives most to, and how much.
    rollout
        float32 (R, S), when it was asked for: attention rolled out through all layers.
    """

    mass: NDArray[np.float32]
    sink: NDArray[np.float32]
    token_mass: NDArray[np.float32]
    sink_keys: NDArray[np.bool_]
    top_key: NDArray[np.int64]
    top_mass: NDArray[np.float32]
    rollout: NDArray[np.float32] | None


@dataclass
class Capture:
    """Takes in one layer after the other.

    Attributes
    ----------
    rows
        int64 (R,), the rows to sum for.
    segments
        int64 (n,), the segment of each token.
    count
        The number of segments, S.
    first
        How many of the first tokens always count as sinks.
    with_rollout
        Whether every row is computed and rolled out: about the time of plain attention once more.
    """

    rows: NDArray[np.int64]
    segments: NDArray[np.int64]
    count: int
    first: int = FIRST_TOKENS
    with_rollout: bool = False
    _layers: list[dict[str, Tensor]] = field(default_factory=list, repr=False)
    _rolled: Tensor | None = field(default=None, repr=False)

    def add(self, query: Tensor, key: Tensor, scoring: Scoring) -> None:
        """Sum the attention of the next layer."""
        import torch

        n = len(self.segments)
        if query.shape[0] != 1 or query.shape[2] != n or key.shape[2] != n:
            raise HydralabError(
                f"attend: a layer attends from {tuple(query.shape[:3])} to {tuple(key.shape[:3])} (batch, heads, "
                f"tokens), expected one text of {n} tokens"
            )
        membership = one_hot(torch.from_numpy(self.segments).to(query.device), self.count, torch.float32)
        sinks = self._sinks(query, key, scoring)
        rows = torch.from_numpy(self.rows)
        per_token = torch.zeros(query.shape[1], n, device=query.device)
        parts: dict[str, list[Tensor]] = {name: [] for name in ("mass", "sink", "top_key", "top_mass")}
        for _, weights in weights_of_rows(query, key, rows, scoring):
            weights = weights[0]
            per_token += weights.sum(dim=1)
            parts["mass"].append(segment_sums(weights, membership))
            top = weights.max(dim=-1)
            parts["top_key"].append(top.indices)
            parts["top_mass"].append(top.values)
            parts["sink"].append(segment_sums(weights.mul_(sinks[:, None, :]), membership))
        layer = {name: torch.cat(each, dim=1).cpu() for name, each in parts.items()}
        layer["token_mass"] = (per_token / len(rows)).cpu()
        layer["sink_keys"] = sinks.cpu()
        self._layers.append(layer)
        if self.with_rollout:
            self._roll(query, key, scoring, membership)

    def sums(self) -> Sums:
        """Return the sums of all layers as arrays."""
        import torch

        if not self._layers:
            raise HydralabError("attend: the model ran without calling its attention function")
        heads = {layer["mass"].shape[0] for layer in self._layers}
        if len(heads) > 1:
            raise HydralabError(
                f"attend: the layers have {sorted(heads)} heads, expected the same number in each"
            )
        stacked = {
            name: torch.stack([layer[name] for layer in self._layers]).numpy() for name in self._layers[0]
        }
        rolled = None if self._rolled is None else self._rolled.cpu()[torch.from_numpy(self.rows)].numpy()
        return Sums(**stacked, rollout=rolled)

    def _sinks(self, query: Tensor, key: Tensor, scoring: Scoring) -> Tensor:
        """Return which keys are sinks of each head: bool (H, n)."""
        import torch

        n = len(self.segments)
        asked = torch.linspace(0, n - 1, min(SINK_ROWS, n)).round().long().to(query.device)
        places = torch.arange(n, device=query.device)
        votes: Tensor = torch.zeros(query.shape[1], n, dtype=torch.int64, device=query.device)
        seen: Tensor = torch.zeros(n, dtype=torch.int64, device=query.device)
        for part, weights in weights_of_rows(query, key, asked, scoring):
            allowed = allowed_keys(part, n, scoring)
            distance = (part[:, None] - places[None, :]).abs()
            more = sink_votes(weights[0], allowed, distance, times=SINK_TIMES, near=SINK_NEAR)
            votes, seen = votes + more[0], seen + more[1]
        found = find_sinks(votes, seen)
        found[:, : self.first] = True
        return found

    def _roll(self, query: Tensor, key: Tensor, scoring: Scoring, membership: Tensor) -> None:
        import torch

        before = membership if self._rolled is None else self._rolled
        everyone = torch.arange(len(self.segments))
        self._rolled = torch.cat(
            [
                rollout_step(weights[0].mean(dim=0), before, before[part])
                for part, weights in weights_of_rows(query, key, everyone, scoring)
            ]
        )
