"""Scoring prompts that begin alike: what they share runs through the model once."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hydralab.attention.models import LanguageModel
from hydralab.optional import load_optional

__all__ = ["can_share", "common_prefix", "score_by_prefix"]

Ids = NDArray[np.int64]


def common_prefix(one: Ids, other: Ids) -> int:
    """Return how many tokens two texts begin with in common.

    >>> common_prefix(np.asarray([1, 2, 3]), np.asarray([1, 2, 4, 5]))
    2
    """
    length = min(len(one), len(other))
    differ = np.flatnonzero(one[:length] != other[:length])
    return int(differ[0]) if len(differ) else length


def can_share(model: LanguageModel) -> bool:
    """Return whether keys and values of a prefix can be kept and cut: every layer attends to all before it.

    On a graphics card batches are faster, so it is done on the processor only.
    """
    config = model.network.config.get_text_config()
    kinds = getattr(config, "layer_types", None) or ["full_attention"]
    if getattr(config, "sliding_window", None) and getattr(config, "layer_types", None) is None:
        return False
    on_processor = model.network.device.type == "cpu"
    return on_processor and set(kinds) == {"full_attention"} and _cache_name(model) is not None


def score_by_prefix(model: LanguageModel, prompts: Sequence[Ids], answer: Ids) -> NDArray[np.float64]:
    """Return log p of each answer token after each of several prompts, one after the other.

    In the order of their tokens neighbours share as long a prefix as can be; keys and values of the last
    prompt are cut back to it. Prompts that each lack another item take half the work so.

    Returns
    -------
    float64 (prompts, answer tokens), in nats.
    """
    import torch

    transformers = load_optional("transformers", extra="torch", purpose="scoring answers")
    network, name = model.network, str(_cache_name(model))
    cache = transformers.DynamicCache(config=network.config)
    scores = np.zeros((len(prompts), len(answer)))
    held = np.zeros(0, dtype=np.int64)
    wanted = torch.from_numpy(answer).to(network.device)
    for i in sorted(range(len(prompts)), key=lambda i: prompts[i].tolist()):
        whole = np.concatenate([prompts[i], answer[:-1]])
        # The position before the answer always runs, since its logits are wanted.
        shared = min(common_prefix(held, whole), len(prompts[i]) - 1)
        if len(held) > shared:
            cache.crop(shared - len(held))
        rest = torch.from_numpy(whole[shared:])[None].to(network.device)
        options: dict[str, Any] = {name: cache, "use_cache": True, "logits_to_keep": len(answer)}
        with torch.inference_mode():
            logits = network(input_ids=rest, **options).logits[0, -len(answer) :]
            chances = logits.float().log_softmax(dim=-1)
        scores[i] = chances.gather(-1, wanted[:, None])[:, 0].double().cpu().numpy()
        held = whole
    return scores


def _cache_name(model: LanguageModel) -> str | None:
    """Return what the model calls its keys and values; versions of transformers differ."""
    known = signature(model.network.forward).parameters
    if "logits_to_keep" not in known:
        return None
    return next((name for name in ("cache", "past_key_values") if name in known), None)
