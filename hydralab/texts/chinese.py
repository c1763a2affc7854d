"""Chinese words by jieba, its dictionary cached in the user's own folder."""

from __future__ import annotations

import logging
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
    return segmenter


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
    known = parts_of_speech()
    words = _segmenter().cut(text, HMM=False)
    return [(word, known.get(word, "x") if word.isalnum() else "w") for word in words]
