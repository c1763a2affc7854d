"""Ids of dialogues, turns and questions: the source's own, else made from content; never twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Mapping, Sequence
from datetime import datetime
from typing import Any

from hydralab.readers.records import Failure, TurnRecord
from hydralab.texts import scrub

__all__ = ["digest_of", "hash_id", "numbered", "turn_names"]


def hash_id(reader: str, turn: TurnRecord, time: datetime | None = None) -> str:
    """Return the id of a dialogue whose source gives none: reader name and a hash of its first turn.

    Parameters
    ----------
    reader
        The name of the reader.
    turn, time
        The first turn, and its time in UTC.

    >>> hash_id("sharegpt", TurnRecord("user", "hello"))
    'sharegpt-c9ace353ee8c'
    """
    stamp = time.isoformat() if time else ""
    text = json.dumps([turn.role, scrub(turn.text), stamp], ensure_ascii=False)
    return f"{reader}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def digest_of(turns: Sequence[Mapping[str, Any]]) -> str:
    """Return a digest of what the rows of a dialogue say, to tell a copy from a namesake."""
    content = [
        (turn["role"], turn["speaker"], turn["text"], str(turn["time"]), turn["parts"]) for turn in turns
    ]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()


def numbered(name: str, taken: Container[str]) -> str:
    """Return the name with the first number from 2 that makes it free.

    >>> numbered("a", {"a", "a-2"})
    'a-3'
    """
    number = 2
    while f"{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}"


def turn_names(
    given: Sequence[str | None], rows: Sequence[Mapping[str, Any]]
) -> tuple[list[str | None], list[Failure]]:
    """Return what each turn is called inside its dialogue: the source's id, else its position.

    Parameters
    ----------
    given
        The source's id of each turn.
    rows
        The row of each turn, to tell a repeat from a namesake.

    Returns
    -------
    names
        One a turn; None for a turn that stands a second time with the same content and is left out.
    problems
        Repeats left out, and namesakes that were given another name.

    >>> turn_names(["a", None, "a", "a"], [{"text": "x"}, {"text": "y"}, {"text": "x"}, {"text": "z"}])[0]
    ['a', '1', None, 'a-2']
    """
    taken: dict[str, Mapping[str, Any]] = {}
    names: list[str | None] = []
    problems: list[Failure] = []
    for wanted, row in zip(given, rows, strict=True):
        name = str(len(taken)) if wanted is None else wanted
        if wanted is not None and taken.get(name) == row:
            reason = f"turn {name!r} stands twice, with the same content"
            problems.append(Failure(reason, item_id=name, status="ok"))
            names.append(None)
            continue
        if name in taken:
            name = numbered(name, taken)
            reason = f"turn id {wanted!r} stands twice with other content; the second is now {name!r}"
            problems.append(Failure(reason, item_id=name, status="salvaged"))
        taken[name] = row
        names.append(name)
    return names, problems
