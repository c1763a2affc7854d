"""What a tree needs and how far it looks ahead."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from hydralab.errors import HydralabError, UnknownNameError
from hydralab.frames import SCHEMAS
from hydralab.signals import DEFAULT_SIGNALS, Signal, get_signal
from hydralab.signals.base import Lookahead
from hydralab.triggers.forms import TRIGGERS, Form, parameters_of
from hydralab.triggers.tree import Comparison, Named, Trigger, Wrapped

__all__ = ["check_thresholds", "form_of", "lookahead_of", "nodes", "signals_of", "signals_read"]

Signals = Mapping[str, Signal] | None


def nodes(trigger: Trigger) -> Iterator[Trigger]:
    """Yield a tree's nodes, the root first."""
    yield trigger
    for part in trigger.parts:
        yield from nodes(part)


def form_of(node: Named) -> Form:
    """Return the function that a node names."""
    entry = TRIGGERS[node.name]
    if isinstance(entry, Trigger):
        raise HydralabError(f"trigger {node.name!r} has become an expression; get it again by hl.get_trigger")
    return entry


def signals_read(trigger: Trigger) -> list[str]:
    """Return the names of the signals that a tree reads, each once, in order.

    >>> from hydralab.triggers import col
    >>> signals_read((col.shift > 0.8) | (col.tokens > 400))
    ['shift', 'tokens']
    """
    names: dict[str, None] = {}
    for node in nodes(trigger):
        names.update(dict.fromkeys(signals_of(node)))
    return list(names)


def lookahead_of(trigger: Trigger, signals: Signals = None) -> Lookahead:
    """Return how many turns after a boundary decide it: the most of the tree's nodes.

    Parameters
    ----------
    trigger
        Any tree.
    signals
        Column name → signal, before the default and the registered ones. A column that none of them
        declares counts as the whole dialogue.

    >>> from hydralab.triggers import col, cue
    >>> lookahead_of((col.shift > 0.8) | cue("另外"))
    1
    """
    most = 0
    for node in nodes(trigger):
        own = [_own_lookahead(node), *(_signal_lookahead(name, signals) for name in signals_of(node))]
        if "all" in own:
            return "all"
        stated, *read = (int(ahead) for ahead in own)
        most = max(most, stated + max(read, default=0))
    return most


def check_thresholds(trigger: Trigger, signals: Signals = None) -> None:
    """Refuse a threshold that a signal can't reach.

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


def signals_of(node: Trigger) -> list[str]:
    """Return the names of the signals that a node itself reads, its parts left out."""
    if isinstance(node, Comparison):
        return [node.signal]
    if isinstance(node, Wrapped):
        return [name for name in node.expression.meta.root_names() if name not in SCHEMAS["turns"]]
    if isinstance(node, Named):
        reads = form_of(node).reads
        return list(DEFAULT_SIGNALS) if reads is None else list(reads)
    return []


def _own_lookahead(node: Trigger) -> Lookahead:
    if isinstance(node, Wrapped):
        return node.stated
    if isinstance(node, Named):
        form = form_of(node)
        settings = {**parameters_of(form), **node.settings}
        return form.stated(settings) if callable(form.stated) else form.stated
    return 0


def _signal_lookahead(name: str, signals: Signals) -> Lookahead:
    try:
        return get_signal(name, signals).lookahead
    except UnknownNameError:
        return "all"
