"""What a sentence says of entities: which it names, and which relations between them it states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from hydralab.graph.rules import MOST_TAGGED, PLAIN, read_rules, tag_of, tagged_place
from hydralab.texts import entities, sentences

__all__ = ["SPEAKER", "SPOKEN_TO", "Facts", "Named", "Stated", "read_facts"]

SPEAKER, SPOKEN_TO = "speaker", "spoken to"
"""Types of a pronoun: who it means depends on the turn."""

NODES = frozenset({"person", "place", "organisation", "product", "email", "url", "phone", "identifier"})
VALUES = frozenset({"date", "money", "percent", "quantity"})
"""Types that are entities of the graph only where a relation is stated of them: many texts name "two days"."""

LONGEST = 600
"""Characters of a sentence that is read; longer ones are pasted data."""

_PRONOUNS = {
    **dict.fromkeys(("i", "me", "my", "we", "our", "我", "我们"), SPEAKER),
    **dict.fromkeys(("you", "your", "你", "您"), SPOKEN_TO),
}
_NO_FACT = re.compile(
    r"\b(?:if|unless|whether|would|could|should|might|may|wish|hope|want|plan(?:s|ning)? to|don’t|didn’t|doesn’t|"
    r"isn’t|wasn’t|never|not|no|nearly|almost|instead of|imagine|suppose|pretend|e\.g|what|who|how much)\b|"
    r"如果|要是|假如|万一|没|不是|不在|不住|不想|想要|打算|希望|会不会|是不是|有没有|差点|假设|比如|谁|哪|多少",
    re.IGNORECASE,
)
"""Before a relation in its clause, they say that it is none: conditions, wishes, negations, questions."""

_CLAUSE = re.compile(r"[,;:，；：。.!！?？]\s*|\s+(?:but|and|because)\s+|但是?|因为|所以")
_ASKS = re.compile(r"[?？][^?？]{0,3}$")


class Named(NamedTuple):
    """An entity as a sentence writes it; of type "thing" where it is none of `hydralab.texts.ENTITY_TYPES`."""

    type: str
    text: str


class Stated(NamedTuple):
    """A relation that a sentence states; `manner` says more of it, such as "sister"."""

    type: str
    source: Named
    target: Named
    manner: str
    sentence: str


class Facts(NamedTuple):
    """What a text says: the entities of each sentence, and the relations."""

    named: tuple[tuple[Named, ...], ...] = ()
    stated: tuple[Stated, ...] = ()


@lru_cache(maxsize=16_384)
def read_facts(text: str) -> Facts:
    """Return what a text says, sentence by sentence; code and tables say nothing.

    >>> facts = read_facts("My sister Lena works at Brava. She has a cat.")
    >>> [(each.source.text, each.type, each.target.text) for each in facts.stated]
    [('Lena', 'works_at', 'Brava'), ('Lena', 'kin', 'My')]
    """
    named: list[tuple[Named, ...]] = []
    stated: list[Stated] = []
    for sentence in sentences(text):
        if len(sentence) > LONGEST or sentence.startswith(("```", "~~~", "|")) or "\t" in sentence:
            continue
        found = [Named(each["type"], each["text"]) for each in entities(sentence)]
        named.append(tuple(dict.fromkeys(each for each in found if each.type in NODES)))
        stated += _relations(sentence, found)
    return Facts(tuple(each for each in named if each), tuple(dict.fromkeys(stated)))


def _relations(sentence: str, found: list[Named]) -> Iterator[Stated]:
    tagged, held = _tagged(sentence, found)
    if _ASKS.search(sentence):
        return
    for rule in read_rules():
        for match in rule.pattern.finditer(tagged):
            if _NO_FACT.search(tagged, _clause_start(tagged, match.start()), match.end()):
                continue
            source, target = _meant(match["s"], held), _meant(match["o"], held)
            if source.text and target.text and source != target:
                manner = (match.groupdict().get("as") or "").lower()
                yield Stated(rule.type, source, target, manner, sentence)


def _clause_start(text: str, at: int) -> int:
    return max((end.end() for end in _CLAUSE.finditer(text, 0, at)), default=0)


def _tagged(sentence: str, found: list[Named]) -> tuple[str, dict[str, Named]]:
    """Return the sentence with a character in the place of each entity, and which entity each stands for."""
    plain, at, pieces = PLAIN.sub(" ", sentence), 0, []
    held: dict[str, Named] = {}
    counts: dict[str, int] = {}
    for each in found:
        start, number = plain.find(each.text, at), counts.get(each.type, 0)
        if start < 0 or number == MOST_TAGGED:
            continue
        counts[each.type] = number + 1
        tag = tag_of(each.type, number)
        held[tag] = each
        pieces += [plain[at:start], tag]
        at = start + len(each.text)
    return "".join([*pieces, plain[at:]]).replace("'", "’"), held


def _meant(text: str, held: dict[str, Named]) -> Named:
    if text in held:
        return held[text]
    pronoun = _PRONOUNS.get(text.strip().lower())
    written = "".join(held[each].text if tagged_place(each) else each for each in text)
    return Named(pronoun or "thing", written.strip())
