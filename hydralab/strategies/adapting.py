"""Adaptive context: how much of a budget a prompt uses follows how hard its query is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, log
from numbers import Real
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl

from hydralab.errors import HydralabError, brief, check_settings
from hydralab.llms.prompting import prompt_language
from hydralab.packing import Recalled
from hydralab.recall.scoring import entities_of
from hydralab.strategies.calibration import evidence_chance
from hydralab.strategies.view import View
from hydralab.texts.cues import BACK_REFERENCE, CRITICAL, any_of
from hydralab.texts.sentiment import polarity

__all__ = ["Adaptive", "Decision", "decide"]

FLAT_OF = 20
"""Whether scores are flat is told of so many of the best."""

SHARPNESS = 0.1
"""A candidate whose score is this far below the best counts 1/e of it."""

SHARP, FLAT = 0.5, 0.98
"""The evenness of scores that stands for an easy query, and for a hard one: most gold questions lie between."""

MOST_NAMES = 3

PHRASES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {
            "flat": "the best candidates score alike",
            "sharp": "one candidate scores far above the others",
            "unsure": "none of the candidates is likely to hold it",
            "back": "it refers to something said before",
            "names": "it names {count}",
            "critical": "it is about something costly to get wrong",
            "sentiment": "it sounds dissatisfied",
            "sure": "recall is sure of something older than the newest rounds, so fewer of these are sent",
            "none": "nothing speaks for more or less",
            "whole": "the part that it asked for can't hold the query, so all of the budget is used",
            "why": "{difficulty:.0%} hard: up to {budget:,} of {whole:,} tokens, {items} recalled turns, scores from "
            "{least:.0%} of the best, {rounds} newest rounds; {reasons}",
            "comma": ", ",
        },
        "zh": {
            "flat": "最好的几条得分相近",
            "sharp": "有一条得分远高于其他",
            "unsure": "没有一条很可能含有答案",
            "back": "提到了之前说过的内容",
            "names": "提到了{count}个名称",
            "critical": "涉及出错代价高的事",
            "sentiment": "语气不满",
            "sure": "召回很有把握，而且是最近几轮之前的内容，因此少带最近的轮次",
            "none": "没有需要增减的理由",
            "whole": "所定的部分放不下这条消息，因此使用全部预算",
            "why": "难度 {difficulty:.0%}：最多用 {whole:,} 词元中的 {budget:,}，召回 {items} 条，得分不低于最高分的 "
            "{least:.0%}，最近 {rounds} 轮；{reasons}",
            "comma": "，",
        },
    }
)


@dataclass(frozen=True)
class Adaptive:
    """How hard a query is decides how much of the budget its prompt may use, and what for.

    A query is hard where the scores of its best candidates are alike and none is likely to hold the answer; more
    so where it refers to the past, names several things, is about something costly to get wrong (contracts,
    payments, deadlines, health), or sounds dissatisfied.

    Attributes
    ----------
    low
        The share of the budget that the easiest query may use; the hardest may use all of it.
    turns
        The most recalled turns of the easiest query, and of the hardest.
    least
        What scores below this share of the best candidate is left out: of the easiest query, and of the hardest.
    sure
        A chance from 0 to 1: where the best candidate has it and is older than the newest rounds, only
        `sure_rounds` of these are sent, and the room goes to what is recalled.
    sure_rounds
        See `sure`.
    weights
        What each sign adds to how hard a query is: (flat, unsure, back, names, critical, sentiment).
    sentiment
        Whether the tone of the query counts, by `hydralab.texts.sentiment.polarity`.

    >>> Adaptive(low=0.4).turns
    (12, 60)
    """

    low: float = 0.5
    turns: tuple[int, int] = (12, 60)
    least: tuple[float, float] = (0.55, 0.45)
    sure: float = 0.5
    sure_rounds: int = 1
    weights: tuple[float, float, float, float, float, float] = (0.5, 0.5, 0.1, 0.1, 0.2, 0.1)
    sentiment: bool = True

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_settings(self)
        if not _are_numbers(self.least, 2):
            raise HydralabError(f"Adaptive: least is {brief(self.least)}, expected two numbers from 0 to 1")
        shares = {"low": self.low, "sure": self.sure, "least": min(self.least), "least ": max(self.least)}
        for name, share in shares.items():
            if not 0 <= share <= 1:
                raise HydralabError(f"Adaptive: {name.strip()} is {share}, expected 0 to 1")
        if not _are_numbers(self.turns, 2):
            raise HydralabError(f"Adaptive: turns is {brief(self.turns)}, expected two numbers of at least 0")
        if not _are_numbers(self.weights, len(SIGNS)):
            raise HydralabError(
                f"Adaptive: weights is {brief(self.weights)}, expected {len(SIGNS)} numbers of at least 0, for "
                f"{', '.join(SIGNS)}"
            )


def _are_numbers(given: Any, count: int) -> bool:
    is_row = isinstance(given, (tuple, list)) and len(given) == count
    return is_row and all(isinstance(each, Real) and float(each) >= 0 for each in given)


SIGNS = ("flat", "unsure", "back", "names", "critical", "sentiment")
"""What makes a query hard, each from 0 to 1."""


@dataclass(frozen=True)
class Decision:
    """What was decided for one prompt.

    Attributes
    ----------
    difficulty
        0 to 1.
    budget, turns, least, recent_rounds
        What it may use.
    signs
        Sign → 0 to 1.
    why
        In a sentence, in the language of the query.
    """

    difficulty: float
    budget: int
    turns: int
    least: float
    recent_rounds: int
    signs: Mapping[str, float]
    why: str

    def as_dict(self) -> dict[str, Any]:
        """Return it in plain values, as `Context.decision` holds it."""
        return {**vars(self), "signs": dict(self.signs)}

    def with_whole_budget(self, budget: int, query: str) -> Decision:
        """Return the same with all of the budget, for a query that needs more than its part."""
        told = f"{self.why}{_phrases(query)['comma']}{_phrases(query)['whole']}"
        return Decision(**{**vars(self), "budget": budget, "why": told})


def decide(
    adaptive: Adaptive,
    view: View,
    query: str,
    recalled: Recalled,
    *,
    budget: int,
    reserve: int = 0,
    recent_rounds: int = 3,
) -> Decision:
    """Return what the prompt of a query may use.

    Parameters
    ----------
    recalled
        What recall found for it.
    budget, reserve
        Tokens for everything, and of these what is kept free for the reply, which is left as it is.
    recent_rounds
        The most newest rounds where recall isn't sure.
    """
    found = recalled.found
    chances = evidence_chance(found.frame) if len(found) else np.zeros(0)
    signs = _signs(adaptive, query, found.scores.get("score", ()), chances)
    weights = dict(zip(SIGNS, adaptive.weights, strict=True))
    difficulty = float(min(sum(weights[name] * value for name, value in signs.items()), 1.0))
    sure = _is_sure(adaptive, view, recalled, chances, recent_rounds)
    rounds = min(recent_rounds, adaptive.sure_rounds) if sure else recent_rounds
    room = budget - reserve
    used = reserve + ceil(room * (adaptive.low + (1 - adaptive.low) * difficulty))
    turns = round(_between(adaptive.turns, difficulty))
    least = _between(adaptive.least, difficulty)
    say = _phrases(query)
    why = say["why"].format(
        difficulty=difficulty,
        budget=used,
        whole=budget,
        items=turns,
        least=least,
        rounds=rounds,
        reasons=say["comma"].join(_reasons(say, query, signs, sure)),
    )
    return Decision(difficulty, used, turns, least, rounds, signs, why)


def _signs(adaptive: Adaptive, query: str, scores: Any, chances: np.ndarray[Any, Any]) -> dict[str, float]:
    back, critical = _cues(query)
    felt = polarity(query) if adaptive.sentiment else 0.0
    return {
        "flat": _flatness(np.asarray(scores[:FLAT_OF], dtype=np.float64)),
        "unsure": 1.0 - float(chances.max(initial=0.0)),
        "back": back,
        "names": min(len(entities_of(query)), MOST_NAMES) / MOST_NAMES,
        "critical": critical,
        "sentiment": max(-felt, 0.0),
    }


def _flatness(scores: np.ndarray[Any, Any]) -> float:
    """Return how alike scores are: their entropy as a share of the most there could be, from sharp 0 to flat 1."""
    if len(scores) < 2:
        return 0.0
    shares = np.exp((scores - scores.max()) / SHARPNESS)
    shares /= shares.sum()
    evenness = -float((shares * np.log(np.maximum(shares, 1e-300))).sum()) / log(len(scores))
    return float(np.clip((evenness - SHARP) / (FLAT - SHARP), 0.0, 1.0))


def _is_sure(
    adaptive: Adaptive, view: View, recalled: Recalled, chances: np.ndarray[Any, Any], recent_rounds: int
) -> bool:
    """Tell whether the likeliest candidate is likely enough, and older than the newest rounds."""
    if not len(chances) or chances.max() < adaptive.sure or recent_rounds <= adaptive.sure_rounds:
        return False
    rounds = view.turns["round"]
    recent = view.turns.filter(rounds > rounds[-1] - recent_rounds)["turn_id"] if len(rounds) else rounds
    sources = recalled.found.sources[int(chances.argmax())]
    return not recent.is_in(list(sources)).any()


@lru_cache(maxsize=256)
def _cues(query: str) -> tuple[float, float]:
    said = pl.Series([query])
    return float(any_of(said, *BACK_REFERENCE)[0]), float(any_of(said, *CRITICAL)[0])


def _between(ends: tuple[float, float], difficulty: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * difficulty


def _reasons(say: Mapping[str, str], query: str, signs: Mapping[str, float], sure: bool) -> list[str]:
    reasons = [say["flat"]] if signs["flat"] > 0.7 else [say["sharp"]] if signs["flat"] < 0.3 else []
    reasons += [say["unsure"]] if signs["unsure"] > 0.5 else []
    reasons += [say["names"].format(count=len(entities_of(query)))] if signs["names"] else []
    reasons += [say[name] for name in ("back", "critical") if signs[name]]
    reasons += [say["sentiment"]] if signs["sentiment"] > 0.2 else []
    return [*reasons, *([say["sure"]] if sure else [])] or [say["none"]]


def _phrases(query: str) -> Mapping[str, str]:
    return PHRASES[prompt_language(query)]
