"""The words of a text: as terms of a lexical index, and as what carries its meaning."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from hydralab.texts import chinese
from hydralab.texts.normalising import normalise
from hydralab.texts.scripts import HAN, UNSPACED
from hydralab.texts.stopwords import CHINESE, CHINESE_CHARACTERS, ENGLISH, ENGLISH_PLAIN

__all__ = ["content_words", "lexical_terms"]

_UNSPACED_RUN = f"[{UNSPACED}]+"
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w])|\d+\.\d+(?![\w.])"
_LETTERS = rf"[^\W_{UNSPACED}]"
_WORD = rf"{_LETTERS}+(?:['’]{_LETTERS}+)*(?:[-_./:@+#&]+{_LETTERS}+)*(?:\+\+|#)?"
_TERM = re.compile(rf"(?P<unspaced>{_UNSPACED_RUN})|(?P<number>{_NUMBER})|(?P<word>{_WORD})")
_PART = re.compile(rf"{_LETTERS}+(?:['’]{_LETTERS}+)*")
_HAN_RUN = re.compile(rf"(?P<han>[{HAN}]+)|(?P<other>{_WORD})|(?P<unspaced>{_UNSPACED_RUN})")


def lexical_terms(text: str) -> list[str]:
    """Return the terms under which a lexical index files `text`, in order, with repeats.

    After NFKC and case folding:

    - runs of scripts without spaces (Chinese, Japanese, Korean, Thai …) as overlapping character pairs,
      a lone character as itself; a pair with a grammatical character only where it is a word (目的);
    - words of other scripts as Snowball English stems, function words left out;
    - numbers without thousands separators;
    - identifiers (``CN-A10293``, ``2026-06-09``, ``ann@x.org``) whole and in parts.

    Terms of texts with a space between them are the terms of each.

    >>> lexical_terms("Alice喜欢CN-A10293 和 北京烤鸭")
    ['alic', '喜欢', 'cn-a10293', 'cn', 'a10293', '和', '北京', '京烤', '烤鸭']
    >>> lexical_terms("The budgets: 84,500 €")
    ['budget', '84500']
    """
    terms: list[str] = []
    for found in _TERM.finditer(normalise(text)):
        piece, kind = found.group(), found.lastgroup
        if kind == "unspaced":
            terms += _character_pairs(piece)
        elif kind == "number":
            terms.append(piece.replace(",", ""))
        else:
            terms += _word_terms(piece)
    return terms


def content_words(text: str) -> list[str]:
    """Return the words of `text` that carry meaning, in order, with repeats, case folded.

    Chinese is cut into words by jieba, with pronouns, prepositions, particles and other grammatical
    words left out by part of speech; English words are kept unstemmed without stop words. Single
    characters count in scripts without spaces, single Latin letters and digits don't.

    >>> content_words("我们的市场推广预算是多少？"), content_words("What's the marketing budget?")
    (['市场推广', '预算'], ['marketing', 'budget'])
    """
    words: list[str] = []
    for found in _HAN_RUN.finditer(normalise(text)):
        piece, kind = found.group(), found.lastgroup
        if kind == "han":
            words += [word for word in chinese.cut(piece) if not _is_chinese_function_word(word)]
        elif kind == "unspaced":
            words.append(piece)
        elif (word := _spaced_word(piece)) is not None:
            words.append(word)
    return words


@lru_cache(maxsize=100_000)
def _spaced_word(piece: str) -> str | None:
    """Return a word of a script with spaces without its possessive; None for one that carries no meaning."""
    word = _without_possessive(piece)
    return word if len(piece) > 1 and word.replace("'", "") not in ENGLISH else None


def _character_pairs(run: str) -> list[str]:
    if len(run) == 1:
        return [run]
    return [pair for pair in map("".join, pairwise(run)) if not _is_grammatical(pair)]


@lru_cache(maxsize=200_000)
def _is_grammatical(pair: str) -> bool:
    """Tell whether a pair holds a grammatical character and is no word with it: 的预, and not 目的."""
    particles = sum(sign in CHINESE_CHARACTERS for sign in pair)
    return pair in CHINESE or particles == 2 or (particles == 1 and pair not in chinese.parts_of_speech())


@lru_cache(maxsize=200_000)
def _word_terms(piece: str) -> tuple[str, ...]:
    parts = _PART.findall(piece)
    stems = [
        _stem(bare) for bare in map(_without_possessive, parts) if bare.replace("'", "") not in ENGLISH_PLAIN
    ]
    return tuple(stems) if parts == [piece] else (piece, *stems)


def _without_possessive(word: str) -> str:
    word = word.replace("’", "'")
    return word.removesuffix("'s")


def _is_chinese_function_word(word: str) -> bool:
    return word in CHINESE or word in chinese.function_words()


@lru_cache(maxsize=1)
def _stemmer() -> object:
    from snowballstemmer import stemmer

    return stemmer("english")


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word)) if word.isascii() else word  # type: ignore[attr-defined]
