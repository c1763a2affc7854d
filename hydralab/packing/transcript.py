"""The turns of one dialogue in the form that prompts are made of, seen as of any moment.

A prompt takes a hundred turns of thousands. So the table is taken apart once a dialogue, into plain
columns, and what a turn looks like as a recalled item is written once.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.index.growing_frame import GrowingArray
from hydralab.packing.blocks import tag_word
from hydralab.packing.tools import write_out
from hydralab.readers.counting import image_tokens

__all__ = ["Excerpt", "Item", "Row", "Transcript"]

Row = Mapping[str, Any]

_SPACES = re.compile(r"\s+")

WRITTEN = ("turn_id", "position", "role", "speaker", "text", "parts", "tokens")
"""Columns of the turns table that prompts are written from."""

NUMBERS = {
    "system_positions": np.int64,
    "positions": np.int64,
    "rounds": np.int64,
    "text_tokens": np.int64,
    "is_user": np.bool_,
    "name_lengths": np.int64,
}


@dataclass(frozen=True)
class Item:
    """One row of the prompt: a recalled turn, a checkpoint or a fact.

    `least` is a number of tokens that its text takes at least; with tags it takes more. `date` is its day,
    where that is not the day of the newest turn.
    """

    section: str
    item_id: str
    role: str | None
    label: str
    text: str
    order: float
    source_turn_ids: tuple[str, ...]
    least: int = 0
    date: str | None = None
    speaker: str | None = None
    parts: str | None = None


class Transcript:
    """The turns of one dialogue, growing at the end; `before` shows them as of a moment. Days are UTC days.

    Parameters
    ----------
    turns
        Turns table of one dialogue.

    >>> from hydralab.frames import empty
    >>> Transcript(empty("turns")).before(None).at
    0
    """

    def __init__(self, turns: pl.DataFrame) -> None:
        self.end = 0
        self.system_texts: list[str] = []
        self.columns: dict[str, list[Any]] = {name: [] for name in WRITTEN}
        self.row_of: dict[str, int] = {}
        self.days: list[str | None] = []
        self.is_tool: list[bool] | None = None
        self.several_from = sys.maxsize
        """The row at which a second person speaks."""
        self._heard: str | None = None
        self._numbers = {name: GrowingArray((), kind) for name, kind in NUMBERS.items()}
        self._items: dict[int, Item] = {}
        self._items_as: tuple[bool, str | None] = (False, None)
        self.extend(turns)

    def extend(self, turns: pl.DataFrame) -> None:
        """Append the next turns; what was shown before stays as it was."""
        is_system = turns["role"] == "system"
        spoken = turns.filter(~is_system) if is_system.any() else turns
        first = len(self.days)
        self.end = turns["position"].item(-1) + 1 if turns.height else self.end
        self.system_texts += turns["text"].filter(is_system).to_list()
        # In plain values: a live dialogue grows by one turn, for which each expression would take a query.
        written = {name: spoken[name].to_list() for name in WRITTEN}
        names = written["speaker"]
        fresh = {
            "system_positions": turns["position"].filter(is_system).to_numpy(),
            "positions": spoken["position"].to_numpy(),
            "rounds": spoken["round"].to_numpy(),
            "text_tokens": spoken["tokens"].to_numpy() - _picture_tokens(written["parts"]),
            "is_user": (spoken["role"] == "user").to_numpy(),
            "name_lengths": [0 if name is None else len(name) + 1 for name in names],
        }
        for name, numbers in fresh.items():
            self._numbers[name].extend(numbers)
        is_tool = spoken["role"] == "tool"
        if self.is_tool is not None or is_tool.any():
            self.is_tool = [*(self.is_tool or [False] * first), *is_tool.to_list()]
        self.days += [None if time is None else time.date().isoformat() for time in spoken["time"].to_list()]
        written["speaker"] = [None if name is None else _SPACES.sub(" ", name) for name in names]
        for name, column in self.columns.items():
            column += written[name]
        self.row_of.update(zip(written["turn_id"], range(first, len(self.days)), strict=True))
        self._hear(spoken, first)

    @property
    def system_positions(self) -> NDArray[np.int64]:
        """Int64: positions of the system turns."""
        return self._numbers["system_positions"].rows

    @property
    def positions(self) -> NDArray[np.int64]:
        """Int64 (rows,): positions of the other turns."""
        return self._numbers["positions"].rows

    @property
    def rounds(self) -> NDArray[np.int64]:
        """Int64 (rows,)."""
        return self._numbers["rounds"].rows

    @property
    def text_tokens(self) -> NDArray[np.int64]:
        """Int64 (rows,): tokens of each turn without those of its pictures."""
        return self._numbers["text_tokens"].rows

    @property
    def is_user(self) -> NDArray[np.bool_]:
        """Bool (rows,)."""
        return self._numbers["is_user"].rows

    @property
    def name_lengths(self) -> NDArray[np.int64]:
        """Int64 (rows,): characters that the speaker's name and a colon would add to each turn."""
        return self._numbers["name_lengths"].rows

    def before(self, at: int | None) -> Excerpt:
        """Return the turns before a position; all when None."""
        position = self.end if at is None else at
        return Excerpt(self, position, int(np.searchsorted(self.positions, position)))

    def items(self, named: bool, today: str | None) -> dict[int, Item]:
        """Return the items written so far, by row: with speakers or without, seen from one day."""
        if self._items_as != (named, today):
            self._items, self._items_as = {}, (named, today)
        return self._items

    def _hear(self, turns: pl.DataFrame, first: int) -> None:
        """Note the row at which a second person speaks, once one does."""
        if self.several_from < sys.maxsize or turns["speaker"].null_count() == turns.height:
            return
        for row, (role, speaker) in enumerate(turns.select("role", "speaker").iter_rows(), start=first):
            if role != "user" or speaker is None:
                continue
            self._heard = speaker if self._heard is None else self._heard
            if speaker != self._heard:
                self.several_from = row
                return


def _picture_tokens(parts: Sequence[str | None]) -> NDArray[np.int64]:
    """Return what each turn's `tokens` count for its pictures; prompts only name them."""
    counts = [image_tokens(json.loads(each)) if each and '"image"' in each else 0 for each in parts]
    return np.array(counts, dtype=np.int64)


@dataclass(frozen=True)
class Excerpt:
    """The turns before one moment, system turns apart; rows count the others.

    Attributes
    ----------
    at
        Position of the turn that would come next.
    stop
        How many rows there are.
    """

    whole: Transcript = field(repr=False)
    at: int
    stop: int

    @cached_property
    def system(self) -> str:
        """The dialogue's own system turns as one text."""
        count = int(np.searchsorted(self.whole.system_positions, self.at))
        return "\n\n".join(self.whole.system_texts[:count])

    @cached_property
    def named(self) -> bool:
        """Whether several people speak, so that each turn is to name its speaker."""
        return self.stop > self.whole.several_from

    @cached_property
    def today(self) -> str | None:
        """The day of the newest turn."""
        return self.whole.days[self.stop - 1] if self.stop else None

    @cached_property
    def name_lengths(self) -> NDArray[np.int64]:
        """Characters that the speaker's name adds to each turn, int64 (stop,)."""
        lengths = self.whole.name_lengths[: self.stop]
        return lengths if self.named else np.zeros_like(lengths)

    def row(self, number: int) -> dict[str, Any]:
        """Return one turn: turn_id, position, role, speaker (None where it is not written), text, parts, tokens."""
        turn = {name: column[number] for name, column in self.whole.columns.items()}
        if not self.named:
            turn["speaker"] = None
        return turn

    def rows(self, start: int, stop: int | None = None) -> list[dict[str, Any]]:
        """Return a stretch of turns, to the end when `stop` is None."""
        return [self.row(number) for number in range(start, self.stop if stop is None else stop)]

    def unit(self, turn_id: str) -> tuple[Item, ...]:
        """Return the items that go with a turn: itself, or a tool call and its results; none if it is not there."""
        row = self.whole.row_of.get(turn_id, self.stop)
        if row >= self.stop:
            return ()
        is_tool = self.whole.is_tool
        if is_tool is None:
            return (self._item(row),)
        start, stop = row, row + 1
        while start > 0 and is_tool[start]:
            start -= 1
        while stop < self.stop and is_tool[stop]:
            stop += 1
        return tuple(self._item(number) for number in range(start, stop))

    def _item(self, row: int) -> Item:
        items = self.whole.items(self.named, self.today)
        if row not in items:
            items[row] = self._written(row)
        return items[row]

    def _written(self, row: int) -> Item:
        turn, day = self.row(row), self.whole.days[row]
        return Item(
            section="recalled",
            item_id=turn["turn_id"],
            role=turn["role"],
            label=f"turn {turn['position']} {tag_word(turn['speaker'] or turn['role'])}",
            text=write_out(turn["text"], turn["parts"]),
            order=turn["position"],
            source_turn_ids=(turn["turn_id"],),
            least=0 if turn["parts"] else turn["tokens"],
            date=None if day == self.today else day,
            speaker=turn["speaker"],
            parts=turn["parts"],
        )
