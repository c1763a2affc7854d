"""Tables with named columns: CSV, Parquet, JSON Lines, data frames; a row is a turn.

Columns are found by their usual names (`role`, `text`, `time`, `dialogue_id` …), or named by the
caller. Without a role column everyone is a user with a speaker. A boundary column marks the rows at
which a new span starts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

import polars as pl

from hydralab.errors import ReadError, brief, check_value, unknown_name
from hydralab.readers.looks import Look
from hydralab.readers.parsing import json_shape
from hydralab.readers.records import (
    READERS,
    DialogueRecord,
    Failure,
    Item,
    TurnRecord,
    reason_of,
    standard_role,
)
from hydralab.readers.sources import Source, decode

__all__ = ["Columns", "columns_named"]

USUAL: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "text": ("text", "content", "message", "utterance", "value", "body", "文本", "内容", "消息"),
        "role": ("role", "author_role", "sender_role", "角色"),
        "speaker": ("speaker", "sender", "from", "author", "name", "user_name", "说话人", "发言人"),
        "time": ("time", "timestamp", "created_at", "date", "datetime", "create_time", "时间"),
        "dialogue": (
            "dialogue_id",
            "conversation_id",
            "dialog_id",
            "chat_id",
            "thread_id",
            "dialogue",
            "对话",
        ),
        "turn": ("turn_id", "message_id", "turn", "id"),
        "session": ("session", "session_id", "会话"),
        "title": ("title", "标题"),
        "user": ("user_id",),
        "boundary": ("boundary", "is_boundary", "new_topic", "边界"),
    }
)
"""What a column is for → the names it is found by, the likeliest first."""

TRUE = frozenset({"1", "1.0", "true", "t", "yes", "y", "x", "是"})
FALSE = frozenset({"", "0", "0.0", "-1", "-1.0", "false", "f", "no", "n", "none", "null", "nan", "否"})
"""What a cell of a boundary column may hold, in any case."""


@READERS.register("columns")
@dataclass(frozen=True)
class Columns:
    """Named columns; each option is the name of a column, None for its usual names.

    Parameters
    ----------
    text, role, speaker, time, session, title, user, boundary
        Columns of the turn's fields.
    dialogue
        The column that tells dialogues apart; without one the table is one dialogue.
    turn
        The column of the source's turn ids.
    """

    text: str | None = None
    role: str | None = None
    speaker: str | None = None
    time: str | None = None
    dialogue: str | None = None
    turn: str | None = None
    session: str | None = None
    title: str | None = None
    user: str | None = None
    boundary: str | None = None

    def sniff(self, look: Look) -> float:
        """Likely by a column of texts and one of who speaks."""
        columns = look.columns if look.kind == "table" else tuple(look.first)
        if look.kind == "json" and not isinstance(_of(look.first, "text"), str):
            return 0.0
        purposes = {purpose for purpose in USUAL if _usual(purpose, columns)}
        # An object alone may be anything that has a name and a text.
        speaks = purposes & ({"role"} if look.shape == "dict" else {"role", "speaker"})
        return 0.5 if "text" in purposes and speaks else 0.2 if {"text", "dialogue"} <= purposes else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield each dialogue of the table, in the order in which they begin."""
        is_json = source.head(4) != b"PAR1" and _is_json(source)
        return self.from_items(source.records() if is_json else source.rows())

    def from_frame(self, frame: pl.DataFrame) -> Iterator[DialogueRecord | Failure]:
        """Yield each dialogue of a data frame."""
        return self.from_items(
            Item(row, record=number) for number, row in enumerate(frame.iter_rows(named=True))
        )

    def from_items(self, items: Iterable[Item | Failure]) -> Iterator[DialogueRecord | Failure]:
        """Yield each dialogue of some rows."""
        gathered: dict[Any, list[Item]] = {}
        for item in items:
            if isinstance(item, Failure):
                yield item
            elif not isinstance(item.value, Mapping):
                yield Failure("no row with named columns", item.line, item.record)
            else:
                gathered.setdefault(self._value(item.value, "dialogue"), []).append(item)
        for name, rows in gathered.items():
            yield from self._dialogue(name, rows)

    def _dialogue(self, name: Any, rows: list[Item]) -> Iterator[DialogueRecord | Failure]:
        turns: list[TurnRecord] = []
        boundaries: list[int] = []
        for row in rows:
            try:
                turn = self._turn(row.value)
            except Exception as error:  # whatever a row makes the reader raise costs that row only
                yield Failure(reason_of(error), row.line, row.record)
                continue
            cell = str(self._value(row.value, "boundary") or "").strip()
            if cell.lower() not in TRUE | FALSE:
                reason = f"boundary is {brief(cell)}, expected 1 or 0, true or false, yes or no; no span starts here"
                yield Failure(reason, row.line, row.record, status="salvaged")
            elif turns and cell.lower() in TRUE:
                boundaries.append(len(turns))
            turns.append(turn)
        if not turns:
            return
        first = rows[0]
        title, user = self._value(first.value, "title"), self._value(first.value, "user")
        yield DialogueRecord(
            turns,
            None if name is None else str(name),
            title,
            user,
            boundaries=boundaries,
            line=first.line,
            record=first.record,
        )

    def _turn(self, row: Mapping[str, Any]) -> TurnRecord:
        text = self._value(row, "text")
        if text is None:
            column = self.text or " or ".join(USUAL["text"][:3])
            raise ReadError(f"no text (column {column})")
        role, speaker = self._value(row, "role"), self._value(row, "speaker")
        if role is None and speaker is not None:
            role, speaker = _told_by_speaker(str(speaker))
        session, turn = self._value(row, "session"), self._value(row, "turn")
        return TurnRecord(
            standard_role(role or "user"),
            str(text),
            speaker,
            self._value(row, "time"),
            None if session is None else str(session),
            None if turn is None else str(turn),
        )

    def _value(self, row: Mapping[str, Any], purpose: str) -> Any:
        asked = getattr(self, purpose)
        if asked is None:
            return _of(row, purpose)
        if asked not in row:
            raise unknown_name("column", asked, row)
        return row[asked]


def columns_named(present: Iterable[str], **named: str | None) -> Columns:
    """Return the reader for columns of these names, after a look whether they are there.

    >>> columns_named(["said", "who"], text="said").text
    'said'
    """
    known = [option.name for option in fields(Columns)]
    listed = list(present)
    for option, column in named.items():
        if option not in known:
            raise unknown_name("option", option, known)
        check_value(option, column, "str | None")
        if column is not None and column not in listed:
            raise unknown_name("column", column, listed)
    return Columns(**named)


def _usual(purpose: str, columns: Iterable[str]) -> str | None:
    lowered = {str(column).strip().lower(): column for column in columns}
    return next((lowered[name] for name in USUAL[purpose] if name in lowered), None)


def _of(row: Mapping[str, Any], purpose: str) -> Any:
    column = _usual(purpose, row)
    return None if column is None else row[column]


def _told_by_speaker(speaker: str) -> tuple[str, str | None]:
    try:
        return standard_role(speaker), None
    except ReadError:
        return "user", speaker


def _is_json(source: Source) -> bool:
    return bool(json_shape(decode(source.head(1 << 16), source.encoding)))
