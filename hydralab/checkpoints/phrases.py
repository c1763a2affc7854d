"""Phrases of a sentence that could stand in a title."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from hydralab.texts import chinese, content_words, normalise
from hydralab.texts.scripts import HAN

__all__ = ["Phrase", "candidate_phrases"]

LONGEST = 3
TOPIC_BONUS = 1.3

_LETTERS = rf"[^\W_{HAN}]"
_PIECE = re.compile(
    rf"(?P<han>[{HAN}]+)|(?P<word>(?!\d){_LETTERS}+(?:['’&/+-]{_LETTERS}+)*)|(?P<gap>\s)|(?P<other>.)",
    re.DOTALL,
)
_CLAUSE_MARKS = frozenset('，。！？；：、,.!?;:\n—–-•*「“"（(')
_CONTRACTION = re.compile(r"(?i)\w['’](?:ll|re|ve|d|m|t)$")
_POSSESSIVE = re.compile(r"['’]s$")

# No tagger is at hand for English: the words around a word tell nouns from verbs.
_ARTICLES = {
    "the",
    "a",
    "an",
    "our",
    "my",
    "your",
    "his",
    "her",
    "its",
    "their",
    "this",
    "that",
    "these",
    "those",
}
_QUANTIFIERS = {"no", "any", "some", "each", "every", "first", "last", "next", "per"}
_PREPOSITIONS = {
    "of",
    "for",
    "in",
    "on",
    "with",
    "about",
    "from",
    "by",
    "at",
    "into",
    "over",
    "under",
    "between",
}
_BEFORE_NOUN = _ARTICLES | _QUANTIFIERS | _PREPOSITIONS
_SUBJECTS = {
    "i",
    "you",
    "we",
    "they",
    "he",
    "she",
    "it",
    "who",
    "i'd",
    "i'll",
    "we'll",
    "you'll",
    "they'll",
    "we'd",
}
_MODALS = {
    "will",
    "would",
    "can",
    "could",
    "should",
    "must",
    "might",
    "may",
    "cannot",
    "can't",
    "won't",
    "wouldn't",
}
_BEFORE_VERB = (
    _SUBJECTS | _MODALS | {"to", "let's", "please", "just", "also", "not", "never", "don't", "didn't"}
)
_OBJECTS = {"it", "them", "me", "us", "him"}
_AFTER_VERB = _ARTICLES | _OBJECTS | {"what", "how", "whether", "if", "why", "who", "where"}
_VERBAL_ENDINGS = ("ing", "ed", "ly")
_APOSTROPHES = "'’"


class Phrase(NamedTuple):
    """A phrase: its words in normal form, as it is written, and how well it names things (0 to 1.3)."""

    words: tuple[str, ...]
    surface: str
    naming: float


class _Word(NamedTuple):
    text: str
    normal: str
    naming: float
    may_start: bool = True
    may_end: bool = True
    verbal: bool = False


class _Run(NamedTuple):
    words: Sequence[_Word]
    joint: str
    opens_clause: bool


def candidate_phrases(sentence: str) -> tuple[Phrase, ...]:
    """Return the phrases of up to three adjoining content words, in order, with repeats.

    Chinese: words by part of speech, nouns before verbs, adjectives only in front. English: runs of
    content words (as in RAKE, Rose et al. 2010) without those that the words around them show to be
    verbs. What opens a clause is likely its topic and gets a bonus; in English, where an imperative
    opens one too, only after an article or before a colon.

    >>> [phrase.surface for phrase in candidate_phrases("We cut the marketing budget for Brewly One.")]
    ['marketing', 'marketing budget', 'budget', 'Brewly', 'Brewly One', 'One']
    """
    return tuple(phrase for run in _runs(sentence) for phrase in _ngrams(run))


def _runs(sentence: str) -> Iterator[_Run]:
    pieces = [
        (str(found.lastgroup), found.group())
        for found in _PIECE.finditer(sentence)
        if found.lastgroup != "gap"
    ]
    run: list[_Word] = []
    opens = False
    for at, (kind, text) in enumerate(pieces):
        word = _english_word(pieces, at, run) if kind == "word" else None
        if word is not None:
            opens = opens if run else _opens_topic(pieces, at)
            run.append(word)
            continue
        if run:
            yield _Run(run, " ", opens)
            run = []
        if kind == "han":
            yield from _chinese_runs(text, opens=_opens_clause(pieces, at))
    yield _Run(run, " ", opens)


def _opens_topic(pieces: Sequence[tuple[str, str]], at: int) -> bool:
    article = at > 0 and pieces[at - 1][1].lower() in _ARTICLES
    colon = at + 1 < len(pieces) and pieces[at + 1][1] == ":"
    return (article or colon) and _opens_clause(pieces, at)


def _opens_clause(pieces: Sequence[tuple[str, str]], at: int) -> bool:
    if at and pieces[at - 1][1].lower() in _ARTICLES:
        at -= 1
    return at == 0 or pieces[at - 1][1] in _CLAUSE_MARKS


def _english_word(pieces: Sequence[tuple[str, str]], at: int, run: Sequence[_Word]) -> _Word | None:
    text = pieces[at][1]
    if any(sign in text for sign in _APOSTROPHES):
        if _CONTRACTION.search(text):
            return None
        text = _POSSESSIVE.sub("", text)
    before = pieces[at - 1][1].lower() if at else ""
    after = pieces[at + 1][1].lower() if at + 1 < len(pieces) else ""
    named = text[0].isupper() and (text[1:] != text[1:].lower() or not _opens_clause(pieces, at))
    normal = _normal(text)
    if not is_content(text):
        return _Word(text, normal, 1.0) if named and run and run[-1].text[0].isupper() else None
    if not named and (after in _AFTER_VERB or (before in _BEFORE_VERB and not run)):
        return None
    naming = 1.0 if named or before in _BEFORE_NOUN else 0.7 if before in _CLAUSE_MARKS or not at else 0.8
    verbal = text.endswith(_VERBAL_ENDINGS)
    return _Word(text, normal, naming * (0.6 if verbal else 1.0), may_end=named or not text.endswith("ly"))


def _chinese_runs(text: str, *, opens: bool) -> Iterator[_Run]:
    run: list[_Word] = []
    for word, flag in chinese.tag(text):
        found = _chinese_word(word, flag)
        if found is None or (found.verbal and any(earlier.verbal for earlier in run)):
            yield _Run(run, "", opens)
            run, opens = [], False
        if found is not None:
            run.append(found)
    yield _Run(run, "", opens)


@lru_cache(maxsize=50_000)
def _chinese_word(word: str, flag: str) -> _Word | None:
    if not is_content(word):
        return None
    noun = flag[0] == "n" or flag in ("vn", "an", "j", "s")
    normal = _normal(word)
    if len(word) == 1:
        return _Word(word, normal, 1.0, may_start=False) if noun and flag != "vn" else None
    if noun:
        return _Word(word, normal, 1.0)
    if flag[0] == "v":
        return _Word(word, normal, 0.6, verbal=True)
    return _Word(word, normal, 0.6, may_end=False) if flag[0] in "ab" else None


def _ngrams(run: _Run) -> Iterator[Phrase]:
    count = len(run.words)
    for start, first in enumerate(run.words):
        if not first.may_start:
            continue
        bonus = TOPIC_BONUS if run.opens_clause and start == 0 else 1.0
        for end in range(start + 1, min(start + LONGEST, count) + 1):
            words = run.words[start:end]
            if words[-1].may_end:
                yield Phrase(
                    tuple([word.normal for word in words]),
                    run.joint.join([word.text for word in words]),
                    bonus * sum([word.naming for word in words]) / len(words),
                )


_normal = lru_cache(maxsize=100_000)(normalise)


@lru_cache(maxsize=100_000)
def is_content(word: str) -> bool:
    """Tell whether a single word carries meaning.

    >>> is_content("budget"), is_content("the"), is_content("预算")
    (True, False, True)
    """
    return bool(content_words(word))
