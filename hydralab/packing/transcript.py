"""The turns of one dialogue in the form that prompts are made of, seen as of any moment.

A prompt takes a hundred turns of thousands. So the table is taken apart once a dialogue, into plain
columns, and what a turn looks like as a recalled item is written once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hydralab.packing.blocks import tag_word
from hydralab.packing.tools import write_out
from hydralab.readers.counting import image_tokens

__all__ = ["Excerpt", "Item", "Row", "Transcript"]

Row = Mapping[str, Any]


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
    """The turns of one dialogue, made once; `before` shows them as of a moment. Days are UTC days.

    Parameters
    ----------
    turns
        Turns table of one dialogue.

    >>> from hydralab.frames import empty
    >>> Transcript(empty("turns")).before(None).at
    0
    """

    def __init__(self, turns: pl.DataFrame) -> None:
        is_system = turns["role"] == "system"
        spoken = turns.filter(~is_system) if is_system.any() else turns
        self.end = turns["position"].item(-1) + 1 if turns.height else 0
        self.system_positions = turns["position"].filter(is_system).to_numpy()
        self.system_texts = turns["text"].filter(is_system).to_list()
        self.positions = spoken["position"].to_numpy()
        self.rounds = spoken["round"].to_numpy()
        self.text_tokens = spoken["tokens"].to_numpy() - _picture_tokens(spoken["parts"])
        self.is_user = (spoken["role"] == "user").to_numpy()
        is_tool = spoken["role"] == "tool"
        self.is_tool = is_tool.to_list() if is_tool.any() else None
        self.name_lengths = spoken["speaker"].str.len_chars().cast(pl.Int64).fill_null(-1).to_numpy() + 1
        self.days = spoken["time"].dt.strftime("%Y-%m-%d").to_list()
        written = spoken.with_columns(pl.col("speaker").str.replace_all(r"\s+", " "))
        names = ("turn_id", "position", "role", "speaker", "text", "parts", "tokens")
        self.columns = {name: written[name].to_list() for name in names}
        self.row_of = {turn_id: row for row, turn_id in enumerate(self.columns["turn_id"])}
        self.several_from = _several_from(spoken)
        self._items: dict[int, Item] = {}
        self._items_as: tuple[bool, str | None] = (False, None)

    def before(self, at: int | None) -> Excerpt:
        """Return the turns before a position; all when None."""
        position = self.end if at is None else at
        return Excerpt(self, position, int(np.searchsorted(self.positions, position)))

    def items(self, named: bool, today: str | None) -> dict[int, Item]:
        """Return the items written so far, by row: with speakers or without, seen from one day."""
        if self._items_as != (named, today):
            self._items, self._items_as = {}, (named, today)
        return self._items


def _picture_tokens(parts: pl.Series) -> NDArray[np.int64]:
    """Return what each turn's `tokens` count for its pictures; prompts only name them."""
    tokens = np.zeros(len(parts), dtype=np.int64)
    for row in parts.str.contains('"image"', literal=True).fill_null(False).arg_true().to_list():
        tokens[row] = image_tokens(json.loads(parts[row]))
    return tokens


def _several_from(turns: pl.DataFrame) -> int:
    """Return the row at which a second person speaks; past the end where none does."""
    people = turns["speaker"].to_list()
    heard = [row for row in (turns["role"] == "user").arg_true().to_list() if people[row] is not None]
    return next((row for row in heard if people[row] != people[heard[0]]), turns.height)


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
