"""The feeling that a Chinese sentence shows: words of a lexicon, with what stands before them."""

from __future__ import annotations

import re
from functools import cache

from hydralab.texts.sentiment.lexicons import read_lexicon

__all__ = ["chinese_valences"]

NEGATED = -0.75
"""What a negator multiplies by: 不好 is less bad than 好 is good."""

NEAR = 6
"""So many characters before a word may hold what bears on it, within its clause."""

HEDGED = 0.5
"""What the part before a "but" counts."""

_BUT = re.compile("但是|但|可是|可惜|不过|然而|只是|却|就是(?=太|有)|偏偏|还好(?=有|没)|幸好|好在|幸亏")
_CLAUSE = re.compile(r"[，,。.；;！!？?…~～\s、]+")
_BLANK = "\u2026"
"""Stands where something was read; it parts clauses."""


def chinese_valences(sentence: str) -> list[float]:
    """Return the valence of each word or phrase that shows a feeling, negation and degree taken in.

    >>> chinese_valences("很喜欢"), chinese_valences("一点都不漂亮")
    ([2.4], [-1.5])
    """
    lexicon = read_lexicon("zh")
    valences: list[float] = []
    if lexicon.request.match(sentence):
        return valences
    turn = _BUT.search(sentence)
    hedged_until = turn.start() if turn else 0

    def weighed(start: int, valence: float) -> float:
        return HEDGED * valence if start < hedged_until else valence

    text = lexicon.neutral.sub(_blanked, sentence)
    for valence, pattern in lexicon.phrases:
        valences += [weighed(match.start(), valence) for match in pattern.finditer(text)]
        text = pattern.sub(_blanked, text)
    for start, clause in _clauses(text):
        valences += [weighed(start, valence) for valence in _of_clause(clause)]
    return valences


def _blanked(match: re.Match[str]) -> str:
    return _BLANK * len(match[0])


def _clauses(text: str) -> list[tuple[int, str]]:
    starts = [0, *(end.end() for end in _CLAUSE.finditer(text))]
    stops = [*(end.start() for end in _CLAUSE.finditer(text)), len(text)]
    return [(start, text[start:stop]) for start, stop in zip(starts, stops, strict=True)]


def _of_clause(clause: str) -> list[float]:
    lexicon, found, after = read_lexicon("zh"), [], 0
    for match in _words().finditer(clause):
        before = clause[max(after, match.start() - NEAR) : match.start()]
        after = match.end()
        factor = 1.0
        for modifier in _modifiers().findall(before):
            factor *= NEGATED if modifier in lexicon.negators else lexicon.degrees[modifier]
        found.append(round(lexicon.words[match[0]] * factor, 3))
    return found


@cache
def _words() -> re.Pattern[str]:
    return _any_of(read_lexicon("zh").words)


@cache
def _modifiers() -> re.Pattern[str]:
    lexicon = read_lexicon("zh")
    return _any_of([*lexicon.negators, *lexicon.degrees])


def _any_of(words: object) -> re.Pattern[str]:
    """Return a pattern of words that takes the longest."""
    return re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))  # type: ignore[call-overload]
