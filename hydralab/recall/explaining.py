"""Why a candidate is there, in a sentence in the language of the query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl

from hydralab.graph import Walk, tell_path
from hydralab.index import Lexical
from hydralab.recall.history import History
from hydralab.recall.items import Items
from hydralab.recall.scoring import entities_of
from hydralab.texts import content_words, language, lexical_terms

__all__ = ["explain_rows"]

CLOSE, CLOSEST = 0.7, 0.95
"""Scaled scores that are called close, and closest."""

AROUND = (-2, -1, 0, 1)
"""Turns whose words count for a turn: those that "lexical_around" takes in."""

WEAKER = (("dense_around", "close_around"), ("neighbour", "passage"))
"""Scores that are a reason only where there is no better one."""

MOST_WORDS = 4
MOST_REASONS = 3

PHRASES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": MappingProxyType(
            {
                "names": "names {}",
                "around": "the turns around it name {}",
                "closest": "closest in meaning",
                "close": "close in meaning",
                "close_around": "close in meaning together with its neighbours",
                "answers": "answers turn {}",
                "beside": "neighbour of turn {}",
                "passage": "in a passage that matches",
                "checkpoint": "under a checkpoint that matches",
                "feedback": "like the best matches",
                "speaker": "spoken by {}",
                "time": "from the time asked about",
                "weak": "the best of what is left",
                "comma": ", ",
                "semicolon": "; ",
            }
        ),
        "zh": MappingProxyType(
            {
                "names": "含有{}",
                "around": "前后几条含有{}",
                "closest": "语义最接近",
                "close": "语义接近",
                "close_around": "连同前后几条语义接近",
                "answers": "回答了第{}条",
                "beside": "与第{}条相邻",
                "passage": "所在段落与问题相符",
                "checkpoint": "属于相符的检查点",
                "feedback": "与最佳匹配相似",
                "speaker": "由{}所说",
                "time": "时间与所问相符",
                "weak": "其余内容中最相关",
                "comma": "、",
                "semicolon": "；",
            }
        ),
    }
)


ASKING = frozenset(
    [
        "提到",
        "提过",
        "说过",
        "说起",
        "讲过",
        "记得",
        "mentioned",
        "mention",
        "remind",
        "remember",
        "earlier",
        "said",
    ]
)
"""Words of asking back: a text that holds one of them says nothing of what is asked for."""


@dataclass(frozen=True)
class _Scene:
    """What the sentences of one query draw on.

    Attributes
    ----------
    words
        Kind → row in the lexical index of that kind → words of the query that its text holds.
    ranks
        Position → rank of the turns that are candidates.
    walked
        The walk over the graph of entities, where the blend reads it.
    """

    phrases: Mapping[str, str]
    words: Mapping[str, Mapping[int, list[str]]]
    ranks: Mapping[int, int]
    history: History
    walked: Walk | None


def explain_rows(
    query: str,
    candidates: pl.DataFrame,
    item_ids: Sequence[str] | None,
    history: History,
    items: Mapping[str, Items],
    at: int,
    now: int,
    walked: Walk | None = None,
) -> dict[str, str]:
    """Return item id → sentence; see `Recaller.explain`.

    Parameters
    ----------
    items
        Kind → items, for checkpoints and facts.
    at
        Turns from here on are not looked at.
    now
        Checkpoints and facts are read as they were known at this turn.
    walked
        The walk over the graph of entities, where the blend reads it.
    """
    chosen = candidates if item_ids is None else candidates.filter(pl.col("item_id").is_in(list(item_ids)))
    rows = [(row, _rows_of(row, history, items, now)) for row in chosen.iter_rows(named=True)]
    named = _query_words(query)
    turns = candidates.filter(pl.col("kind") == "turn")
    around = [
        place + step for row, own in rows if row["kind"] not in items for place in own for step in AROUND
    ]
    words = {"turn": _words_at(named, history.lexical, [place for place in around if 0 <= place < at])}
    for kind, kept in items.items():
        words[kind] = _words_at(
            named, kept.lexical, [place for row, own in rows if row["kind"] == kind for place in own]
        )
    scene = _Scene(
        phrases=PHRASES["zh" if language(query) == "zh" else "en"],
        words=words,
        ranks=dict(zip(history.rows_of(turns["item_id"].to_list()), turns["rank"].to_list(), strict=True)),
        history=history,
        walked=walked,
    )
    return {row["item_id"]: _sentence(row, own, scene) for row, own in rows}


def _query_words(query: str) -> dict[str, tuple[str, ...]]:
    """Return the words and names of a query that can be named, each with its index terms."""
    words = [word for word in (*entities_of(query), *content_words(query)) if word not in ASKING]
    terms = {word: tuple(dict.fromkeys(lexical_terms(word))) for word in dict.fromkeys(words)}
    covered: set[str] = set()
    named: dict[str, tuple[str, ...]] = {}
    for word, own in terms.items():
        if not covered.issuperset(own):
            named[word] = own
            covered.update(own)
    return named


def _rows_of(row: Mapping[str, Any], history: History, items: Mapping[str, Items], now: int) -> list[int]:
    """Return the rows of a candidate in the lexical index of its kind; a round is its turns."""
    if row["kind"] in items:
        return items[row["kind"]].rows_of(row["item_id"], now)
    return history.rows_of(row["source_turn_ids"])


def _words_at(
    named: Mapping[str, Sequence[str]], lexical: Lexical, rows: Sequence[int]
) -> dict[int, list[str]]:
    """Return, for each of some rows, the words that its text holds."""
    words: dict[int, list[str]] = {row: [] for row in rows}
    sorted_rows = np.unique(np.asarray(rows, dtype=np.int64))
    for word, terms in named.items():
        for row in np.intersect1d(sorted_rows, lexical.holding(terms), assume_unique=True).tolist():
            words[row].append(word)
    return words


def _sentence(row: Mapping[str, Any], own: Sequence[int], scene: _Scene) -> str:
    say, reasons = scene.phrases, []
    words = scene.words.get(row["kind"], scene.words["turn"])
    held = list(dict.fromkeys(word for place in own for word in words.get(place, ())))
    if held:
        reasons.append(say["names"].format(say["comma"].join(held[:MOST_WORDS])))
    if row["dense"] >= CLOSE:
        reasons.append(say["closest"] if row["dense"] >= CLOSEST else say["close"])
    if row["kind"] == "turn":
        reasons += _of_a_turn(row, own[0], held, scene)
    if row["time"] > 0:
        reasons.append(say["time"])
    if not reasons:
        reasons += [say[phrase] for name, phrase in WEAKER if row[name] >= CLOSE]
    return say["semicolon"].join(reasons[:MOST_REASONS] or [say["weak"]])


def _of_a_turn(row: Mapping[str, Any], position: int, held: Sequence[str], scene: _Scene) -> list[str]:
    say = scene.phrases
    reasons = [*_way_along_graph(position, scene), *_beside_better(row["rank"], position, scene)]
    if not held:
        near = [word for step in AROUND for word in scene.words["turn"].get(position + step, ())]
        if near:
            reasons.append(say["around"].format(say["comma"].join(list(dict.fromkeys(near))[:MOST_WORDS])))
    if row["speaker"] > 0:
        reasons.append(say["speaker"].format(scene.history.turns["speaker"][position]))
    reasons += [say[name] for name in ("checkpoint", "feedback") if row[name] >= CLOSEST]
    return reasons


def _way_along_graph(position: int, scene: _Scene) -> list[str]:
    """Tell the way from an entity of the query to one that the turn names, if it isn't the same."""
    path = None if scene.walked is None else scene.walked.path(position)
    if path is None or not path.hops:
        return []
    return [tell_path(path, chinese=scene.phrases is PHRASES["zh"])]


def _beside_better(rank: int, position: int, scene: _Scene) -> list[str]:
    """Name the turn before or after, if it ranks higher."""
    better = [
        (scene.ranks[other], other)
        for other in (position - 1, position + 1)
        if scene.ranks.get(other, rank) < rank
    ]
    if not better:
        return []
    other = min(better)[1]
    asks = other < position and not scene.history.statements.rows[other]
    return [scene.phrases["answers" if asks else "beside"].format(other)]
