"""Thresholds against what their signals can reach."""

from __future__ import annotations

import math
from collections.abc import Mapping

from hydralab.errors import HydralabError, UnknownNameError
from hydralab.signals import Signal, get_signal
from hydralab.triggers.tree import Comparison, Trigger
from hydralab.triggers.tree_needs import nodes

__all__ = ["check_thresholds"]


def check_thresholds(trigger: Trigger, signals: Mapping[str, Signal] | None = None) -> None:
    """Refuse a threshold outside the range of its signal.

    The ends of the range are in it. Nothing is above the highest value, so ``hl.col.shift > 1`` never fires, but with
    `max_turns` it cuts each full span at its highest shift; a slider at its end is no mistake either.

    Raises
    ------
    HydralabError
        Naming the signal, its range and its unit.

    >>> from hydralab.triggers import col
    >>> check_thresholds(col.shift > 80)
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: hl.col.shift > 80: shift is from 0 to 1 (share of earlier gaps), 80 is outside
    """
    for node in nodes(trigger):
        if not isinstance(node, Comparison):
            continue
        try:
            signal = get_signal(node.signal, signals)
        except UnknownNameError:
            continue
        if signal.range is None or signal.range[0] <= node.threshold <= signal.range[1]:
            continue
        low, high = signal.range
        span = f"at least {low:g}" if math.isinf(high) else f"from {low:g} to {high:g}"
        raise HydralabError(
            f"{node!r}: {node.signal} is {span} ({signal.unit}), {node.threshold:g} is outside"
        )
