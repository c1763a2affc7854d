"""The attention weights of some rows of one layer, a few at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["MOST_FLOATS", "Scoring", "allowed_keys", "weights_of_rows"]

Tensor = Any

MOST_FLOATS = 500_000
"""So many weights (2 MB) are computed at a time; it bounds the memory."""


@dataclass(frozen=True)
class Scoring:
    """How a layer makes weights of queries and keys.

    Attributes
    ----------
    scaling
        Times the product of query and key.
    softcap
        Scores are softcap·tanh(score / softcap); None leaves them.
    mask
        Bool (True: seen) or float (added), shape (batch or 1, heads or 1, queries, keys); None for none.
    causal
        Whether, without a mask, a row sees only the keys up to itself.
    """

    scaling: float
    softcap: float | None
    mask: Tensor | None
    causal: bool

    @classmethod
    def of(cls, module: Any, query: Tensor, mask: Tensor | None, options: Mapping[str, Any]) -> Scoring:
        """Read it off what transformers hands to an attention function."""
        told = options.get("is_causal")
        causal = told if told is not None else getattr(module, "is_causal", True)
        scaling = options.get("scaling")
        return cls(
            scaling=query.shape[-1] ** -0.5 if scaling is None else float(scaling),
            softcap=options.get("softcap"),
            mask=mask,
            causal=bool(causal) and mask is None and query.shape[2] > 1,
        )


def weights_of_rows(
    query: Tensor, key: Tensor, rows: Tensor, scoring: Scoring
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield some of the rows and their attention weights, until all are done.

    Parameters
    ----------
    query, key
        Shape (batch, heads, queries, d) and (batch, key heads, keys, d); several heads may share a key head.
    rows
        int64 (r,), which queries.

    Yields
    ------
    rows, weights
        int64 (c,) and float32 (batch, heads, c, keys), each row summing to one.
    """
    batch, heads, _, dim = query.shape
    sharing = heads // key.shape[1]
    count = max(MOST_FLOATS // (batch * heads * key.shape[2]), 1)
    turned = key.float().transpose(2, 3)
    for part in rows.to(query.device).split(count):
        wanted = query[:, :, part].float().reshape(batch, key.shape[1], sharing * len(part), dim)
        scores = (wanted @ turned).reshape(batch, heads, len(part), -1).mul_(scoring.scaling)
        if scoring.softcap is not None:
            scores = scores.div_(scoring.softcap).tanh_().mul_(scoring.softcap)
        yield part, _masked(scores, part, scoring).softmax(dim=-1)


def allowed_keys(rows: Tensor, keys: int, scoring: Scoring) -> Tensor:
    """Return which keys each row sees in any head: bool (r, keys)."""
    import torch

    if scoring.mask is not None:
        part = scoring.mask[0, :, rows]
        seen = part if part.dtype == torch.bool else part > torch.finfo(part.dtype).min / 2
        return seen.any(dim=0)
    places = torch.arange(keys, device=rows.device)
    if scoring.causal:
        return places[None, :] <= rows[:, None]
    return torch.ones(len(rows), keys, dtype=torch.bool, device=rows.device)


def _masked(scores: Tensor, rows: Tensor, scoring: Scoring) -> Tensor:
    import torch

    if scoring.mask is not None:
        part = scoring.mask[:, :, rows]
        if part.dtype == torch.bool:
            return scores.masked_fill_(~part, -torch.inf)
        return scores.add_(part.float())
    if scoring.causal:
        return scores.masked_fill_(~allowed_keys(rows, scores.shape[-1], scoring), -torch.inf)
    return scores
