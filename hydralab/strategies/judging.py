"""Relevance judges: which of the items that recall found are put before the model, and why the others are not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Protocol, runtime_checkable

import polars as pl

from hydralab.errors import HydralabError, brief, check_settings
from hydralab.frames import event
from hydralab.llms import LLMError, ask, get_llm
from hydralab.llms.prompting import fence, prompt, prompt_language
from hydralab.packing import Recalled
from hydralab.recall.items import document_text
from hydralab.strategies.calibration import evidence_chance
from hydralab.strategies.view import View

__all__ = ["CalibratedJudge", "Judge", "Judgement", "ModelJudge", "WordsJudge", "judged", "texts_of"]

NUMBERS = re.compile(r"\d+")
NOTHING = frozenset({"", "none", "无", "没有", "都没有"})
REPLY_TOKENS = 64
LONGEST = 400
"""So many characters of an item are shown to a model."""

PHRASES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {
            "model": "the judge {name} found it of no use for the answer",
            "score": "the judge gives it a chance of {chance:.0%} to hold what is asked, under {least:.0%}",
            "words": "the judge found too few words and names of the query in it",
        },
        "zh": {
            "model": "评判模型 {name} 认为它对回答没有用",
            "score": "评判认为它含有所问内容的可能性为 {chance:.0%}，低于 {least:.0%}",
            "words": "评判认为它与问题共有的词和名称太少",
        },
    }
)


@dataclass(frozen=True)
class Judgement:
    """What a judge says of items.

    Attributes
    ----------
    passes
        Whether each may be put into the prompt.
    why
        Of each, why not; "" of one that passes.
    events
        Rows of what failed.
    """

    passes: Sequence[bool]
    why: Sequence[str]
    events: Sequence[dict[str, Any]] = ()


@runtime_checkable
class Judge(Protocol):
    """Decides which items bear on a query."""

    def judge(self, query: str, texts: Sequence[str], scores: pl.DataFrame) -> Judgement:
        """Return what passes.

        Parameters
        ----------
        query
            What was asked.
        texts
            What the items say, best first.
        scores
            The candidates table of these items: kind, score, and a column a score.
        """
        ...


@dataclass(frozen=True)
class WordsJudge:
    """Lets through what shares enough words or names with the query.

    Attributes
    ----------
    lexical
        The least share of what the query's words could score.
    entity
        The least share of the query's names, which alone lets through, too.

    >>> WordsJudge().lexical
    0.25
    """

    lexical: float = 0.25
    entity: float = 0.5

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_settings(self, lexical=0.0, entity=0.0)

    def judge(self, query: str, texts: Sequence[str], scores: pl.DataFrame) -> Judgement:
        """Return what passes; see `Judge`."""
        passed = (scores["lexical"] >= self.lexical) | (scores["entity"] >= self.entity)
        return _told(passed.to_list(), _phrases(query)["words"])


@dataclass(frozen=True)
class CalibratedJudge:
    """Lets through what has a fair chance of holding what is asked, by its score columns.

    The chance is that of a logistic regression, fitted on the gold questions of the bundled dialogues; see
    `hydralab.strategies.calibration.evidence_chance`.

    Attributes
    ----------
    least
        The least chance, 0 to 1. At 0.01 the evidence met on the bundled long dialogues is what it is without a judge,
        at 0.05 it is 12 to 21 points lower: most evidence is one turn of hundreds.

    >>> CalibratedJudge(least=0.1).least
    0.1
    """

    least: float = 0.01

    def __post_init__(self) -> None:
        """Refuse what can't be meant."""
        check_settings(self)
        if not 0 <= self.least <= 1:
            raise HydralabError(f"CalibratedJudge: least is {self.least}, expected a chance from 0 to 1")

    def judge(self, query: str, texts: Sequence[str], scores: pl.DataFrame) -> Judgement:
        """Return what passes; see `Judge`."""
        say, chances = _phrases(query)["score"], evidence_chance(scores).tolist()
        passes = [chance >= self.least for chance in chances]
        why = [
            "" if passed else say.format(chance=chance, least=self.least)
            for passed, chance in zip(passes, chances, strict=True)
        ]
        return Judgement(passes, why)


@dataclass(frozen=True)
class ModelJudge:
    """Lets through what a chat model names, in one call of bounded length.

    Attributes
    ----------
    llm
        Anything that `hl.get_llm` takes.
    items
        So many of the best items are put before the model.
    fallback
        Judges the items beyond these, and all of them where the model fails or says what can't be read.
    prompts
        A folder with prompts of your own; see `hydralab.llms.prompting.prompt`.

    >>> import polars as pl
    >>> judge = ModelJudge(lambda messages: "2")
    >>> scores = pl.DataFrame({"kind": ["turn", "turn"], "score": [0.9, 0.8]})
    >>> judge.judge("And the budget?", ["The cat sleeps.", "40,000 euros."], scores).passes
    [False, True]
    """

    llm: Any
    items: int = 12
    fallback: Judge = field(default_factory=CalibratedJudge)
    prompts: str | None = None

    def __post_init__(self) -> None:
        """Refuse what can't be meant, and resolve a model given by name."""
        check_settings(self, items=1)
        check_judge("ModelJudge: fallback", self.fallback)
        object.__setattr__(self, "llm", get_llm(self.llm))

    def judge(self, query: str, texts: Sequence[str], scores: pl.DataFrame) -> Judgement:
        """Return what passes; see `Judge`."""
        if not len(texts):
            return Judgement([], [])
        shown = min(self.items, len(texts))
        try:
            chosen = self._chosen(query, texts[:shown])
        except LLMError as error:
            fallen = self.fallback.judge(query, texts, scores)
            detail = f"judged by {self.fallback!r}; {error}"
            return replace(fallen, events=[*fallen.events, event("judge", "failed", detail=detail)])
        told = _told(
            [place in chosen for place in range(1, shown + 1)],
            _phrases(query)["model"].format(name=self.llm.name),
        )
        if shown == len(texts):
            return told
        rest = self.fallback.judge(query, texts, scores)
        return Judgement(
            [*told.passes, *rest.passes[shown:]], [*told.why, *rest.why[shown:]], list(rest.events)
        )

    def _chosen(self, query: str, texts: Sequence[str]) -> set[int]:
        """Return the numbers of the items that the model names, from 1."""
        notes = "\n".join(
            f"{place}. {' '.join(text[:LONGEST].split())}" for place, text in enumerate(texts, start=1)
        )
        messages = [
            {"role": "system", "content": prompt("judge", prompt_language(query), folder=self.prompts)},
            {"role": "user", "content": f"{fence('notes', notes)}\n{fence('message', query)}"},
        ]
        reply = ask(self.llm, messages, max_tokens=REPLY_TOKENS, temperature=0.0)
        chosen = {int(number) for number in NUMBERS.findall(reply.text)}
        if not chosen and reply.text.strip().lower().strip(" .。`'\"") not in NOTHING - {""}:
            raise LLMError(
                f"chat model {self.llm.name!r}: no number in its {reply.outcome} answer {reply.text[:80]!r}",
                "malformed",
            )
        return chosen


def judged(judge: Judge, view: View, query: str, recalled: Recalled) -> Recalled:
    """Return what recall found with what a judge refuses marked, and the events of judging added.

    Where nothing is found nothing is judged.
    """
    if not len(recalled.found):
        return recalled
    found = recalled.found
    judgement = judge.judge(query, texts_of(view, recalled), found.frame)
    refused = {
        item_id: why
        for item_id, passed, why in zip(found.item_ids, judgement.passes, judgement.why, strict=True)
        if not passed
    }
    placed = {"dialogue_id": view.dialogue_id, "item_id": view.query_id}
    events = [{**happened, **placed} for happened in judgement.events]
    return replace(recalled, refused={**recalled.refused, **refused}, events=[*recalled.events, *events])


def texts_of(view: View, recalled: Recalled) -> list[str]:
    """Return what each candidate says: a turn its text, a round its turns', a checkpoint its title and summary."""
    found = recalled.found
    said = {
        row["checkpoint_id"]: f"{row['title'] or ''}: {row['summary'] or ''}"
        for row in _rows(recalled.checkpoints, "checkpoint_id", ("title", "summary"), found.item_ids)
    }
    said |= {
        row["memory_id"]: row["text"]
        for row in _rows(recalled.memories, "memory_id", ("text",), found.item_ids)
    }
    said |= {
        row["passage_id"]: document_text(row["title"], row["heading"], row["text"])
        for row in _rows(recalled.documents, "passage_id", ("title", "heading", "text"), found.item_ids)
    }
    pairs = list(zip(found.item_ids, found.sources, strict=True))
    held = [source for item, own in pairs if item not in said for source in own]
    turns = dict(view.turns.filter(pl.col("turn_id").is_in(held)).select("turn_id", "text").iter_rows())
    return [
        said[item] if item in said else "\n".join(turns.get(source, "") for source in own)
        for item, own in pairs
    ]


def check_judge(where: str, given: object) -> None:
    """Refuse what is no judge.

    >>> check_judge("Hydration: judge", "strict")
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: Hydration: judge is 'strict', expected a judge such as hl.CalibratedJudge()
    """
    if isinstance(given, type) or not isinstance(given, Judge):
        raise HydralabError(f"{where} is {brief(given)}, expected a judge such as hl.CalibratedJudge()")


def _rows(
    frame: pl.DataFrame, key: str, columns: Sequence[str], wanted: Sequence[str]
) -> list[dict[str, Any]]:
    if not frame.height:
        return []
    return frame.filter(pl.col(key).is_in(list(wanted))).select(key, *columns).to_dicts()


def _told(passes: list[bool], why: str) -> Judgement:
    return Judgement(passes, ["" if passed else why for passed in passes])


def _phrases(query: str) -> Mapping[str, str]:
    return PHRASES[prompt_language(query)]
