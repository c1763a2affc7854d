"""How a text feels, in Chinese and English: from −1, bad, to 1, good."""

from __future__ import annotations

import re

import numpy as np

from hydralab.texts.scripts import HAN
from hydralab.texts.sentiment.chinese import chinese_valences
from hydralab.texts.sentiment.english import english_polarity
from hydralab.texts.sentiment.lexicons import emoji_valences
from hydralab.texts.splitting import sentences

__all__ = ["SENTIMENTS", "polarity", "sentiment_label"]

SENTIMENTS = ("negative", "neutral", "positive")

NEUTRAL = 0.05
"""Up to here on either side of 0 a text is neutral: the threshold that VADER's authors give."""

ALPHA = 15.0
"""Valences that sum to s make s / √(s² + 15), as in VADER."""

LONGEST = 2_000
"""Characters of a sentence that are looked at; no sentence is longer, but pasted data may be."""

_CHINESE = re.compile(f"[{HAN}]+")
_LATIN = re.compile("[A-Za-z]{2}")
_EXCLAMATIONS = re.compile("[!！]")


def polarity(text: str) -> float:
    """Return how a text feels, −1 (bad) to 1 (good), 0 where it shows nothing.

    Words and phrases of lexicons count, turned around by negation, made stronger or weaker by adverbs of
    degree, with emoji and exclamation marks. English is read by VADER with further words, Chinese by an own
    lexicon, a sentence in both by both. Of a text of several sentences those that feel more weigh more; code
    and tables don't count, nor what is only a question or a request.

    >>> polarity("太好了！终于跑通了") > 0.5, polarity("I'm not happy with it") < 0, polarity("周二可以吗？")
    (True, True, 0.0)
    """
    found = [_of_sentence(sentence[:LONGEST]) for sentence in sentences(text) if _is_prose(sentence)]
    return _pooled(found)


def sentiment_label(value: float) -> str:
    """Return "negative", "neutral" or "positive".

    >>> sentiment_label(-0.4), sentiment_label(0.01)
    ('negative', 'neutral')
    """
    return SENTIMENTS[1 + int(value > NEUTRAL) - int(value < -NEUTRAL)]


def _of_sentence(sentence: str) -> float:
    emoji = [valence for sign in sentence if (valence := emoji_valences().get(sign))]
    words = "".join(" " if sign in emoji_valences() else sign for sign in sentence)
    parts = [_squashed(emoji, 0)] if emoji else []
    if _CHINESE.search(words):
        parts.append(_squashed(chinese_valences(words), len(_EXCLAMATIONS.findall(words))))
        words = _CHINESE.sub(" ", words)
    if _LATIN.search(words):
        parts.append(english_polarity(words))
    return _pooled(parts)


def _squashed(valences: list[float], exclamations: int) -> float:
    total = sum(valences)
    total += np.sign(total) * 0.3 * min(exclamations, 4)
    return float(total / np.sqrt(total * total + ALPHA))


def _pooled(values: list[float]) -> float:
    """Return the mean, each weighing what it is away from 0."""
    weight = sum(map(abs, values))
    return sum(value * abs(value) for value in values) / weight if weight else 0.0


def _is_prose(sentence: str) -> bool:
    return not sentence.startswith(("```", "~~~", "|")) and "\t" not in sentence
