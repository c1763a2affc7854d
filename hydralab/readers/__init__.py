"""Dialogues from files: any format that a reader knows, told by content, to tables.

`read(path)` gives the turns, `read_all(path)` the corpus with questions, gold boundaries and events.
A reader is one small file; `READERS` and the entry-point group `hydralab.readers` take more. See
`hydralab.readers.records` for the protocol.
"""

from __future__ import annotations

import hydralab.readers.builtin  # noqa: F401 (files the readers)
from hydralab.readers.counting import count_turns
from hydralab.readers.examples import example, examples
from hydralab.readers.reading import from_frame, read, read_all
from hydralab.readers.records import (
    READERS,
    DialogueRecord,
    Failure,
    Item,
    QuestionRecord,
    Reader,
    TurnRecord,
    convert_each,
    standard_role,
)

__all__ = [
    "READERS",
    "DialogueRecord",
    "Failure",
    "Item",
    "QuestionRecord",
    "Reader",
    "TurnRecord",
    "convert_each",
    "count_turns",
    "example",
    "examples",
    "from_frame",
    "read",
    "read_all",
    "standard_role",
]
