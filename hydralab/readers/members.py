"""The members of one record (sessions, turns, questions), converted so that a bad one costs only itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from hydralab.errors import ReadError
from hydralab.readers.records import Failure, reason_of

__all__ = ["convert_members", "text_of"]

Member = TypeVar("Member")
Made = TypeVar("Made")


def convert_members(
    members: Iterable[Member], convert: Callable[[Member], Made], what: str
) -> tuple[list[Made], list[Failure]]:
    """Convert each member of a record; return those that could be, and a failure for each other one.

    Parameters
    ----------
    members
        In order.
    convert
        Raises where a member can't be read.
    what
        What a member is called in the failure's reason, in front of its number from 0.

    >>> convert_members([{"text": "hi"}, {"txt": "oh"}], lambda turn: text_of(turn, "text"), "turn")
    (['hi'], [Failure(reason="turn 1: no field 'text'", line=None, record=None, item_id=None, status='failed')])
    """
    made: list[Made] = []
    failures: list[Failure] = []
    for number, one in enumerate(_converted(members, convert)):
        if isinstance(one, Failure):
            failures.append(Failure(f"{what} {number}: {one.reason}", item_id=one.item_id))
        else:
            made.append(one)
    return made, failures


def text_of(found: Mapping[str, Any], field: str) -> str:
    """Return a field that must be a string.

    >>> text_of({"text": 7}, "text")
    Traceback (most recent call last):
    ...
    hydralab.errors.ReadError: field 'text' is int, expected a string
    """
    value = found[field]
    if not isinstance(value, str):
        raise ReadError(f"field {field!r} is {type(value).__name__}, expected a string")
    return value


def _converted(members: Iterable[Member], convert: Callable[[Member], Made]) -> Iterator[Made | Failure]:
    for member in members:
        try:
            yield convert(member)
        except Exception as error:  # whatever a member makes a reader raise costs that member only
            yield Failure(reason_of(error))
