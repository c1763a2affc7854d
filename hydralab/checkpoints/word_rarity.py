"""How much a word tells by being rare in general text."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from importlib.resources import as_file, files

import polars as pl

from hydralab.texts import tokenizer
from hydralab.texts.scripts import HAN

__all__ = ["information"]

_HAN = re.compile(f"[{HAN}]")
_NUMBER_INFORMATION = 7.0
_LATIN_OFFSET = 2.0
_UNKNOWN_LATIN = 9.6
_UNKNOWN_CHINESE = 6.0


@lru_cache(maxsize=200_000)
def information(word: str) -> float:
    """Return the inverse document frequency of a word in general text, in nats, about 3 to 14.

    Chinese words have the frequencies that jieba ships for keyword extraction (from news). An unknown
    one is most often a wrong cut, so it takes a low value. A Latin word has the rank of its token in
    cl100k_base: byte-pair merges are learned in order of frequency, so by Zipf's law the logarithm of
    the rank is, up to a constant, that of the inverse frequency. A word of several tokens is rarer than
    any of one. Numbers are all alike.

    >>> information("预算") > information("问题"), information("budget") > information("people")
    (True, True)
    """
    if _HAN.search(word):
        return _chinese_table().get(word, _UNKNOWN_CHINESE)
    if any(character.isdigit() for character in word):
        return _NUMBER_INFORMATION
    spellings = (f" {word}", f" {word.capitalize()}")
    ranks = [ids[0] for ids in map(tokenizer().encode, spellings) if len(ids) == 1]
    return math.log(min(ranks) + 1) - _LATIN_OFFSET if ranks else _UNKNOWN_LATIN


@lru_cache(maxsize=1)
def _chinese_table() -> dict[str, float]:
    with as_file(files("jieba") / "analyse" / "idf.txt") as path:
        columns = pl.read_csv(
            path, separator=" ", has_header=False, quote_char=None, new_columns=["word", "idf"]
        )
    return dict(zip(columns["word"].to_list(), columns["idf"].cast(pl.Float64).to_list(), strict=True))
