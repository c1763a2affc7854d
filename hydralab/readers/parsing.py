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

from hydralab.readers.items import Failure, Item

__all__ = ["close_json", "json_items", "json_records", "json_shape", "undecoded"]

DECODER = json.JSONDecoder(strict=False)
UNDECODED = re.compile("[\udc80-\udcff]")
SPACE = re.compile(r"[\s\x00\ufeff]*")
# A lone quote is where a string begins that the text does not end.
TOKENS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|["\[\]{},]', re.DOTALL)
CLOSERS = {"[": "]", "{": "}"}
FIRST_KEY = re.compile(r'\{\s*"[^"]*"\s*:')
CUT_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\(u[0-9a-fA-F]{0,3})?\Z")
PROBED_LINES = 20
DEEPEST = 200
GIVE_UP = 4


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
    >>> close_json('{"text": "a very long te')
    {'text': 'a very long te'}
    """
    stack: list[str] = []
    cut = 0
    for token in TOKENS.finditer(head):
        sign = token.group()
        if sign in CLOSERS:
            stack.append(CLOSERS[sign])
            cut = token.end()
        elif sign in ("]", "}"):
            if not stack or stack.pop() != sign:
                break
            cut = token.end()
        elif sign == ",":
            cut = token.start()
        elif sign == '"':
            ended = CUT_ESCAPE.sub(r"\1", head) + '"' + "".join(reversed(stack))
            if _decodes(ended):
                return DECODER.decode(ended)
            break
        if not stack or len(stack) > DEEPEST:
            break
    whole = head[:cut] + _missing_closers(head[:cut])
    return DECODER.decode(whole) if _decodes(whole) else None


def _missing_closers(text: str) -> str:
    stack: list[str] = []
    for token in TOKENS.finditer(text):
        if token.group() in CLOSERS:
            stack.append(CLOSERS[token.group()])
        elif token.group() in ("]", "}"):
            stack.pop()
    return "".join(reversed(stack))


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
    position, line, counted = _skip(text, position + 1), 1, 0
    record, lost = 0, 0
    while position < len(text) and text[position] != CLOSERS[opener] and lost < GIVE_UP:
        line, counted = line + text.count("\n", counted, position), position
        try:
            key, start = _key(text, position) if opener == "{" else (None, position)
            value, end = DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            yield Failure(_broken(error), line=getattr(error, "lineno", line), record=record)
            end = _end_of_broken(text, position)
            lost += 1
        else:
            yield _checked(Item(value, line=line, record=record, key=key), text[position:end])
            lost = 0
        record += 1
        position = _skip(text, end)
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1)
    if lost == GIVE_UP:
        yield Failure(
            "what follows can't be told apart and is lost", line=line + text.count("\n", counted, position)
        )
    elif position >= len(text) and not lost:
        yield Failure("the file ends before its JSON does", line=line + text.count("\n", counted))
    elif position < len(text):
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
    """Return where a broken member ends.

    Where members begin on lines of their own, before the next line that begins as this one does. Else at
    the comma or bracket that closes it; when no sibling follows there (a quote is missing), before the
    next object that begins with the same key; at the latest at the end of the text.
    """
    indent = text[text.rfind("\n", 0, position) + 1 : position]
    if not indent.strip() and "\n" in text[:position]:
        sibling = text.find(f"\n{indent}{text[position]}", position)
        if sibling >= 0:
            return sibling
    end = _closing(text, position)
    after = text[_skip(text, end + 1) :][:1] if text[end : end + 1] == "," else ""
    opening = FIRST_KEY.match(text, position)
    if opening and after != text[position]:
        found = re.compile(r"\}\s*,\s*" + re.escape(opening.group())).search(text, position)
        return found.start() + 1 if found else end
    return end


def _closing(text: str, position: int) -> int:
    """Return the place of the comma or bracket that ends a member, by counting brackets."""
    depth = 0
    for token in TOKENS.finditer(text, position):
        sign = token.group()
        if sign == '"':
            break
        if sign in CLOSERS:
            depth += 1
        elif depth == 0:
            if sign in (",", "]", "}"):
                return max(token.start(), position + (sign != ","))
        elif sign in ("]", "}"):
            depth -= 1
    return len(text)


def undecoded(text: str) -> tuple[int, str] | None:
    r"""Return line (from 0) and value of the first byte that the encoding didn't know, in words.

    >>> undecoded("one\ntwo \udcc4")
    (1, 'byte 0xc4 is not UTF-8; name the encoding if it is another, such as encoding="gb18030"')
    """
    found = UNDECODED.search(text)
    if found is None:
        return None
    byte = f"0x{ord(found.group()) - 0xDC00:02x}"
    reason = f'byte {byte} is not UTF-8; name the encoding if it is another, such as encoding="gb18030"'
    return text.count("\n", 0, found.start()), reason


def _checked(item: Item, raw: str) -> Item | Failure:
    problem = undecoded(raw)
    if problem is None:
        return item
    return Failure(problem[1], line=(item.line or 1) + problem[0], record=item.record)


def _broken(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"broken JSON: {error.msg} (column {error.colno})"
    return f"broken JSON: {type(error).__name__}: {error}"
