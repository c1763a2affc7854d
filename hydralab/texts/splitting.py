"""Cutting a text into sentences, with code blocks and tables kept whole."""

from __future__ import annotations

import re

__all__ = ["sentences"]

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"(?:^[ \t]*\|.*(?:\n|\Z)){2,}|(?:^[^\n\t]*\t[^\n]*(?:\n|\Z)){2,}", re.MULTILINE)

_CLOSERS = "\"'”’」』）)】》\\]*_"
_CHINESE_END = rf"[。！？!?…]+[{_CLOSERS}]*"
_ENGLISH_END = rf"(?<![.])[.](?:[{_CLOSERS}]*)(?=\s+[^\s\W]|\s+[\"'“(\[*]|\s*$|(?=[\u3400-\u9fff]))"
_END = re.compile(rf"{_CHINESE_END}(?=\s|\w|[^\x00-\x7f]|[\"'“(\[*]|$)|{_ENGLISH_END}")

_ADDRESS = re.compile(r"(?:(?:https?|ftp)://|\bwww\.)[\x21-\x7e]*[\w/=&#%~+-]", re.ASCII)

_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"“])(?:[A-Za-z]|mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|e\.g|i\.e|cf|no|vol|fig|al|inc|ltd|co|corp|"
    r"approx|dept|est|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|\d+|(?:[A-Za-z]\.)+[A-Za-z])$",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """Cut `text` into sentences, each without surrounding whitespace.

    A sentence ends at 。！？… or ! ? . (not after an abbreviation or an initial, nor inside a number or a
    web address), with the closing quotes that follow, and at a line end unless the next line goes on in lower case. A
    fenced code block and a table (lines with bars or tabs) are one sentence each. Nothing but
    whitespace is lost.

    >>> sentences("预算定了。“好！”Dr. Lee asked: is 3.5 ok? Yes.")
    ['预算定了。', '“好！”', 'Dr. Lee asked: is 3.5 ok?', 'Yes.']
    """
    found: list[str] = []
    for whole, block in _blocks(text):
        found += [block.strip()] if whole else _prose(block)
    return [sentence for sentence in found if sentence]


def _blocks(text: str) -> list[tuple[bool, str]]:
    blocks: list[tuple[bool, str]] = []
    for fenced, block in _separate(text, _FENCE):
        blocks += [(True, block)] if fenced else _separate(block, _TABLE)
    return blocks


def _separate(text: str, pattern: re.Pattern[str]) -> list[tuple[bool, str]]:
    pieces: list[tuple[bool, str]] = []
    at = 0
    for match in pattern.finditer(text):
        pieces += [(False, text[at : match.start()]), (True, match.group())]
        at = match.end()
    return [*pieces, (False, text[at:])]


def _prose(block: str) -> list[str]:
    lines = re.sub(r"(?<=[^\s.!?。！？:：])[ \t]*\n[ \t]*(?=[a-z])", "\n ", block)
    return [
        sentence
        for line in re.split(r"\n(?! )|\n(?= *(?:[-*+•]|\d+[.)]))", lines)
        for sentence in _line(line)
    ]


def _line(line: str) -> list[str]:
    found: list[str] = []
    at = 0
    addresses = [address.span() for address in _ADDRESS.finditer(line)]
    for end in _END.finditer(line):
        if any(first <= end.start() < last for first, last in addresses):
            continue
        if (
            line[end.start()] == "."
            and _ABBREVIATION.search(line[at : end.start()])
            and end.end() < len(line.rstrip())
        ):
            continue
        found.append(line[at : end.end()].strip())
        at = end.end()
    return [*found, line[at:].strip()]
