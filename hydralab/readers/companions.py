"""Files that belong together, such as chats and the questions about them, each of which reads both."""

from __future__ import annotations

from pathlib import PurePosixPath

from hydralab.errors import ReadError
from hydralab.readers.ids import hash_id
from hydralab.readers.records import DialogueRecord, Failure, TurnRecord
from hydralab.readers.sources import Source
from hydralab.readers.times import to_utc

__all__ = ["derived_id", "placed_in"]


def derived_id(reader: str, first: TurnRecord) -> str:
    """Return the id that a dialogue without one gets from its first turn, for a reader to give itself.

    A dialogue that can be reached through two files is then known as the same, and read once.

    >>> derived_id("madial", TurnRecord("user", "hello", time="2026-03-02")).startswith("madial-")
    True
    """
    try:
        time, _ = to_utc(first.time)
    except ReadError:
        time = None
    return hash_id(reader, first, time)


def placed_in(companion: Source, source: Source, one: DialogueRecord | Failure) -> DialogueRecord | Failure:
    """Return a failure with its place in a companion file of the source as part of its reason.

    >>> from pathlib import Path
    >>> read, beside = Source(Path("bank.json")), Source(Path("questions.jsonl"))
    >>> placed_in(beside, read, Failure("no field 'user'", line=3)).reason
    "questions.jsonl, line 3: no field 'user'"
    """
    if isinstance(one, DialogueRecord) or companion == source:
        return one
    where = ", ".join(part for part in (PurePosixPath(companion.name).name, one.where()) if part)
    return Failure(f"{where}: {one.reason}", item_id=one.item_id, status=one.status)
