"""Whether an English word is a name by the way it is written elsewhere.

A byte-pair vocabulary merges frequent pieces first, so the rank of " Marcus" and " marcus" in it tells
which spelling is the more frequent in much text.
"""

from __future__ import annotations

from functools import lru_cache

from hydralab.texts.stopwords import ENGLISH
from hydralab.texts.tokens import vocabulary_rank

__all__ = ["is_derived", "is_rare", "is_rather_capitalised"]

_ENDINGS = (
    *(
        "ing",
        "ed",
        "ly",
        "tion",
        "ness",
        "ment",
        "able",
        "ible",
        "ful",
        "less",
        "est",
        "ize",
        "ise",
        "ous",
        "al",
    ),
    "s",
)
_BEGINNINGS = ("re", "un", "pre", "non", "over", "mis")
_COMMON = 20_000
"""Ranks below this are of words that everybody uses."""


@lru_cache(maxsize=50_000)
def is_rather_capitalised(word: str) -> bool:
    """Tell whether a word is more frequent with a capital than without; so is one that is too rare to tell.

    >>> is_rather_capitalised("Marcus"), is_rather_capitalised("Sales")
    (True, False)
    """
    if word.lower() in ENGLISH:
        return False
    capital, small = vocabulary_rank(f" {word}"), vocabulary_rank(f" {word.lower()}")
    return small is None or (capital is not None and capital < small)


def is_rare(word: str) -> bool:
    """Tell whether the vocabulary holds a word neither as it is written nor in lower case."""
    return vocabulary_rank(f" {word}") is None and vocabulary_rank(f" {word.lower()}") is None


def is_derived(word: str) -> bool:
    """Tell whether a rare word is built of common ones.

    >>> is_derived("Rephrase"), is_derived("Standup"), is_derived("Okafor")
    (True, True, False)
    """
    word = word.lower()
    stems = [word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)]
    stems += [word.removeprefix(beginning) for beginning in _BEGINNINGS if word.startswith(beginning)]
    stems += [f"{stem}e" for stem in stems]
    if any(len(stem) > 2 and vocabulary_rank(f" {stem}") is not None for stem in stems):
        return True
    return any(_is_common(word[:cut]) and _is_common(word[cut:]) for cut in range(3, len(word) - 1))


def _is_common(word: str) -> bool:
    rank = vocabulary_rank(f" {word}")
    return rank is not None and rank < _COMMON
