"""What an AttentionExplorer shows of each layer, head and word, for its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from hydralab.widgets.attention_state import ALL, AttentionState, Pick
from hydralab.widgets.pages import Fitting

__all__ = ["attention_recording"]

Picks = Iterator[tuple[int, int]]
TEXTS = 0.6
"""Share of the room of the shaded texts."""


def attention_recording(exploring: AttentionState) -> dict[str, Any]:
    """Return what can be looked at, as much as fits; what is shown now stays.

    Returns
    -------
    dict
        overview, pick; pieces (each side's tokens by item); looks and texts by "layer head", the present ones
        first; measures by "layer head word".
    """
    shown = exploring.pick
    fitting = Fitting()
    overview = exploring.overview()
    guide = exploring.aside()
    recorded = dict(fitting.take(_texts(guide, overview), TEXTS))
    measures = dict(fitting.take(_measures(guide, overview)))
    return {
        "overview": overview,
        "pick": vars(shown),
        "now": exploring.result(),
        "pieces": [_pieces(guide, number) for number in range(len(guide.sides))],
        "texts": recorded,
        "measures": measures,
    }


def _layers_and_heads(overview: dict[str, Any]) -> Picks:
    """Yield pairs of a layer and a head: all, each layer, each head over all layers, each head of each layer."""
    layers, heads = range(overview["layers"]), range(overview["heads"])
    yield ALL, ALL
    yield from product(layers, [ALL])
    yield from product([ALL], heads)
    yield from product(layers, heads)


def _texts(guide: AttentionState, overview: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield by "layer head" the item each word looked at, and the shades of every item's tokens."""
    for layer, head in _layers_and_heads(overview):
        told = []
        for side in guide.sides:
            guide.go(Pick(measure=guide.pick.measure, layer=layer, head=head))
            looks = guide.looks(side)
            told.append({**looks, "texts": {key: _shades(guide, side, key) for key in side.keys}})
        yield f"{layer} {head}", told


def _shades(guide: AttentionState, side: Any, key: str) -> dict[str, Any] | None:
    guide.go(replace(guide.pick, item=key))
    text = guide.text(side)
    return None if text is None else {name: value for name, value in text.items() if name != "pieces"}


def _pieces(guide: AttentionState, number: int) -> dict[str, list[str]]:
    side = guide.sides[number]
    found = {}
    for key in side.keys:
        guide.go(replace(guide.pick, item=key))
        text = guide.text(side)
        found[key] = [] if text is None else text["pieces"]
    return found


def _measures(guide: AttentionState, overview: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield by "layer head word" each measure of every item: first of all words, then of each word a layer."""
    words = len(overview["sides"][0]["words"])
    of_all = ((layer, head, ALL) for layer, head in _layers_and_heads(overview))
    of_words = product([ALL, *range(overview["layers"])], [ALL], range(words))
    for layer, head, word in (*of_all, *of_words):
        guide.go(Pick(measure=guide.pick.measure, layer=layer, head=head, word=word))
        tables = guide.tables()
        told = {}
        for measure in overview["measures"]:
            if measure in overview["whole"] and (layer, head, word) != (ALL, ALL, ALL):
                continue
            guide.go(replace(guide.pick, measure=measure))
            told[measure] = guide.measured(tables)
        yield f"{layer} {head} {word}", told
