"""The sentences of a turn with what a checkpoint wants to know of each, read once a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import polars as pl

from hydralab.checkpoints.commitments import COMMITMENT
from hydralab.checkpoints.hesitations import tidy
from hydralab.checkpoints.phrases import Phrase, candidate_phrases
from hydralab.texts import content_words, normalise, scrub, sentences
from hydralab.texts.cues import any_of, intent_rules
from hydralab.texts.extracting import each_entities
from hydralab.texts.scripts import HAN

__all__ = ["Sentence", "read_texts"]

MOST_REMEMBERED = 20_000
LONGEST_TEXT = 50_000
LONGEST_CLAUSE = 200
LONGEST_CHINESE_CLAUSE = 45
MEASURES = frozenset({"date", "time", "money", "percent", "quantity", "email", "url", "phone"})

_HAN = re.compile(f"[{HAN}]")
_BLOCK = re.compile(
    r"\A\s*(?:```|~~~|\||[^\n]*\t)|^Traceback \(most recent|^\s*(?:File \"|at \S+\()|[{};]\s*$", re.MULTILINE
)
_WORDLESS = re.compile(r"\A[\s\d\W_]*\Z")
_LINK = re.compile(r"(?:https?://|www\.)[^\s\u3000-\u303f\u3400-\u9fff\uff00-\uffef]+")
_TRACE = re.compile(r"^Traceback \(most recent call last\):\n(?:[ \t]+.*\n)*.*$", re.MULTILINE)
_SHIELD = {ord("?"): "\ufdd0", ord("!"): "\ufdd1"}
_UNSHIELD = {ord(mark): chr(code) for code, mark in _SHIELD.items()}
_CLAUSE_END = re.compile(r"(?<=[，；])\s*|(?<=[,;])\s+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a turn, or one clause of a long one.

    Attributes
    ----------
    text
        As written.
    tidied
        Without hesitations: what a summary quotes.
    prose
        False for code, tables, stack traces and bare links.
    words
        Content words, in order, with repeats.
    phrases
        What could stand in a title; none outside prose.
    entities
        Pairs of type and text, in order.
    decides, done, promises
        Whether it holds a decision, reports a task done, or leaves one to be done.
    goes_on
        Whether the next one is the next clause of the same sentence.
    """

    text: str
    tidied: str
    prose: bool
    words: tuple[str, ...]
    phrases: tuple[Phrase, ...]
    entities: tuple[tuple[str, str], ...]
    decides: bool
    done: bool
    promises: bool
    goes_on: bool


_READ: dict[str, tuple[Sentence, ...]] = {}


def read_texts(texts: Sequence[str]) -> list[tuple[Sentence, ...]]:
    """Return the sentences of each text.

    They depend on nothing but the text, so the last 20,000 texts are remembered. Texts that are new are
    read in one batch: cue words are looked for in columns, and many short columns cost far more than a
    long one.

    A sentence of more than 200 characters (45 where it is Chinese) is cut at its commas. Of a text of
    more than 50,000 characters the first and the last 25,000 are read: a pasted book costs no minute.

    >>> [(found.text, found.decides) for found in read_texts(["We chose oak. Is it dry?"])[0]]
    [('We chose oak.', True), ('Is it dry?', False)]
    """
    known = {text: _READ[text] for text in texts if text in _READ}
    missing = [text for text in dict.fromkeys(texts) if text not in known]
    if missing:
        known.update(zip(missing, _read(missing), strict=True))
        _remember({text: known[text] for text in missing})
    return [known[text] for text in texts]


def _remember(read: dict[str, tuple[Sentence, ...]]) -> None:
    _READ.update(read)
    for text in list(islice(_READ, max(len(_READ) - MOST_REMEMBERED, 0))):
        _READ.pop(text, None)


def _read(texts: Sequence[str]) -> Iterator[tuple[Sentence, ...]]:
    cut = [[_clauses(sentence) for sentence in _cut(_shortened(scrub(text)))] for text in texts]
    column = pl.Series([clause for parts in cut for part in parts for clause in part], dtype=pl.String)
    cues = (intent_rules("decision"), intent_rules("task_done"), COMMITMENT)
    flags = zip(*(any_of(column, *rules).to_list() for rules in cues), strict=True)
    named = each_entities(column.to_list())
    for parts in cut:
        yield tuple(
            _sentence(clause, next(flags), next(named), goes_on=at + 1 < len(part))
            for part in parts
            for at, clause in enumerate(part)
        )


def _shortened(text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[: LONGEST_TEXT // 2]}\n{text[-LONGEST_TEXT // 2 :]}"


def _cut(text: str) -> list[str]:
    """Return sentences, with a stack trace as one, and no end of a sentence inside a link."""
    found: list[str] = []
    at = 0
    for trace in _TRACE.finditer(text):
        found += [*_sentences(text[at : trace.start()]), trace.group()]
        at = trace.end()
    return [*found, *_sentences(text[at:])]


def _sentences(text: str) -> list[str]:
    shielded = _LINK.sub(lambda link: link.group().translate(_SHIELD), text)
    return [sentence.translate(_UNSHIELD) for sentence in sentences(shielded)]


def _clauses(sentence: str) -> list[str]:
    chinese = 3 * len(_HAN.findall(sentence)) >= len(sentence)
    longest = LONGEST_CHINESE_CLAUSE if chinese else LONGEST_CLAUSE
    if len(sentence) <= longest or _BLOCK.search(sentence):
        return [sentence]
    clauses = [""]
    for clause in _CLAUSE_END.split(sentence):
        if clauses[-1] and len(clauses[-1]) + len(clause) > longest:
            clauses.append(clause)
        else:
            clauses[-1] += clause if chinese or not clauses[-1] else f" {clause}"
    return [clause for clause in clauses if clause]


def _sentence(
    text: str, flags: tuple[bool, ...], entities: Sequence[Mapping[str, str]], *, goes_on: bool
) -> Sentence:
    decides, done, promises = flags
    without_links = _LINK.sub(" ", text) if "://" in text or "www." in text else text
    prose = not (_BLOCK.search(without_links) or _WORDLESS.match(without_links))
    named = tuple((found["type"], found["text"]) for found in entities)
    measures = [normalise(value) for kind, value in named if kind in MEASURES]
    tidied = tidy(text) if prose else text
    said = tidied if without_links is text else tidy(without_links)
    phrases = candidate_phrases(said) if prose else ()
    return Sentence(
        text=text,
        tidied=tidied,
        prose=prose,
        words=tuple(content_words(without_links)),
        phrases=tuple(phrase for phrase in phrases if not _measures(phrase, measures)),
        entities=named,
        decides=decides and prose,
        done=done and prose,
        promises=promises and prose,
        goes_on=goes_on,
    )


def _measures(phrase: Phrase, measures: Sequence[str]) -> bool:
    """Tell whether a word of the phrase belongs to a date, an amount or an address."""
    return any(word in measure for measure in measures for word in phrase.words)
