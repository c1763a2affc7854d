"""The JSON object that a chat model meant: also from fences, prose, two objects, or a reply cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["RecallResult", "find_object"]

CUT = "\ue0f3"
"""Put at the end of a reply, it shows up in whatever was cut off there. Of the private use area."""

THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
MOST_STARTS = 200
ESCAPES = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class RecallResult:
    """An object found in a reply.

    Attributes
    ----------
    value
        Keys in lower case → values, each of them as the reply says it; None where it has no such object.
    whole
        Whether the reply is that object and nothing else.
    """

    value: dict[str, Any] | None
    whole: bool


def find_object(reply: str, keys: Collection[str]) -> RecallResult:
    """Return the object in a reply that has the most of some keys, the first of equals.

    What was cut off in the middle of a value is left out: half a number is another number.

    Parameters
    ----------
    reply
        Anything.
    keys
        In lower case; an object that has none of them is not meant.

    Notes
    -----
    Objects that are whole are read as JSON. Else the json-repair package is asked, and of what it makes only
    texts are kept that the reply holds, so nothing is invented.

    >>> find_object('Sure! ```json {"title": "The launch", "keywords": ["bud', ["title", "keywords"]).value
    {'title': 'The launch', 'keywords': []}
    """
    text = THOUGHTS.sub("", reply).strip() if "<think" in reply.lower() else reply.strip()
    try:
        strict = _lowered(json.loads(text, parse_constant=_nothing))
    except (ValueError, RecursionError):
        pass
    else:
        best = _best([strict], keys)
        return RecallResult(best, best is not None and best is strict)
    best = _best(_whole_objects(text), keys) or _repaired(text, keys)
    return RecallResult(best, False)


def _nothing(_constant: str) -> None:
    """Read NaN and the infinities as nothing."""


def _best(found: Any, keys: Collection[str]) -> dict[str, Any] | None:
    known = set(keys)
    objects = [each for one in found for each in _objects(one)]
    rated = [(len(known & set(each)), -place) for place, each in enumerate(objects)]
    if not rated or not max(rated)[0]:
        return None
    return objects[-max(rated)[1]]


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield an object and those right inside it or a list: {"checkpoint": {…}}, [{…}]."""
    if isinstance(value, dict):
        yield value
        inside = list(value.values())
    else:
        inside = value if isinstance(value, list) else []
    yield from (each for each in inside if isinstance(each, dict))


def _whole_objects(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder(parse_constant=_nothing, strict=False)
    at = text.find("{")
    for _ in range(MOST_STARTS):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield _lowered(value)
        at = text.find("{", end)


def _repaired(text: str, keys: Collection[str]) -> dict[str, Any] | None:
    import json_repair

    start = text.find("{")
    if start < 0:
        return None
    try:
        value = json_repair.loads(text[start:] + CUT, skip_json_loads=True)
    except (ValueError, RecursionError, IndexError, TypeError):  # what the repair itself trips over
        return None
    best = _best([_lowered(value)], keys)
    held = _squeezed(text) + _squeezed(_unescaped(text))
    return None if best is None else {key: _kept(each, held) for key, each in best.items()}


def _lowered(value: Any) -> Any:
    """Return a value with the keys of its objects in lower case."""
    if isinstance(value, dict):
        return {str(key).strip().lower(): _lowered(each) for key, each in value.items()}
    return [_lowered(each) for each in value] if isinstance(value, list) else value


def _kept(value: Any, held: str) -> Any:
    """Return a value without what was cut off, and without what the reply does not hold."""
    if isinstance(value, str):
        return None if CUT in value or _squeezed(value) not in held else value
    if isinstance(value, dict):
        return {key: kept for key, each in value.items() if (kept := _kept(each, held)) is not None}
    if isinstance(value, list):
        return [kept for each in value if (kept := _kept(each, held)) is not None and kept != {}]
    return value if value is None or _squeezed(json.dumps(value)) in held else None


def _squeezed(text: str) -> str:
    return LETTERS.sub("", text)


def _unescaped(text: str) -> str:
    r"""Return a text with its JSON escapes read: a reply may write \u9884\u7b97 for 预算."""
    read = ESCAPES.sub(lambda found: _character(found.group(1)), text)
    return read.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(escape: str) -> str:
    if len(escape) == 5:
        return chr(int(escape[1:], 16))
    return " " if escape in "nrtbf" else escape
