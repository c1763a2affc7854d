"""The contexts that an AttentionExplorer compares: their items, words and colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hydralab.attention import Attention
from hydralab.plots.attended import (
    BESIDE_NAMES,
    ITEM_COLOURS,
    OTHER_COLOUR,
    item_colours,
    item_names,
    word_rows,
)
from hydralab.widgets.shading import MOST_TOKENS

__all__ = ["Side", "described", "sides_of"]


@dataclass(frozen=True, eq=False)
class Side:
    """One of the contexts that are compared."""

    name: str
    attention: Attention
    colours: list[str]

    @cached_property
    def keys(self) -> list[str]:
        """Each segment's id, made unique where two items have the same."""
        seen: Counter[str] = Counter()
        keys = []
        for item_id in self.attention.items["item_id"]:
            seen[item_id] += 1
            keys.append(item_id if seen[item_id] == 1 else f"{item_id} ({seen[item_id]})")
        return keys

    @cached_property
    def words(self) -> list[list[int]]:
        """The rows of each word of the answer."""
        return word_rows(self.attention.rows["text"].to_list())[:MOST_TOKENS]

    @cached_property
    def texts(self) -> list[str]:
        """Each word of the answer."""
        pieces = self.attention.rows["text"].to_list()
        return ["".join(pieces[row] for row in rows) for rows in self.words]


def sides_of(names: Sequence[str], attentions: Sequence[Attention]) -> tuple[Side, ...]:
    """Return the sides, each item in one colour on all of them."""
    return tuple(Side(*each) for each in zip(names, attentions, _colours(attentions), strict=False))


def described(side: Side, first: Side) -> dict[str, Any]:
    """Return what stays the same of a side: its words, and its items with names and colours."""
    items = side.attention.measures()
    names = [BESIDE_NAMES.get(name, name) for name in item_names(items)]
    keys = [*side.keys, "sink"]
    probability = side.attention.log_probability
    return {
        "name": side.name,
        "tokens": side.attention.context.tokens,
        "log_probability": None if probability is None else round(probability, 1),
        "written": side.attention.written,
        "words": side.texts,
        "more_words": len(word_rows(side.attention.rows["text"].to_list())) - len(side.words),
        "same_words": side.texts == first.texts,
        "items": [
            {
                "key": key,
                "name": name,
                "section": section,
                "tokens": tokens,
                "unstable": bool(unstable),
                "colour": side.colours[place] if place < len(side.colours) else OTHER_COLOUR,
                "own": place < len(side.colours) and side.colours[place] != OTHER_COLOUR,
            }
            for place, (key, name, section, tokens, unstable) in enumerate(
                zip(keys, names, items["section"], items["tokens"], items["unstable"], strict=True)
            )
        ],
    }


def _colours(attentions: Sequence[Attention]) -> list[list[str]]:
    """Return a colour an item of each context; what is in both has the colour of the first."""
    first, *others = ([*item_colours(each)] for each in attentions)
    known = dict(zip(attentions[0].items["item_id"], first, strict=False))
    found = [first]
    for attention, own in zip(attentions[1:], others, strict=True):
        ids = attention.items["item_id"].to_list()[: len(own)]
        free = [colour for colour in ITEM_COLOURS if colour not in {known.get(each) for each in ids}]
        fresh = [
            each
            for each, colour in zip(ids, own, strict=True)
            if each not in known and colour != OTHER_COLOUR
        ]
        told = known | dict(zip(fresh, free, strict=False))
        found.append([told.get(each, OTHER_COLOUR) for each in ids])
    return found
