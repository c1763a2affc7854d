"""The feeling that an English sentence shows: VADER, with words and phrases that it lacks.

VADER: Hutto and Gilbert, "VADER: A Parsimonious Rule-based Model for Sentiment Analysis of Social Media
Text", ICWSM 2014, as the package vaderSentiment has it. Negation, degree, capitals and marks are its own.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from hydralab.texts.sentiment.lexicons import read_lexicon

__all__ = ["english_polarity"]

_BLANK = " , "

_TURNS = re.compile(
    r"(?i)[,;.] (?:however|although|though|yet|except|(?=unfortunately|sadly|shame|pity|in person))\b"
)
"""What turns a sentence around as "but" does, which is the only word that VADER takes so."""


def english_polarity(sentence: str) -> float:
    """Return VADER's compound score, −1 to 1, of a sentence.

    >>> english_polarity("I love it") > 0 > english_polarity("It never works")
    True
    """
    lexicon = read_lexicon("en")
    if lexicon.request.match(sentence):
        return 0.0
    text = lexicon.neutral.sub(_BLANK, sentence.replace("’", "'"))
    text = _TURNS.sub(" but ", text)
    for valence, pattern in lexicon.phrases:
        text = pattern.sub(f" {_stand_in(valence)} ", text)
    return float(_analyzer().polarity_scores(text)["compound"])


def _stand_in(valence: float) -> str:
    """Return the word that stands for a phrase; it follows a comma, so that no negation before it turns it around."""
    return f", phrasevalue{valence:+.0f}".replace("+", "plus").replace("-", "minus")


@cache
def _analyzer() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    lexicon, analyzer = read_lexicon("en"), SentimentIntensityAnalyzer()
    analyzer.lexicon.update(lexicon.words)
    for valence, _ in lexicon.phrases:
        analyzer.lexicon[_stand_in(valence).removeprefix(", ")] = valence
    return analyzer
