"""What a tree needs and how far it looks ahead, told by its nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from hydralab.errors import UnknownNameError
from hydralab.signals import Signal, get_signal
from hydralab.signals.base import Lookahead

__all__ = ["Node", "lookahead_of", "nodes", "signals_read"]

Signals = Mapping[str, Signal] | None


class Node(Protocol):
    """What a node tells of itself."""

    @property
    def parts(self) -> Sequence[Node]:
        """The nodes right below."""
        ...

    @property
    def reads(self) -> Sequence[str]:
        """The signals that it reads itself."""
        ...

    @property
    def reach(self) -> Lookahead:
        """Turns ahead that it looks itself, beyond what its signals do."""
        ...


def nodes(trigger: Node) -> Iterator[Node]:
    """Yield a tree's nodes, the root first."""
    yield trigger
    for part in trigger.parts:
        yield from nodes(part)


def signals_read(trigger: Node) -> list[str]:
    """Return the names of the signals that a tree reads, each once, in order.

    >>> from hydralab.triggers import col
    >>> signals_read((col.shift > 0.8) | (col.tokens > 400))
    ['shift', 'tokens']
    """
    return list(dict.fromkeys(name for node in nodes(trigger) for name in node.reads))


def lookahead_of(trigger: Node, signals: Signals = None) -> Lookahead:
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
        own = [node.reach, *(_signal_lookahead(name, signals) for name in node.reads)]
        if "all" in own:
            return "all"
        stated, *read = (int(ahead) for ahead in own)
        most = max(most, stated + max(read, default=0))
    return most


def _signal_lookahead(name: str, signals: Signals) -> Lookahead:
    try:
        return get_signal(name, signals).lookahead
    except UnknownNameError:
        return "all"
