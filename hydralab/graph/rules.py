"""The patterns of relations, read from rules.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from hydralab.texts import ENTITY_TYPES

__all__ = [
    "ALIAS",
    "CO_MENTION",
    "MOST_TAGGED",
    "PLAIN",
    "RELATION_LABELS",
    "Rule",
    "read_rules",
    "tag_of",
    "tagged_place",
]

CO_MENTION, ALIAS = "mentioned_with", "alias"

FIRST_TAG = 0xE000
MOST_TAGGED = 64
"""So many entities of a type are told apart in a sentence."""

PLAIN = re.compile("[\ue000-\uf8ff]")
"""Characters for private use: they stand for entities, so that a sentence's own are taken out first."""

_GROUPS: Mapping[str, tuple[str, ...]] = {
    "who": ("person", "organisation"),
    "org": ("organisation", "person", "product", "place"),
    "name": ("person", "place", "organisation", "product"),
}
_WHO = r"|\bI\b|\bwe\b|\byou\b|我们|我|你|您"


class Rule(NamedTuple):
    """A relation and a pattern of tagged sentences that shows it."""

    type: str
    pattern: re.Pattern[str]


def tag_of(kind: str, number: int) -> str:
    """Return the character that stands for the numbered entity of a type in a tagged sentence."""
    return chr(FIRST_TAG + MOST_TAGGED * ENTITY_TYPES.index(kind) + number)


def tagged_place(tag: str) -> tuple[str, int] | None:
    """Return the type and number that a character stands for, None for any other text.

    >>> tagged_place(tag_of("place", 2)), tagged_place("I")
    (('place', 2), None)
    """
    if len(tag) != 1 or not FIRST_TAG <= ord(tag) < FIRST_TAG + MOST_TAGGED * len(ENTITY_TYPES):
        return None
    kind, number = divmod(ord(tag) - FIRST_TAG, MOST_TAGGED)
    return ENTITY_TYPES[kind], number


@cache
def read_rules() -> tuple[Rule, ...]:
    """Return the rules in the order of the file.

    >>> sorted({rule.type for rule in read_rules()})
    ['alias', 'allergic_to', 'amount', 'date', 'kin', 'lives_in', 'owns', 'role', 'went_to', 'works_at']
    """
    raw = _raw()
    return tuple(
        Rule(rule["type"], re.compile(_written_out(pattern, raw["fragments"]), re.IGNORECASE))
        for rule in raw["rules"]
        for pattern in rule["patterns"]
    )


@cache
def _raw() -> dict[str, Any]:
    text = files("hydralab.graph").joinpath("rules.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _written_out(pattern: str, fragments: Mapping[str, str]) -> str:
    for name, fragment in fragments.items():
        pattern = pattern.replace(f"<{name}>", fragment)
    for name in (*_GROUPS, *ENTITY_TYPES):
        kinds = _GROUPS.get(name, (name,))
        spans = "".join(f"{tag_of(kind, 0)}-{tag_of(kind, MOST_TAGGED - 1)}" for kind in kinds)
        pattern = pattern.replace(f"<{name}>", f"[{spans}]{_WHO}" if name == "who" else f"[{spans}]")
    return pattern


RELATION_LABELS: Mapping[str, tuple[str, str]] = {
    name: (english, chinese) for name, (english, chinese) in _raw()["labels"].items()
}
"""Type of relation → how it reads in English and in Chinese."""
