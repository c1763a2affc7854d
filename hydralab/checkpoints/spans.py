"""Spans of turns: from boundaries to stretches that tile a dialogue and split no tool call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.checkpoints.calls import Calls
from hydralab.errors import FrameError

__all__ = ["Span", "find_closed", "find_spans"]


Positions = NDArray[np.int64]


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
    positions = turns["position"].to_numpy()
    edges = _distinct(_resolved(Calls(turns), positions, boundaries))
    start = edges[-1].row if edges else 0
    return [*_between(positions, _START, edges), Span(int(positions[start]), int(positions[-1]))]


def find_closed(turns: pl.DataFrame, before: pl.DataFrame, fresh: pl.DataFrame) -> list[Span]:
    """Return the closed spans that `find_spans` finds with `fresh` and does not find without.

    Looks only at the boundaries that can be an edge of one, so that closing spans while a dialogue runs does
    not cost more the longer it is.

    Parameters
    ----------
    turns
        Turns of one dialogue so far.
    before, fresh
        Boundaries decided before, and those decided just now.

    >>> turns = pl.DataFrame({"position": [0, 1, 2], "role": ["user", "assistant", "user"], "parts": [None] * 3})
    >>> cut = pl.DataFrame({"position": [2, 1], "trigger": ["cue"] * 2, "score": [1.0] * 2, "decided_at": [2, 1]})
    >>> [(span.start, span.end) for span in find_closed(turns, cut.tail(1), cut.head(1))]
    [(1, 1)]
    """
    if turns.is_empty():
        return []
    positions, calls = turns["position"].to_numpy(), Calls(turns)
    new = _distinct(_resolved(calls, positions, fresh))
    if not new:
        return []
    first = new[0].row
    old = _distinct(_from_before(calls, positions, before, first))
    opening = max((edge for edge in old if edge.row < first), key=lambda edge: edge.row, default=_START)
    later = [edge for edge in old if edge.row > opening.row]
    known = {(span.start, span.end) for span in _between(positions, opening, later)}
    spans = _between(positions, opening, _distinct([*later, *new]))
    return [span for span in spans if (span.start, span.end) not in known]


@dataclass(frozen=True, slots=True)
class _Edge:
    row: int
    trigger: str | None
    score: float | None
    decided_at: int


_START = _Edge(0, None, None, -1)


def _between(positions: Positions, opening: _Edge, edges: Sequence[_Edge]) -> list[Span]:
    """Return the spans that edges close, the first of which starts at `opening`."""
    return [
        Span(
            int(positions[first.row]),
            int(positions[edge.row - 1]),
            edge.trigger,
            edge.score,
            max(edge.decided_at, first.decided_at),
        )
        for first, edge in zip([opening, *edges], edges, strict=False)
    ]


def _distinct(edges: Sequence[_Edge]) -> list[_Edge]:
    """Return the edges in order, of several at one place the one decided first; none before the first turn."""
    chosen: dict[int, _Edge] = {}
    for edge in edges:
        if edge.row and (edge.row not in chosen or edge.decided_at < chosen[edge.row].decided_at):
            chosen[edge.row] = edge
    return [chosen[row] for row in sorted(chosen)]


def _resolved(calls: Calls, positions: Positions, boundaries: pl.DataFrame) -> list[_Edge]:
    """Return where boundaries cut, a call and its results kept together."""
    edges = []
    for position, trigger, score, decided in boundaries.select(
        "position", "trigger", "score", "decided_at"
    ).rows():
        row = int(np.searchsorted(positions, position))
        if row == len(positions) or positions[row] != position:
            raise FrameError(
                f"boundaries: column 'position': {position}, expected a position of the turns, "
                f"which go from {positions[0]} to {positions[-1]}"
            )
        edges.append(_Edge(row, trigger, score, position if decided is None else decided))
    known = [int(np.searchsorted(positions, edge.decided_at, side="right")) for edge in edges]
    if edges:
        calls.look_up(min(edge.row for edge in edges), max(known))
    return [replace(edge, row=calls.opening(edge.row, rows)) for edge, rows in zip(edges, known, strict=True)]


def _from_before(calls: Calls, positions: Positions, before: pl.DataFrame, first: int) -> list[_Edge]:
    """Return the edges of boundaries decided before, from the last one before a row on.

    An edge lies at its boundary or before it: once one is found that lies behind all boundaries that are left,
    none of these can be the last.
    """
    newest = before.sort("position", descending=True)
    edges: list[_Edge] = []
    last = -1
    for number, position in enumerate(newest["position"].to_list()):
        if last >= 0 and position < positions[last]:
            break
        edges += _resolved(calls, positions, newest.slice(number, 1))
        if edges[-1].row < first:
            last = max(last, edges[-1].row)
    return edges
