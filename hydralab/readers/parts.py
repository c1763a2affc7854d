"""The parts of one record (sessions, turns, questions), converted so that a bad one costs only itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, TypeVar

from hydralab.errors import ReadError
from hydralab.readers.ids import hash_id
from hydralab.readers.records import DialogueRecord, Failure, TurnRecord
from hydralab.readers.sources import Source
from hydralab.readers.times import to_utc

__all__ = ["convert_parts", "derived_id", "placed_in", "text_of"]

Part = TypeVar("Part")
Made = TypeVar("Made")


def convert_parts(
    parts: Iterable[Part], convert: Callable[[Part], Made], what: str
) -> tuple[list[Made], list[Failure]]:
    """Convert each part of a record; return those that could be, and a failure for each other one.

    Parameters
    ----------
    parts
        In order.
    convert
        Raises where a part can't be read.
    what
        What a part is called in the failure's reason, in front of its number from 0.

    >>> convert_parts([{"text": "hi"}, {"txt": "oh"}], lambda part: text_of(part, "text"), "turn")
    (['hi'], [Failure(reason="turn 1: no field 'text'", line=None, record=None, item_id=None, status='failed')])
    """
    made: list[Made] = []
    failures: list[Failure] = []
    for number, one in enumerate(_converted(parts, convert)):
        if isinstance(one, Failure):
            failures.append(Failure(f"{what} {number}: {one.reason}", item_id=one.item_id))
        else:
            made.append(one)
    return made, failures


def text_of(part: Mapping[str, Any], field: str) -> str:
    """Return a field that must be a string.

    >>> text_of({"text": 7}, "text")
    Traceback (most recent call last):
    ...
    hydralab.errors.ReadError: field 'text' is int, expected a string
    """
    value = part[field]
    if not isinstance(value, str):
        raise ReadError(f"field {field!r} is {type(value).__name__}, expected a string")
    return value


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


def _converted(parts: Iterable[Part], convert: Callable[[Part], Made]) -> Iterator[Made | Failure]:
    for part in parts:
        try:
            yield convert(part)
        except ReadError as error:
            yield Failure(str(error))
        except KeyError as error:
            yield Failure(f"no field {error.args[0]!r}")
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            yield Failure(f"{type(error).__name__}: {error}")
