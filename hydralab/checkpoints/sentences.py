"""The sentences of a turn with what a checkpoint wants to know of each, read once a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import polars as pl

from hydralab.checkpoints.commitments import COMMITMENT
from hydralab.checkpoints.phrases import Phrase, candidate_phrases
from hydralab.checkpoints.tidying import tidy
from hydralab.texts import content_words, entities, normalise, scrub, sentences
from hydralab.texts.cues import any_of, intent_rules
from hydralab.texts.scripts import HAN

__all__ = ["Sentence", "read_sentences"]

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


@lru_cache(maxsize=8192)
def read_sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text.

    A sentence of more than 200 characters (45 where it is Chinese) is cut at its commas. Of a text of
    more than 50,000 characters the first and the last 25,000 are read: a pasted book costs no minute.

    >>> [(sentence.text, sentence.decides) for sentence in read_sentences("We chose oak. Is it dry?")]
    [('We chose oak.', True), ('Is it dry?', False)]
    """
    text = scrub(text)
    if len(text) > LONGEST_TEXT:
        text = f"{text[: LONGEST_TEXT // 2]}\n{text[-LONGEST_TEXT // 2 :]}"
    cut = [_clauses(sentence) for sentence in sentences(text)]
    if not cut:
        return ()
    clauses = [clause for parts in cut for clause in parts]
    goes_on = [at + 1 < len(parts) for parts in cut for at in range(len(parts))]
    column = pl.Series(clauses)
    cues = (intent_rules("decision"), intent_rules("task_done"), COMMITMENT)
    found = zip(*(any_of(column, *rules).to_list() for rules in cues), goes_on, strict=True)
    return tuple(_sentence(clause, *flags) for clause, flags in zip(clauses, found, strict=True))


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


def _sentence(text: str, decides: bool, done: bool, promises: bool, goes_on: bool) -> Sentence:
    without_links = _LINK.sub(" ", text)
    prose = not (_BLOCK.search(without_links) or _WORDLESS.match(without_links))
    named = tuple((found["type"], found["text"]) for found in entities(text))
    measures = [normalise(value) for kind, value in named if kind in MEASURES]
    phrases = candidate_phrases(tidy(without_links)) if prose else ()
    return Sentence(
        text=text,
        tidied=tidy(text) if prose else text,
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
