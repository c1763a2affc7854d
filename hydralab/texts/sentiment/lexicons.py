"""The lexicons of sentiment: one TOML file a language, and one of emoji."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["Lexicon", "emoji_valences", "read_lexicon"]


@dataclass(frozen=True)
class Lexicon:
    """Words and turns of phrase that show a feeling.

    Attributes
    ----------
    words
        Word → valence, −3 to 3.
    phrases
        Valence and pattern, the strongest first; each says more than its words.
    neutral
        What only looks like a feeling.
    request
        How a sentence opens that asks for work on something: what it names is a topic.
    degrees
        Adverb → what it multiplies the valence of the next word by.
    negators
        What turns the next word around.
    """

    words: Mapping[str, float]
    phrases: tuple[tuple[float, re.Pattern[str]], ...]
    neutral: re.Pattern[str]
    request: re.Pattern[str]
    degrees: Mapping[str, float]
    negators: frozenset[str]


@cache
def read_lexicon(language: str) -> Lexicon:
    """Return the lexicon of "zh" or "en".

    >>> read_lexicon("zh").words["喜欢"]
    2.0
    """
    raw = _read(language)
    edge = r"\b" if language == "en" else ""
    phrases = [
        (float(valence), re.compile(f"(?i){edge}(?:{'|'.join(patterns)})"))
        for valence, patterns in raw["phrases"].items()
    ]
    return Lexicon(
        words=_by_word(raw["words"]),
        phrases=tuple(sorted(phrases, key=lambda phrase: (-abs(phrase[0]), phrase[0]))),
        neutral=re.compile(f"(?i){edge}(?:{'|'.join(raw['neutral']['patterns'])})"),
        request=re.compile(f"(?i)\\s*(?:{'|'.join(raw['request']['patterns'])})"),
        degrees=_by_word(raw.get("degrees", {})),
        negators=frozenset(raw.get("negators", ())),
    )


@cache
def emoji_valences() -> dict[str, float]:
    """Return emoji → valence.

    >>> emoji_valences()["💔"]
    -3.0
    """
    return _by_word(_read("emoji"))


def _read(name: str) -> dict[str, Any]:
    text = files("hydralab.texts.sentiment").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _by_word(listed: Mapping[str, list[str] | str]) -> dict[str, float]:
    return {word: float(valence) for valence, words in listed.items() for word in words}
