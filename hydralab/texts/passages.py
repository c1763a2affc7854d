"""Cutting a document into passages: by heading, then by sentence, each under a number of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hydralab.texts.splitting import sentences
from hydralab.texts.tokens import Tokenizer

__all__ = ["Passage", "passages"]

PATH = " › "
"""What stands between a heading and the one above it."""

FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})")
MARKDOWN = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
UNDERLINE = re.compile(r"^ {0,3}(=+|-+)[ \t]*$")
CHAPTER = re.compile(r"^\s*第[〇零一二三四五六七八九十百千\d]+([章篇部编卷]|[节条款])(?=[\s:：、]|$).{0,40}$")
NUMERAL = re.compile(r"^\s*[一二三四五六七八九十]{1,3}、[^。！？；，]{1,30}$")
CHAPTERS = "章篇部编卷"


@dataclass(frozen=True)
class Passage:
    """A piece of a document, word for word, and the headings it stands under."""

    heading: str
    text: str


def passages(text: str, tokenizer: Tokenizer, *, most: int = 200) -> list[Passage]:
    r"""Cut a document into passages.

    A passage never reaches over a heading: of Markdown ("## Costs", or underlined), or one that Chinese documents
    number (第二章 费用, 三、验收). Within a section sentences go together while they fit; a code block or a table is
    one sentence, and one that is longer than `most` alone is cut.

    Parameters
    ----------
    text
        Plain text or Markdown, in Chinese or English.
    most
        The most tokens of a passage.

    Returns
    -------
    list of Passage
        In order; joined they hold every word of the text but the headings, or these where there is nothing else.

    >>> from hydralab.texts import tokenizer
    >>> found = passages("# Trip\n\nWe leave on Monday.\n\n## Costs\n\nThe hotel is 90 euros.", tokenizer())
    >>> [(each.heading, each.text) for each in found]
    [('Trip', 'We leave on Monday.'), ('Trip › Costs', 'The hotel is 90 euros.')]
    """
    found = [
        Passage(heading, piece)
        for heading, section in _sections(text)
        for piece in _pieces(section, tokenizer, most)
    ]
    return found or [Passage("", piece) for piece in _cut(text.strip(), tokenizer, most)]


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield the path of headings and the text of each section."""
    path: dict[int, str] = {}
    body: list[str] = []
    fence: str | None = None
    for line in text.splitlines():
        fenced = FENCE.match(line)
        if fenced and (fence is None or fenced.group(1).startswith(fence)):
            fence = fenced.group(1) if fence is None else None
        found = None if fence is not None or fenced else _heading(line, body)
        if found is None:
            body.append(line)
            continue
        level, title = found
        yield PATH.join(path.values()), "\n".join(body)
        body = []
        path = {above: name for above, name in path.items() if above < level} | {level: title}
    yield PATH.join(path.values()), "\n".join(body)


def _heading(line: str, body: list[str]) -> tuple[int, str] | None:
    """Return level and title of a heading; the title of an underlined one is taken off the lines before."""
    if marked := MARKDOWN.match(line):
        return len(marked.group(1)), marked.group(2)
    if (under := UNDERLINE.match(line)) and len(under.group(1)) > 1 and body and _may_be_title(body):
        return (1 if under.group(1)[0] == "=" else 2), body.pop().strip()
    if chapter := CHAPTER.match(line):
        return (1 if chapter.group(1) in CHAPTERS else 2), line.strip()
    return (3, line.strip()) if NUMERAL.match(line) else None


def _may_be_title(body: list[str]) -> bool:
    alone = len(body) == 1 or not body[-2].strip()
    return alone and bool(body[-1].strip()) and "|" not in body[-1]


def _pieces(section: str, tokenizer: Tokenizer, most: int) -> Iterator[str]:
    """Yield stretches of whole sentences, as they stand in the text."""
    start, stop, tokens = 0, 0, 0
    for end in _sentence_ends(section):
        cost = tokenizer.count(section[stop:end])
        if tokens and tokens + cost > most:
            yield from _cut(section[start:stop].strip(), tokenizer, most)
            start, tokens = stop, 0
        stop, tokens = end, tokens + cost
    yield from _cut(section[start:].strip(), tokenizer, most)


def _sentence_ends(section: str) -> Iterator[int]:
    """Yield where each sentence ends; told by signs that are no space, for nothing else is lost of a text."""
    solid = [place for place, sign in enumerate(section) if not sign.isspace()]
    passed = 0
    for sentence in sentences(section):
        passed += sum(not sign.isspace() for sign in sentence)
        yield solid[passed - 1] + 1


def _cut(text: str, tokenizer: Tokenizer, most: int) -> Iterator[str]:
    while text and tokenizer.count(text) > most:
        head = tokenizer.truncate(text, most).rstrip() or text[:1]
        yield head
        text = text[len(head) :].lstrip()
    if text:
        yield text
