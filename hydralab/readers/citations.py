r"""ChatGPT's citation marks, taken out of its answers.

The product draws them as links, but an export holds them as they were generated: between the
private-use characters U+E200 and U+E201, with fields parted by U+E202, or as 【6†source】 in older
answers. They point at search results that the export does not hold. What of a mark is words (the name of
an entity, the label of a link, the name of a file) stays; references and line numbers go.
"""

from __future__ import annotations

import json
import re

__all__ = ["without_marks"]

_NEW = r"\ue200[a-z_]*(?:\ue202[^\ue200\ue201]*)?(?:\ue201|$)"
_OLD = r"【[\w:.-]*†[^【】\n]*】"
_MARK = re.compile(f"{_NEW}|{_OLD}")
_SPACED = re.compile(rf"[ \t]+(?=(?:(?:{_NEW}|{_OLD})[ \t]*)+(?:[\s.,;:!?)\]，。；：！？）、]|$))")
_SPAN = re.compile("[\ue200-\ue206]")
"""What marks where a cited stretch begins and ends."""
_REFERENCE = re.compile(r"(?:turn\d+\w+(?:,\s*turn\d+\w+)*|L?\d+(?:-L?\d+)?|source|file)")


def without_marks(text: str) -> str:
    r"""Return a text without ChatGPT's citation marks; any other text comes back as it was.

    >>> without_marks("It is 40 m \ue200cite\ue202turn0search0\ue202turn0search3\ue201. Half【6†source】 of it.")
    'It is 40 m. Half of it.'
    >>> without_marks('By \ue200entity\ue202["people","Ada Lovelace","writer"]\ue201, in【4:0†notes.pdf】.')
    'By Ada Lovelace, in [notes.pdf].'
    """
    if not _MARK.search(text):
        return text
    return _SPAN.sub("", _MARK.sub(_words, _SPACED.sub(_gap, text)))


def _gap(spaces: re.Match[str]) -> str:
    """Keep the space before a mark that leaves words behind."""
    mark = _MARK.match(spaces.string, spaces.end())
    return spaces.group() if mark and _words(mark) else ""


def _words(mark: re.Match[str]) -> str:
    if mark.group().startswith("【"):
        named = [field for field in mark.group()[1:-1].split("†")[1:2] if not _REFERENCE.fullmatch(field)]
        before = "" if mark.start() == 0 or mark.string[mark.start() - 1].isspace() else " "
        return f"{before}[{named[0]}]" if named and named[0] else ""
    kind, *fields = mark.group()[1:].removesuffix("\ue201").split("\ue202")
    words = [word for field in fields for word in _told(kind, field)]
    return " ".join(word for word in words if word and not _REFERENCE.fullmatch(word))


def _told(kind: str, field: str) -> list[str]:
    """Return the words of a field; a JSON list holds a name, and of an entity its kind before it."""
    if not field.startswith(("[", "{")):
        return [field.strip()]
    try:
        listed = json.loads(field)
    except ValueError:
        return []
    if not isinstance(listed, list):
        return []
    names = [one for one in listed if isinstance(one, str) and not _REFERENCE.fullmatch(one)]
    return names[1:2] if kind == "entity" else names[:1]
