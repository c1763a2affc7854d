"""What one can type that is no message: commands, and nothing at all."""

from __future__ import annotations

import re

from hydralab.errors import HydralabError

__all__ = ["check_message", "title_to_mark"]

KNOWN = ("/checkpoint", "/checkpoint title", "/检查点 标题")

_MARK = re.compile(r"\s*/(?:checkpoint|检查点)(?:\s+(?P<title>.*\S))?\s*", re.DOTALL | re.IGNORECASE)
_COMMAND = re.compile(r"(?P<command>/[\w-]+)(?!\S)")
"""A word behind a slash; a path goes on, with another slash or a dot."""


def title_to_mark(text: str) -> str | None:
    """Return the title that "/checkpoint title" or "/检查点 标题" names, "" without one; None for something else.

    >>> title_to_mark("/checkpoint Budget"), title_to_mark("/checkpoint"), title_to_mark("a /checkpoint")
    ('Budget', '', None)
    """
    mark = _MARK.fullmatch(text)
    return None if mark is None else mark["title"] or ""


def check_message(text: str) -> None:
    """Refuse a text that is blank, or begins with a command that there isn't.

    Raises
    ------
    HydralabError
        Names the commands that there are.

    >>> check_message("/etc/hosts is empty")
    >>> check_message(" /home is full")
    >>> check_message("/chekpoint Budget")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: chat: no command '/chekpoint', expected /checkpoint, ... or a message: with a blank \
before the slash it is one
    """
    expected = f"expected {', '.join(KNOWN)} or a message"
    if not text.strip():
        raise HydralabError(f"chat: nothing to say, {expected}")
    command = _COMMAND.match(text)
    if command is not None:
        raise HydralabError(
            f"chat: no command {command['command']!r:.60}, {expected}: with a blank before the slash it is one"
        )
