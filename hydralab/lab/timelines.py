"""The timelines that a lab keeps ready, so that the second question to a dialogue costs no set-up."""

from __future__ import annotations

from collections.abc import Callable

from hydralab.registry import generation
from hydralab.replay import Timeline
from hydralab.strategies import Strategy

__all__ = ["Timelines"]

Key = tuple[str, Strategy, bool]
"""Dialogue, strategy, and whether it uses the lab's own checkpoints."""

MOST = 8
"""Timelines kept: each has the vectors of its dialogue and an index over its words."""


class Timelines:
    """The timelines used last; the one that was not used for longest makes room for a new one.

    Settings hold names of triggers and blends, so all are made anew once a name stands for something else.
    """

    def __init__(self) -> None:
        self._kept: dict[Key, Timeline] = {}
        self._generation = generation()

    def get(self, key: Key, make: Callable[[], Timeline]) -> Timeline:
        """Return the timeline of a key, made when it isn't there."""
        if self._generation != generation():
            self._kept, self._generation = {}, generation()
        timeline = self._kept.pop(key, None) or make()
        self._kept[key] = timeline
        for oldest in list(self._kept)[:-MOST]:
            del self._kept[oldest]
        return timeline

    def forget(self, dialogue_id: str | None = None) -> None:
        """Drop those of a dialogue whose tables changed; all of them when None."""
        self._kept = {
            key: kept for key, kept in self._kept.items() if dialogue_id is not None and key[0] != dialogue_id
        }
