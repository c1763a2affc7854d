"""The timelines that a lab keeps ready, so that the second question to a dialogue costs no set-up."""

from __future__ import annotations

from collections.abc import Callable

from hydralab.registry import generation
from hydralab.replay import GrowingTable, Timeline
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
        self._noted: dict[tuple[str, Strategy], GrowingTable] = {}
        self._generation = generation()

    def get(self, key: Key, make: Callable[[], Timeline]) -> Timeline:
        """Return the timeline of a key, made when it isn't there."""
        self._renew()
        timeline = self._kept.pop(key, None) or make()
        self._kept[key] = timeline
        for oldest in list(self._kept)[:-MOST]:
            del self._kept[oldest]
        return timeline

    def noted(self, name: str, strategy: Strategy, make: Callable[[], GrowingTable]) -> GrowingTable:
        """Return the facts that a strategy noted in a dialogue, made when they aren't there; all are kept."""
        self._renew()
        if (name, strategy) not in self._noted:
            self._noted[name, strategy] = make()
        return self._noted[name, strategy]

    def forget(self, dialogue_id: str | None = None) -> None:
        """Drop those of a dialogue whose tables changed, and those that know facts of it; all when None."""
        if dialogue_id is None:
            self._kept, self._noted = {}, {}
            return
        self._kept = {
            key: kept
            for key, kept in self._kept.items()
            if key[0] != dialogue_id and not _tells_of(kept.noted, dialogue_id)
        }
        self._noted = {
            key: noted
            for key, noted in self._noted.items()
            if key[0] != dialogue_id and not _tells_of(noted, dialogue_id)
        }

    def _renew(self) -> None:
        if self._generation != generation():
            self._kept, self._noted, self._generation = {}, {}, generation()


def _tells_of(noted: GrowingTable, dialogue_id: str) -> bool:
    return dialogue_id in noted.latest["dialogue_id"]
