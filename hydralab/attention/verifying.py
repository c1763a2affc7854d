"""Whether a model's attention is read rightly: checked once a model, on the first tokens of a prompt."""

from __future__ import annotations

from threading import Lock
from typing import Any
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from hydralab.attention.capture import Capture
from hydralab.attention.hook import capturing, running_as
from hydralab.attention.models import LanguageModel
from hydralab.errors import HydralabError

__all__ = ["verify"]

TOKENS = 48
TOLERANCE = 1e-4
COARSE_TOLERANCE = 0.02

_verified: WeakSet[Any] = WeakSet()
_lock = Lock()


def verify(model: LanguageModel, ids: NDArray[np.int64]) -> None:
    """Compare what is read with the weights that the model itself returns, on at most 48 tokens.

    A model may bend its scores in ways that an attention function isn't told. So for a model that is seen
    for the first time its own slow ("eager") attention is run on the start of the prompt, and the weights
    of every layer and head must be equal within 1e-4 (0.02 below float32).

    Raises
    ------
    HydralabError
        They aren't, or the model returns none to compare with.
    """
    if model.network in _verified:
        return
    import torch

    start = torch.from_numpy(ids[:TOKENS])[None].to(model.network.device)
    with torch.inference_mode(), running_as(model.network, "eager"):
        found = model.network(input_ids=start, output_attentions=True).attentions
    theirs = [each[0].float().cpu().numpy() for each in found or () if each is not None]
    n = start.shape[1]
    every = np.arange(n)
    capture = Capture(rows=every, segments=every, count=n)
    with torch.inference_mode(), capturing(model.network, capture):
        model.network(input_ids=start)
    ours = capture.sums().mass
    if len(theirs) != len(ours) or any(
        each.shape != own.shape for each, own in zip(theirs, ours, strict=True)
    ):
        raise HydralabError(
            f"attend: {model.name!r} returns attention of {len(theirs)} layers to compare with, expected that "
            f"of the {len(ours)} that were read, so reading it can't be checked"
        )
    worst = max(float(np.abs(each - own).max()) for each, own in zip(theirs, ours, strict=True))
    exact = next(model.network.parameters()).dtype == torch.float32
    if not worst <= (TOLERANCE if exact else COARSE_TOLERANCE):
        raise HydralabError(
            f"attend: the attention read from {model.name!r} differs by up to {worst:.2g} from what the model "
            "itself returns: it changes its scores in a way that is not known here"
        )
    with _lock:
        _verified.add(model.network)
