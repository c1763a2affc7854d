"""Reading the lexicons: one TOML file a language, with fragments that its patterns share."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["Lexicon", "read_lexicon"]

FRAGMENT = re.compile("<([A-Z]+)>")
"""How a pattern names a fragment."""

Patterns = tuple[str, ...]


@dataclass(frozen=True)
class Lexicon:
    """The patterns of one language.

    Attributes
    ----------
    find, near_miss
        Intent → patterns that show it, and patterns of phrases that only look like it.
    words
        Name → patterns of a wider sort: question, discourse_marker, back_reference, critical.
    """

    find: Mapping[str, Patterns]
    near_miss: Mapping[str, Patterns]
    words: Mapping[str, Patterns]


@cache
def read_lexicon(language: str) -> Lexicon:
    """Return the lexicon of "zh" or "en".

    >>> sorted(read_lexicon("zh").words)
    ['back_reference', 'critical', 'discourse_marker', 'question']
    """
    text = files("hydralab.texts.cues").joinpath(f"{language}.toml").read_text(encoding="utf-8")
    content = tomllib.loads(text)
    fragments: dict[str, str | Patterns] = {}
    for name, value in content["fragments"].items():
        fragments[name] = (
            _filled(value, fragments) if isinstance(value, str) else _all_filled(value, fragments)
        )
    intents = content["intents"]
    return Lexicon(
        find={name: _all_filled(intent["find"], fragments) for name, intent in intents.items()},
        near_miss={name: _all_filled(intent["near_miss"], fragments) for name, intent in intents.items()},
        words={name: _all_filled(patterns, fragments) for name, patterns in content["words"].items()},
    )


def _all_filled(patterns: Sequence[str], fragments: Mapping[str, str | Patterns]) -> Patterns:
    filled: list[str] = []
    for pattern in patterns:
        whole = FRAGMENT.fullmatch(pattern)
        listed = fragments[whole[1]] if whole else _filled(pattern, fragments)
        filled.extend([listed] if isinstance(listed, str) else listed)
    return tuple(filled)


def _filled(pattern: str, fragments: Mapping[str, str | Patterns]) -> str:
    return FRAGMENT.sub(lambda found: str(fragments[found[1]]), pattern)
