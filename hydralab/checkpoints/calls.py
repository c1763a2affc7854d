"""Which turns of a dialogue call tools, and which answer these calls: what a cut must not part."""

from __future__ import annotations

import json

import numpy as np
import polars as pl

__all__ = ["Calls", "open_call"]


def open_call(turns: pl.DataFrame, row: int, known: int) -> int:
    """Return the row of the call that an edge before `row` would cut off from its result, else `row`.

    A turn of role tool belongs to the last turn before it that has another role, a result that names
    its call to that call, and a call right before the edge may have its result still to come.

    Parameters
    ----------
    turns
        Turns of one dialogue: role and parts.
    row
        The first row after the edge.
    known
        How many rows were there when the edge was decided.

    >>> roles = ["user", "assistant", "tool", "tool", "user"]
    >>> open_call(pl.DataFrame({"role": roles, "parts": [None] * 5}), 3, 4)
    1
    """
    return Calls(turns).opening(row, known)


class Calls:
    """The calls of one dialogue, looked up for the stretches in which edges lie.

    What a result names is read once, and the calls of all results of a stretch are searched for together: to
    read all parts from the first turn on for each edge would be quadratic.
    """

    def __init__(self, turns: pl.DataFrame) -> None:
        self.roles = turns["role"]
        self.parts = turns["parts"].cast(pl.String)
        answers = self.parts.str.contains("tool_result", literal=True).fill_null(False)
        self.answers = answers.arg_true().to_numpy()
        self._called: dict[int, int] = {}

    def opening(self, row: int, known: int) -> int:
        """Return where an edge before `row` goes when `known` rows are there; see `open_call`."""
        edge = row
        while (calling := self._before(edge, known)) < edge:
            edge = calling
        return edge

    def look_up(self, start: int, stop: int) -> int:
        """Return the first row that calls what rows from `start` to `stop` answer; one past the end if none does."""
        first, last = np.searchsorted(self.answers, [start, stop])
        rows = self.answers[first:last].tolist()
        named = {row: _named(self.parts[row], "tool_result") for row in rows if row not in self._called}
        wanted = set().union(*named.values())
        calls = self._calls_of(wanted) if wanted else {}
        for row, names in named.items():
            self._called[row] = min((calls[name] for name in names if name in calls), default=len(self.parts))
        return min((self._called[row] for row in rows), default=len(self.parts))

    def _before(self, row: int, known: int) -> int:
        calling = row
        while 0 < calling < known and self.roles[calling] == "tool":
            calling -= 1
        before = self.parts[row - 1] if row else None
        if _named(before, "tool_call") - _named(before, "tool_result"):
            calling = min(calling, row - 1)
        return min(calling, self.look_up(row, known))

    def _calls_of(self, names: set[str]) -> dict[str, int]:
        """Return name of a call → the first row that makes it."""
        # Written as JSON with or without escapes; what holds none of them is not worth reading.
        written = {
            json.dumps(name, ensure_ascii=escaped)[1:-1] for name in names for escaped in (True, False)
        }
        holds = self.parts.str.contains_any(sorted(written)) & self.parts.str.contains(
            "tool_call", literal=True
        )
        calls: dict[str, int] = {}
        for row in holds.fill_null(False).arg_true().to_list():
            for name in _named(self.parts[row], "tool_call") & names:
                calls.setdefault(name, row)
        return calls


def _named(parts: str | None, kind: str) -> set[str]:
    if not parts or kind not in parts:
        return set()
    return {part["id"] for part in json.loads(parts) if part.get("type") == kind and part.get("id")}
