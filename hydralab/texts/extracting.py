"""Typed entities of a text, in Chinese and English, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress

from hydralab.texts.amounts_chinese import CHINESE_AMOUNTS
from hydralab.texts.amounts_english import ENGLISH_AMOUNTS
from hydralab.texts.loosening import can_match
from hydralab.texts.marks import MARKS, Rule
from hydralab.texts.names_chinese import chinese_names
from hydralab.texts.names_english import english_names
from hydralab.texts.normalising import scrub
from hydralab.texts.scripts import HAN, language

__all__ = ["ENTITY_TYPES", "each_entities", "entities"]

ENTITY_TYPES = (
    "person",
    "place",
    "organisation",
    "product",
    "date",
    "time",
    "money",
    "percent",
    "quantity",
    "email",
    "url",
    "phone",
    "identifier",
)

Span = tuple[int, int, str]

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_CHINESE = re.compile(f"[{HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2}")
_RULES = (MARKS, ENGLISH_AMOUNTS, CHINESE_AMOUNTS)


def entities(text: str) -> list[dict[str, str]]:
    """Return the entities of `text` in order, with repeats, as substrings of the scrubbed text.

    Addresses, phone numbers, codes, dates, times, money, percentages and quantities are told by rules;
    Chinese names by jieba's parts of speech, surnames and endings; English names by capitals, the words
    around them and how a byte-pair vocabulary writes the word. Each stretch of text is one entity at
    most. Text in both languages is read by the rules of both.

    Returns
    -------
    list of dict
        ``{"type", "text"}``; the types are `ENTITY_TYPES`.

    >>> entities("Elena pays €1.2 million in March")
    [{'type': 'person', 'text': 'Elena'}, {'type': 'money', 'text': '€1.2 million'}, {'type': 'date', 'text': 'March'}]
    >>> [found["text"] for found in entities("张经理明天上午九点去建设银行")]
    ['张经理', '明天', '上午九点', '建设银行']
    """
    return _entities(scrub(text), _RULES)


def each_entities(texts: Sequence[str]) -> Iterator[list[dict[str, str]]]:
    """Yield the `entities` of each text; many texts take far less time together than one by one.

    >>> [[found["text"] for found in named] for named in each_entities(["Elena pays", "in March"])]
    [['Elena'], ['March']]
    """
    scrubbed = [scrub(text) for text in texts]
    can = [zip(*can_match(scrubbed, (pattern for _, pattern in rules)), strict=True) for rules in _RULES]
    for text, *matching in zip(scrubbed, *can, strict=True):
        yield _entities(
            text, [tuple(compress(rules, each)) for rules, each in zip(_RULES, matching, strict=True)]
        )


def _entities(text: str, rules: Sequence[Sequence[Rule]]) -> list[dict[str, str]]:
    """Return the entities of a scrubbed text by some of `_RULES`: at least all that match in it."""
    taken = bytearray(len(text))
    spans: list[Span] = []
    for start, end, kind in _candidates(text, *rules):
        if start < end and not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            spans.append((start, end, kind))
    return [{"type": kind, "text": text[start:end]} for start, end, kind in sorted(spans)]


def _candidates(
    text: str, marks: Sequence[Rule], english: Sequence[Rule], chinese: Sequence[Rule]
) -> Iterator[Span]:
    """Yield what may be an entity, the surest first."""
    yield from _matches(text, marks)
    words = _CODE.sub(lambda code: " " * len(code.group()), text)
    has_chinese, has_latin = _CHINESE.search(text), _LATIN_WORD.search(text)
    if not has_chinese:
        names = english_names(words)
        # "Windows 11 users": the number belongs to the product.
        yield from (span for span in names if span[2] == "product")
        yield from _matches(text, english)
        yield from names
        return
    yield from _matches(text, chinese)
    if language(text) == "zh":
        yield from chinese_names(words)
        yield from _matches(text, english if has_latin else ())
    else:
        yield from _matches(text, english)
        yield from english_names(words)
        yield from (span for span in chinese_names(words) if _CHINESE.search(text, *span[:2]))


def _matches(text: str, rules: Iterable[Rule]) -> Iterator[Span]:
    for kind, pattern in rules:
        group = "value" if "value" in pattern.groupindex else 0
        for match in pattern.finditer(text):
            yield *match.span(group), kind
