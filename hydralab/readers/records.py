"""What a reader yields, and the registry that readers are filed in.

A reader turns one source (a file, a member of a zip, a folder) into `DialogueRecord`s, one by one,
and a `Failure` for each record it can't read, so that one bad record never loses the rest. Ids,
positions, rounds, tokens, times and tables are made from the records by `hydralab.readers.tables`;
a reader only says what stands in its source.

A reader is a frozen dataclass whose fields are its options, filed by name:

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Shouts:
...     '''One shout a line.'''
...     def sniff(self, look):
...         return 0.9 if look.lines[:1] == ("SHOUTS",) else 0.0
...     def dialogues(self, source):
...         yield DialogueRecord([TurnRecord("user", text) for _, text in source.lines()][1:])

With `READERS.register("shouts")` as its decorator, or the entry-point group `hydralab.readers`, it
takes part in `hl.read` like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from hydralab.errors import HydralabError, ReadError, brief
from hydralab.frames import ROLES
from hydralab.readers.items import Failure, Item
from hydralab.registry import Registry

if TYPE_CHECKING:
    from hydralab.readers.looks import Look
    from hydralab.readers.sources import Source

__all__ = [
    "READERS",
    "DialogueRecord",
    "Failure",
    "Item",
    "QuestionRecord",
    "Reader",
    "TurnRecord",
    "convert_each",
    "reason_of",
    "standard_role",
]

ALIASES: Mapping[str, str] = {
    "human": "user",
    "prompter": "user",
    "customer": "user",
    "ai": "assistant",
    "bot": "assistant",
    "chatbot": "assistant",
    "chatgpt": "assistant",
    "gpt": "assistant",
    "model": "assistant",
    "bing": "assistant",
    "bard": "assistant",
    "claude": "assistant",
    "agent": "assistant",
    "developer": "system",
    "function": "tool",
    "observation": "tool",
    "tool_result": "tool",
    "用户": "user",
    "助手": "assistant",
    "系统": "system",
    "工具": "tool",
}
"""What other formats call the four roles."""


KINDS: Mapping[str, str] = {
    "NoneType": "null",
    "bool": "true or false",
    "int": "a number",
    "float": "a number",
    "str": "a text",
    "string": "a text",
    "list": "a list",
    "dict": "an object",
}
"""Python's types in JSON's words."""

MISTAKEN: Mapping[str, str] = {
    r"^(string|list) indices must be": "an object",
    r"'(\w+)' object is not (?:iterable|subscriptable)": "a list or an object",
    r"'(\w+)' object cannot be interpreted as an integer": "a whole number",
    r"argument of type '(\w+)' is not iterable": "a list or an object",
    r"unhashable type: '(\w+)'": "a name",
    r"object of type '(\w+)' has no len": "a list or a text",
    r"expected string or bytes-like object, got '(\w+)'": "a text",
    r"(?:int|float)\(\) argument must be .*, not '(\w+)'": "a number",
}
"""What Python says when a record holds another type than a reader takes → what was expected."""


@dataclass(frozen=True)
class TurnRecord:
    """One message as it stands in a source.

    Parameters
    ----------
    role
        One of `hydralab.frames.ROLES`; where people talk without an assistant, "user".
    text
        The text as found; it is scrubbed when the tables are made. Text of a tool result is here.
    speaker
        The name of who speaks, where the source gives one.
    time
        As found: an aware or naive datetime, an ISO 8601 string, or a POSIX time in s, ms, µs or ns.
    session
        The source's session id.
    source_id
        The source's id of this message; makes the turn_id.
    parts
        What the message holds besides text, each a mapping with `type`: "tool_call" (id, name,
        arguments), "tool_result" (id of the call, name), "image", "attachment" (name, text; `inline` when
        the turn's text describes it already, so that prompts don't name it again).
        Names, arguments and texts of parts are counted into the turn's tokens.
    meta
        Anything else worth keeping; not counted.
    """

    role: str
    text: str
    speaker: str | None = None
    time: datetime | str | float | None = None
    session: str | None = None
    source_id: str | None = None
    parts: Sequence[Mapping[str, Any]] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class QuestionRecord:
    """One question about a dialogue, with its gold.

    Parameters
    ----------
    text, answer, category
        As found.
    evidence
        The turns that hold the answer: each a source_id of a turn, or a position from 0.
    evidence_sessions
        Session ids that hold the answer.
    asked_at
        The turn after which the question is asked, a source_id or position; None: at the end.
    source_id
        The source's id of the question; makes the question_id.
    """

    text: str
    answer: str | None = None
    evidence: Sequence[str | int] = ()
    evidence_sessions: Sequence[str] = ()
    asked_at: str | int | None = None
    category: str | None = None
    source_id: str | None = None


@dataclass(frozen=True)
class DialogueRecord:
    """One dialogue as it stands in a source.

    Parameters
    ----------
    turns
        Its messages in order.
    dialogue_id
        The source's conversation id; None where it has none (a running number is none): the id is
        then made of the reader's name and a hash of the first turn.
    title, user, language
        As found; a language of None is told from the text.
    boundaries
        Gold boundaries: positions of the first turn of each new span, from 1. A reader converts the
        convention of its set; 0 is never a boundary.
    annotator
        Who set the boundaries.
    questions
        Gold questions.
    line, record
        Where it stands in the source: line number from 1, record number from 0; in messages both count
        from 1.
    problems
        What of it could not be read, or only in part.
    """

    turns: Sequence[TurnRecord]
    dialogue_id: str | None = None
    title: str | None = None
    user: str | None = None
    language: str | None = None
    boundaries: Sequence[int] = ()
    annotator: str | None = "gold"
    questions: Sequence[QuestionRecord] = ()
    line: int | None = None
    record: int | None = None
    problems: Sequence[Failure] = ()


@runtime_checkable
class Reader(Protocol):
    """What every reader does; see the module's text for an example."""

    def sniff(self, look: Look) -> float:
        """Return how sure the reader is that the source is of its format: 0 (no) to 1 (certain)."""
        ...

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield what the source holds, dialogue by dialogue."""
        ...


READERS: Registry[type[Reader]] = Registry("reader", group="hydralab.readers")
"""Format name → reader class."""


def standard_role(name: str) -> str:
    """Return the role that a source's word for it stands for.

    >>> standard_role("human"), standard_role("GPT"), standard_role("tool")
    ('user', 'assistant', 'tool')
    """
    word = str(name).strip().lower()
    role = word if word in ROLES else ALIASES.get(word)
    if role is None:
        raise ReadError(f"role {name!r}, expected one of {', '.join(ROLES)} or a known word for them")
    return role


def convert_each(
    items: Iterable[Item | Failure],
    convert: Callable[[Item], DialogueRecord | Failure | Iterable[DialogueRecord | Failure]],
) -> Iterator[DialogueRecord | Failure]:
    """Convert records one by one; one that `convert` can't take becomes a `Failure` with its place.

    Parameters
    ----------
    items
        `source.records()` or `source.items()`; failures among them are passed on.
    convert
        Turns one record into a dialogue, or into several.
    """
    for item in items:
        if isinstance(item, Failure):
            yield item
            continue
        try:
            made = convert(item)
            several = [made] if isinstance(made, DialogueRecord | Failure) else list(made)
        except Exception as error:  # whatever a record makes a reader raise costs that record only
            several = [Failure(reason_of(error))]
        for one in several:
            yield _placed(one, item)


def _placed(one: DialogueRecord | Failure, item: Item) -> DialogueRecord | Failure:
    line = one.line if one.line is not None else item.line
    record = one.record if one.record is not None else item.record
    return replace(one, line=line, record=record)


def reason_of(error: Exception) -> str:
    """Return in words what was wrong with a record that made a reader raise.

    >>> try: [1].get("role")
    ... except AttributeError as error: print(reason_of(error))
    [1] stands where an object was expected
    """
    if isinstance(error, HydralabError):
        return str(error)
    if isinstance(error, KeyError) and error.args:
        return f"no field {brief(error.args[0])}"
    if isinstance(error, AttributeError) and error.name is not None:
        expected = "a text" if hasattr(str, error.name) else "an object"
        return f"{brief(error.obj)} stands where {expected} was expected"
    if isinstance(error, RecursionError):
        return "nested too deep"
    for pattern, expected in MISTAKEN.items():
        found = re.search(pattern, str(error)) if isinstance(error, TypeError) else None
        if found:
            return f"{KINDS.get(found[1], found[1])} stands where {expected} was expected"
    return f"a value of another kind than the format has ({type(error).__name__}: {error})"
