"""Spans of turns: from boundaries to stretches that tile a dialogue and split no tool call."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from hydralab.errors import FrameError

__all__ = ["Span", "find_spans", "open_call"]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of turns of one dialogue.

    Attributes
    ----------
    start, end
        Positions of its first and last turn.
    trigger, score
        Of the boundary that closes it; None while it is open.
    decided_at
        When both its edges were decided; None while it is open.
    """

    start: int
    end: int
    trigger: str | None = None
    score: float | None = None
    decided_at: int | None = None


def find_spans(turns: pl.DataFrame, boundaries: pl.DataFrame) -> list[Span]:
    """Return the spans that boundaries cut one dialogue into; the last one is open.

    A boundary between a tool's call and its result moves back to the turn of the call, so that the
    pair opens the new span: moving forward would wait for turns that aren't there yet. Of several
    boundaries at one place the one decided first counts. A span is decided when both its edges are.
    Nothing after `decided_at` has a say in where an edge lies.

    Parameters
    ----------
    turns
        Turns of one dialogue, or of its beginning.
    boundaries
        Boundaries of the same dialogue.

    Raises
    ------
    FrameError
        A boundary at a position that no turn has.

    >>> turns = pl.DataFrame({"position": [0, 1, 2], "role": ["user", "assistant", "user"], "parts": [None] * 3})
    >>> cut = pl.DataFrame({"position": [2], "trigger": ["cue"], "score": [1.0], "decided_at": [2]})
    >>> [(span.start, span.end, span.decided_at) for span in find_spans(turns, cut)]
    [(0, 1, 2), (2, 2, None)]
    """
    if turns.is_empty():
        return []
    positions = turns["position"].to_list()
    edges = _edges(turns, positions, boundaries)
    starts = [0, *(edge.row for edge in edges)]
    opened_at = [-1, *(edge.decided_at for edge in edges)]
    closed = [
        Span(
            positions[start], positions[edge.row - 1], edge.trigger, edge.score, max(edge.decided_at, opened)
        )
        for start, opened, edge in zip(starts, opened_at, edges, strict=False)
    ]
    return [*closed, Span(positions[starts[-1]], positions[-1])]


def open_call(roles: Sequence[str], parts: Sequence[str | None], row: int, known: int) -> int:
    """Return the row of the call that an edge before `row` would cut off from its result, else `row`.

    A turn of role tool belongs to the last turn before it that has another role, a result that names
    its call to that call, and a call right before the edge may have its result still to come.

    Parameters
    ----------
    roles, parts
        Of the turns of one dialogue.
    row
        The first row after the edge.
    known
        How many rows were there when the edge was decided.

    >>> open_call(["user", "assistant", "tool", "tool", "user"], [None] * 5, 3, 4)
    1
    """
    edge = row
    while (calling := _call_before(roles, parts, edge, known)) < edge:
        edge = calling
    return edge


@dataclass(frozen=True, slots=True)
class _Edge:
    row: int
    trigger: str | None
    score: float | None
    decided_at: int


def _edges(turns: pl.DataFrame, positions: list[int], boundaries: pl.DataFrame) -> list[_Edge]:
    roles, parts = turns["role"].to_list(), turns["parts"].to_list()
    edges: dict[int, _Edge] = {}
    for position, trigger, score, decided in boundaries.select(
        "position", "trigger", "score", "decided_at"
    ).rows():
        row = bisect_left(positions, position)
        if row == len(positions) or positions[row] != position:
            raise FrameError(
                f"boundaries: column 'position': {position}, expected a position of the turns, "
                f"which go from {positions[0]} to {positions[-1]}"
            )
        decided_at = position if decided is None else decided
        row = open_call(roles, parts, row, bisect_right(positions, decided_at))
        if row and (row not in edges or decided_at < edges[row].decided_at):
            edges[row] = _Edge(row, trigger, score, decided_at)
    return [edges[row] for row in sorted(edges)]


def _call_before(roles: Sequence[str], parts: Sequence[str | None], row: int, known: int) -> int:
    calling = row
    while 0 < calling < known and roles[calling] == "tool":
        calling -= 1
    if row and _named(parts[row - 1], "tool_call") - _named(parts[row - 1], "tool_result"):
        calling = min(calling, row - 1)
    wanted = {name for at in range(row, known) for name in _named(parts[at], "tool_result")}
    if wanted:
        calls = (at for at in range(row) if wanted & _named(parts[at], "tool_call"))
        calling = min(calling, next(calls, calling))
    return calling


def _named(parts: str | None, kind: str) -> set[str]:
    if not parts or kind not in parts:
        return set()
    return {part["id"] for part in json.loads(parts) if part.get("type") == kind and part.get("id")}
