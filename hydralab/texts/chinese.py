"""Chinese word segmentation by jieba, with its dictionary cached in the user's own folder."""

from __future__ import annotations

import logging
import warnings
from functools import lru_cache
from typing import Any

from hydralab.texts.folders import cache_folder

__all__ = ["cut", "function_words", "tag"]

# Part-of-speech classes without a meaning of their own: adverbs of degree stay out by the stop list.
_FUNCTION_TAGS = frozenset(
    {
        "c",
        "e",
        "f",
        "o",
        "p",
        "r",
        "rr",
        "rz",
        "u",
        "uj",
        "ul",
        "uz",
        "ud",
        "ug",
        "uv",
        "y",
        "q",
        "zg",
        "k",
        "h",
    }
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
def _tagger() -> Any:
    segmenter = _segmenter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from jieba import posseg
    return posseg.POSTokenizer(segmenter)


@lru_cache(maxsize=1)
def function_words() -> frozenset[str]:
    """Return the words that jieba's dictionary tags as grammar: pronouns, prepositions, particles …"""
    lines = _segmenter().get_dict_file()
    with lines:
        entries = (line.decode("utf-8").split() for line in lines)
        return frozenset(entry[0] for entry in entries if len(entry) == 3 and entry[2] in _FUNCTION_TAGS)


def cut(text: str) -> list[str]:
    """Cut Chinese text into words.

    >>> cut("我喜欢北京烤鸭")
    ['我', '喜欢', '北京烤鸭']
    """
    words: list[str] = _segmenter().lcut(text)
    return words


def tag(text: str) -> list[tuple[str, str]]:
    """Cut Chinese text into words with their parts of speech (nr person, ns place, nt organisation …).

    >>> tag("张伟在北京")
    [('张伟', 'nr'), ('在', 'p'), ('北京', 'ns')]
    """
    return [(pair.word, pair.flag) for pair in _tagger().cut(text)]
