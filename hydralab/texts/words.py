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

    After NFKC and case folding: runs of scripts without spaces (Chinese, Japanese, Korean, Thai …) as
    overlapping character pairs, a lone character as itself, pairs of two grammatical characters left
    out; words of other scripts as Snowball English stems without plain function words; numbers without
    thousands separators; identifiers (``CN-A10293``, ``2026-06-09``, ``ann@x.org``) whole and in
    parts. A text of function words alone keeps them, so no query is empty.

    >>> lexical_terms("Alice喜欢CN-A10293 和 北京烤鸭")
    ['alic', '喜欢', 'cn-a10293', 'cn', 'a10293', '和', '北京', '京烤', '烤鸭']
    >>> lexical_terms("The budgets: 84,500 €"), lexical_terms("to be")
    (['budget', '84500'], ['to', 'be'])
    """
    terms: list[str] = []
    plain: list[str] = []
    for found in _TERM.finditer(normalise(text)):
        piece, kind = found.group(), found.lastgroup
        if kind == "unspaced":
            kept, dropped = _character_pairs(piece)
        elif kind == "number":
            kept, dropped = [piece.replace(",", "")], []
        else:
            kept, dropped = _word_terms(piece)
        terms += kept
        plain += dropped
    return terms or plain


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
        elif len(piece) > 1 and _without_possessive(piece).replace("'", "") not in ENGLISH:
            words.append(_without_possessive(piece))
    return words


def _character_pairs(run: str) -> tuple[list[str], list[str]]:
    if len(run) == 1:
        return [run], []
    kept: list[str] = []
    dropped: list[str] = []
    for first, second in pairwise(run):
        grammatical = first in CHINESE_CHARACTERS and second in CHINESE_CHARACTERS
        (dropped if grammatical else kept).append(first + second)
    return kept, dropped


def _word_terms(piece: str) -> tuple[list[str], list[str]]:
    parts = _PART.findall(piece)
    if len(parts) == 1 and parts[0] == piece:
        return _plain_or_stem(piece)
    kept, dropped = [piece], []
    for part in parts:
        stems, plain = _plain_or_stem(part)
        kept += stems
        dropped += plain
    return kept, dropped


def _plain_or_stem(word: str) -> tuple[list[str], list[str]]:
    bare = _without_possessive(word)
    return ([], [bare]) if bare in ENGLISH_PLAIN else ([_stem(bare)], [])


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
