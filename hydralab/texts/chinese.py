"""Chinese words by jieba, its dictionary cached in the user's own folder."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from hydralab.texts.folders import cache_folder

__all__ = ["cut", "frequency", "function_words", "parts_of_speech", "tag"]

# Conjunctions, prepositions, pronouns, particles, interjections, sounds.
_FUNCTION_TAGS = frozenset(
    {"c", "e", "o", "p", "r", "rr", "rz", "u", "uj", "ul", "uz", "ud", "ug", "uv", "y", "k"}
)

LONGEST_REMEMBERED = 256
"""Characters of the longest stretch whose best path is remembered."""

Path = dict[int, tuple[float, int]]
"""Where a word may start → the score from there on, and the word's last character."""


@lru_cache(maxsize=1)
def _segmenter() -> Any:
    """Return a tokenizer of our own: words added to jieba's global one elsewhere change nothing here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba has invalid escapes in its source
        import jieba
    jieba.setLogLevel(logging.CRITICAL + 1)

    segmenter = jieba.Tokenizer()
    # jieba's default is a marshal file of fixed name in the shared temporary folder.
    segmenter.tmp_dir = str(cache_folder("jieba"))
    _remember_paths(segmenter)
    return segmenter


def _remember_paths(segmenter: Any) -> None:
    """Have the best path through the words of a stretch found once, whichever way the stretch is then cut."""
    words_in, choose = segmenter.get_DAG, segmenter.calc

    def find(text: str) -> Path:
        path: Path = {}
        choose(text, words_in(text), path)
        return path

    remembered = lru_cache(maxsize=2_048)(find)
    segmenter.get_DAG = lambda text: remembered(text) if len(text) <= LONGEST_REMEMBERED else find(text)
    segmenter.calc = lambda _text, path, route: route.update(path)


@lru_cache(maxsize=1)
def parts_of_speech() -> Mapping[str, str]:
    """Return word → part of speech of jieba's dictionary: nr person, ns place, nt organisation, v verb …"""
    with _segmenter().get_dict_file() as lines:
        entries = (line.decode("utf-8").split() for line in lines)
        return MappingProxyType({entry[0]: entry[2] for entry in entries if len(entry) == 3})


@lru_cache(maxsize=1)
def function_words() -> frozenset[str]:
    """Return the words that jieba's dictionary tags as grammar: pronouns, prepositions, particles …"""
    return frozenset(word for word, flag in parts_of_speech().items() if flag in _FUNCTION_TAGS)


def frequency(word: str) -> int:
    """Return how often jieba's dictionary counted a word; 0 for one that it lacks."""
    segmenter = _segmenter()
    segmenter.check_initialized()
    return int(segmenter.FREQ.get(word, 0))


def cut(text: str) -> list[str]:
    """Cut Chinese text into words, unknown ones by jieba's hidden Markov model.

    >>> cut("我喜欢北京烤鸭")
    ['我', '喜欢', '北京烤鸭']
    """
    words: list[str] = _segmenter().lcut(text)
    return words


def tag(text: str) -> list[tuple[str, str]]:
    """Cut text into words of the dictionary with their parts of speech; other characters stand alone.

    What the dictionary lacks is "x", punctuation and space "w".

    jieba.posseg does the same for words of the dictionary and guesses at the others, ten times slower;
    its guesses name persons and places that are none.

    >>> tag("李娜在北京")
    [('李娜', 'nr'), ('在', 'p'), ('北京', 'ns')]
    """
    # jieba cuts into such stretches first, and then each by itself.
    return [tagged for stretch in _stretches().split(text) if stretch for tagged in _tagged(stretch)]


@lru_cache(maxsize=1)
def _stretches() -> re.Pattern[str]:
    """Return the pattern of what jieba cuts into words, with a group around it."""
    _segmenter()
    from jieba import re_han_default

    found: re.Pattern[str] = re_han_default
    return found


@lru_cache(maxsize=2_048)
def _tagged(stretch: str) -> tuple[tuple[str, str], ...]:
    known = parts_of_speech()
    words = _segmenter().cut(stretch, HMM=False)
    return tuple((word, known.get(word, "x") if word.isalnum() else "w") for word in words)
