"""Words that show what a turn means to do, Chinese and English in one pattern.

Lexicons only: `hydralab.signals` makes columns of them, `hydralab.checkpoints` reads decisions and
tasks by them.
"""

from __future__ import annotations

from types import MappingProxyType

import polars as pl

from hydralab.errors import unknown_name
from hydralab.texts.cues.lexicons import read_lexicon
from hydralab.texts.cues.rules import CHINESE, LATIN, Rules, any_of

__all__ = [
    "BACK_REFERENCE",
    "CRITICAL",
    "DISCOURSE_MARKER",
    "INTENTS",
    "QUESTION",
    "Rules",
    "any_of",
    "find_intent",
    "intent_rules",
]

INTENTS = ("topic_change", "decision", "task_done", "summary_request", "refers_back")
"""The intents that have rules."""

ZH, EN = read_lexicon("zh"), read_lexicon("en")

ASKED_OF_A_MODEL = frozenset({"summary_request"})
"""Intents that only a user can have."""


def _words(name: str) -> tuple[Rules, Rules]:
    return Rules(find=ZH.words[name], script=CHINESE), Rules(find=EN.words[name], script=LATIN)


BACK_REFERENCE = _words("back_reference")
"""Words of a reference to the past."""

CRITICAL = _words("critical")
"""Words of what is costly to get wrong: contracts, money, terms, health, law."""

DISCOURSE_MARKER = _words("discourse_marker")
"""Words that often turn to something new."""

QUESTION = _words("question")
"""What shows a question."""

_RULES = MappingProxyType(
    {
        name: (
            Rules(find=ZH.find[name], blank=ZH.near_miss[name], script=CHINESE),
            Rules(find=EN.find[name], blank=EN.near_miss[name], script=LATIN),
        )
        for name in INTENTS
    }
)


def intent_rules(name: str) -> tuple[Rules, Rules]:
    """Return the rules of an intent, Chinese and English.

    >>> intent_rules("decision")[0].search(pl.Series(["就这么定了", "还没决定"])).to_list()
    [True, False]
    """
    if name not in _RULES:
        raise unknown_name("intent", name, INTENTS)
    return _RULES[name]


def find_intent(name: str, texts: pl.Series, roles: pl.Series) -> pl.Series:
    """Return for each turn whether it has the intent: Boolean (n,).

    Parameters
    ----------
    name
        One of `INTENTS`.
    texts, roles
        String (n,) each. A summary is asked for by a user alone.

    >>> find_intent("summary_request", pl.Series(["帮我总结一下"] * 2), pl.Series(["user", "assistant"])).to_list()
    [True, False]
    """
    found = any_of(texts, *intent_rules(name))
    return found & (roles == "user") if name in ASKED_OF_A_MODEL else found
