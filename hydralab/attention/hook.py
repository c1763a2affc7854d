"""Attention summed to segments while the model runs: no tokens × tokens matrix is ever kept.

A model of transformers calls the attention function that its configuration names. Ours gives the same
output as scaled dot-product attention, and for the rows that are asked for computes the softmax once more
and sums it. What it sums for is told by a context variable, so another thread that runs the same model at
the same time gets plain attention.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock, RLock
from typing import Any
from weakref import WeakKeyDictionary

from hydralab.attention.capture import Capture
from hydralab.attention.scores import Scoring, weights_of_rows
from hydralab.errors import HydralabError
from hydralab.optional import load_optional

__all__ = ["capturing", "install", "running_as"]

NAME = "hydralab_segments"
UNREAD = {
    "position_bias": "it adds a learned bias by distance to its attention scores",
    "s_aux": "it has learned sinks, which take a share of attention that belongs to no token",
}

_active: ContextVar[Capture | None] = ContextVar("hydralab_attention", default=None)
_locks: WeakKeyDictionary[Any, RLock] = WeakKeyDictionary()
_lock = Lock()


def install() -> None:
    """Make the attention function known to transformers; more than once does no harm."""
    transformers = load_optional("transformers", extra="torch", purpose="reading a model's attention")
    masking = load_optional(
        "transformers.masking_utils", extra="torch", purpose="reading a model's attention"
    )
    transformers.AttentionInterface.register(NAME, _attention)
    # The mask of sdpa is None for plain causal attention, so none of n × n is made.
    transformers.AttentionMaskInterface.register(NAME, masking.sdpa_mask)


@contextmanager
def running_as(network: Any, implementation: str) -> Iterator[None]:
    """Run a model inside with another attention function; afterwards, also on an error, it is as it was.

    One at a time for a model: a second thread waits.

    Raises
    ------
    HydralabError
        The model doesn't let its attention function be replaced.
    """
    with _lock:
        lock = _locks.setdefault(network, RLock())
    with lock:
        # A model may hold parts with configurations of their own, such as one that also sees pictures.
        before = [(config, config._attn_implementation) for config in _configs(network)]
        try:
            network.set_attn_implementation(implementation)
            if network.config._attn_implementation != implementation:
                raise HydralabError(
                    f"attend: {type(network).__name__} does not let its attention function be replaced, "
                    "so its attention can't be read in bounded memory"
                )
            yield
        finally:
            for config, own in before:
                config._attn_implementation = own


@contextmanager
def capturing(network: Any, capture: Capture) -> Iterator[None]:
    """Run a model inside with its attention summed into `capture`; see `running_as`."""
    install()
    with running_as(network, NAME):
        token = _active.set(capture)
        try:
            yield
        finally:
            _active.reset(token)


def _configs(network: Any) -> list[Any]:
    """Return the configurations of a model and its parts, each once, the model's own first."""
    found = {id(network.config): network.config}
    for part in network.modules():
        config = getattr(part, "config", None)
        if hasattr(config, "_attn_implementation"):
            found.setdefault(id(config), config)
    return list(found.values())


def _attention(
    module: Any, query: Any, key: Any, value: Any, attention_mask: Any, **options: Any
) -> tuple[Any, None]:
    """Stand in for scaled dot-product attention: the same output, and sums where they are asked for."""
    for name, reason in UNREAD.items():
        if options.get(name) is not None:
            raise HydralabError(
                f"attend: the attention of {type(module).__name__} is not read, since {reason}"
            )
    scoring = Scoring.of(module, query, attention_mask, options)
    capture = _active.get()
    if capture is not None:
        capture.add(query, key, scoring)
    if scoring.softcap is None:
        from transformers.integrations.sdpa_attention import sdpa_attention_forward

        return sdpa_attention_forward(module, query, key, value, attention_mask, **options)
    return _capped_output(query, key, value, scoring), None


def _capped_output(query: Any, key: Any, value: Any, scoring: Scoring) -> Any:
    """Return the output where scores are capped, which sdpa doesn't do, a few rows at a time."""
    import torch

    groups = query.shape[1] // value.shape[1]
    parts = []
    for rows, weights in weights_of_rows(query, key, torch.arange(query.shape[2]), scoring):
        batch, heads, n = weights.shape[0], value.shape[1], value.shape[2]
        grouped = weights.to(value.dtype).reshape(batch, heads, groups * len(rows), n)
        parts.append((grouped @ value).reshape(batch, heads * groups, len(rows), -1))
    return torch.cat(parts, dim=2).transpose(1, 2).contiguous()
