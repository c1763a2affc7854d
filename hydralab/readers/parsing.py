"""JSON as it is found: lists, objects, lines; half-written, with a bad record in the middle.

A list or an object is decoded item by item with the library's own scanner, so that a broken item
costs that item alone. Strings may hold raw control characters; bytes that are no UTF-8 arrive as
lone surrogates U+DC80–U+DCFF and fail the record that holds them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from hydralab.readers.records import Failure, Item

__all__ = ["close_json", "json_items", "json_records", "json_shape", "undecoded_at"]

DECODER = json.JSONDecoder(strict=False)
UNDECODED = re.compile("[\udc80-\udcff]")
SPACE = re.compile(r"[\s\x00\ufeff]*")
# A lone quote is where a string begins that the text does not end.
TOKENS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|["\[\]{},]', re.DOTALL)
CLOSERS = {"[": "]", "{": "}"}
PROBED_LINES = 20


def json_shape(text: str) -> str:
    r"""Tell what a JSON text is: "list", "dict", "lines" (one value a line), or "" (none of these).

    A text that is cut off or broken is told by how it starts and by whether most of its first lines
    are values of their own.

    >>> json_shape('[1, 2'), json_shape('{"a": 1}'), json_shape('{"a": 1}\n{"a": 2}')
    ('list', 'dict', 'lines')
    """
    start = _skip(text, 0)
    opener = text[start : start + 1]
    if opener in CLOSERS and opener:
        shape = "list" if opener == "[" else "dict"
        try:
            _, end = DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            return "lines" if _mostly_lines(text, opener) else shape
        after = text[_skip(text, end) :][:1]
        is_line = "\n" not in text[start:end]
        return "lines" if after and (after in CLOSERS or (is_line and shape == "dict")) else shape
    return "lines" if _mostly_lines(text, "{") else ""


def json_records(text: str) -> Iterator[Item | Failure]:
    r"""Yield the records of a JSON text: the items of a list, the value of each line, or the object.

    >>> [item.value for item in json_records('[{"a": 1}, {"a": 2}]')]
    [{'a': 1}, {'a': 2}]
    >>> [type(item).__name__ for item in json_records('{"a": 1}\n{"a": \n{"a": 3}')]
    ['Item', 'Failure', 'Item']
    """
    shape = json_shape(text)
    if shape == "lines":
        yield from _line_records(text)
    elif shape == "list":
        yield from _members(text, "[")
    elif shape == "dict":
        yield from _whole(text)
    else:
        yield Failure("no JSON list, object or lines", line=1)


def json_items(text: str) -> Iterator[Item | Failure]:
    """Yield each key of a JSON object with its value.

    >>> [(item.key, item.value) for item in json_items('{"a": [1], "b": [2]}')]
    [('a', [1]), ('b', [2])]
    """
    yield from _members(text, "{")


def close_json(head: str) -> Any:
    """Parse the beginning of a JSON value: keep what is whole and close what is open.

    >>> close_json('[{"id": "a", "turns": [{"role": "user"}, {"ro')
    [{'id': 'a', 'turns': [{'role': 'user'}, {}]}]
    """
    stack: list[str] = []
    cut, closing = 0, ""
    for token in TOKENS.finditer(head):
        sign = token.group()
        if sign in CLOSERS:
            stack.append(CLOSERS[sign])
            cut, closing = token.end(), "".join(reversed(stack))
        elif sign in ("]", "}"):
            if not stack or stack.pop() != sign:
                break
            cut, closing = token.end(), "".join(reversed(stack))
            if not stack:
                break
        elif sign == '"':
            break
        elif sign == ",":
            cut, closing = token.start(), "".join(reversed(stack))
    try:
        return DECODER.decode(head[:cut].lstrip("\ufeff") + closing)
    except (ValueError, RecursionError):
        return None


def _skip(text: str, position: int) -> int:
    found = SPACE.match(text, position)
    return found.end() if found else position


def _mostly_lines(text: str, opener: str) -> bool:
    probed = [line.strip("\x00 \t\r\ufeff") for line in text.split("\n", PROBED_LINES)[:PROBED_LINES]]
    filled = [line for line in probed if line]
    values = sum(line.startswith(opener) and _decodes(line) for line in filled)
    return len(filled) > 1 and 2 * values >= len(filled)


def _decodes(line: str) -> bool:
    try:
        DECODER.decode(line)
    except (ValueError, RecursionError):
        return False
    return True


def _line_records(text: str) -> Iterator[Item | Failure]:
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip("\x00 \t\r\ufeff")
        if not line:
            continue
        try:
            value = DECODER.decode(line)
        except (ValueError, RecursionError) as error:
            yield Failure(_broken(error), line=number)
            continue
        yield _checked(Item(value, line=number), line)


def _whole(text: str) -> Iterator[Item | Failure]:
    start = _skip(text, 0)
    try:
        value, end = DECODER.raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        yield Failure(_broken(error), line=getattr(error, "lineno", 1))
        return
    yield _checked(Item(value, line=1, record=0), text[start:end])
    yield from _trailing(text, end)


def _members(text: str, opener: str) -> Iterator[Item | Failure]:
    position = _skip(text, 0)
    if text[position : position + 1] != opener:
        yield Failure(f"expected JSON that starts with {opener}", line=1)
        return
    position, line, record = _skip(text, position + 1), 1, 0
    counted = 0
    while position < len(text) and text[position] != CLOSERS[opener]:
        line, counted = line + text.count("\n", counted, position), position
        try:
            key, start = _key(text, position) if opener == "{" else (None, position)
            value, end = DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            yield Failure(_broken(error), line=getattr(error, "lineno", line), record=record)
            end = _end_of_broken(text, position)
        else:
            yield _checked(Item(value, line=line, record=record, key=key), text[position:end])
        record += 1
        position = _skip(text, end)
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1)
        elif text[position : position + 1] not in ("", CLOSERS[opener]):
            position = _skip(text, max(_end_of_broken(text, position), position + 1))
    if position >= len(text):
        last = line + text.count("\n", counted)
        yield Failure(f"the file ends inside its {'list' if opener == '[' else 'object'}", line=last)
    else:
        yield from _trailing(text, position + 1)


def _trailing(text: str, position: int) -> Iterator[Failure]:
    position = _skip(text, position)
    if position < len(text):
        line = text.count("\n", 0, position) + 1
        yield Failure(f"text after the end of the JSON: {text[position : position + 40]!r}", line=line)


def _key(text: str, position: int) -> tuple[str, int]:
    key, end = DECODER.raw_decode(text, position)
    colon = _skip(text, end)
    if not isinstance(key, str) or text[colon : colon + 1] != ":":
        raise json.JSONDecodeError("Expecting ':' delimiter", text, colon)
    return key, _skip(text, colon + 1)


def _end_of_broken(text: str, position: int) -> int:
    """Return where a broken member ends: at the comma or bracket that closes it, else at the end."""
    depth = 0
    for token in TOKENS.finditer(text, position):
        sign = token.group()
        if sign == '"':
            break
        if sign in CLOSERS:
            depth += 1
        elif sign in ("]", "}"):
            if depth == 0:
                return token.start()
            depth -= 1
        elif sign == "," and depth == 0:
            return token.start()
    return len(text)


def undecoded_at(text: str, line: int = 1) -> str:
    r"""Say where the first byte stands that the encoding didn't know; "" when there is none.

    >>> undecoded_at("one\ntwo \udcc4")
    'line 2: byte 0xc4 is not UTF-8; name the encoding if it is another, such as encoding="gb18030"'
    """
    found = UNDECODED.search(text)
    if found is None:
        return ""
    line += text.count("\n", 0, found.start())
    byte = f"0x{ord(found.group()) - 0xDC00:02x}"
    return f'line {line}: byte {byte} is not UTF-8; name the encoding if it is another, such as encoding="gb18030"'


def _checked(item: Item, raw: str) -> Item | Failure:
    problem = undecoded_at(raw, item.line or 1)
    return Failure(problem, record=item.record) if problem else item


def _broken(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"broken JSON: {error.msg} (column {error.colno})"
    return f"broken JSON: {type(error).__name__}: {error}"
