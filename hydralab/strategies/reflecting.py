"""Self-reflection: after an answer a chat model says whether the context sufficed, and what was missing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from types import NoneType
from typing import Annotated, Any

import polars as pl
from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from hydralab.checkpoints import find_object
from hydralab.errors import HydralabError, check_kind, check_value
from hydralab.frames import build, event
from hydralab.llms import LLM, LLMError, Message, Reply, ask, ask_async, get_llm
from hydralab.llms.prompting import fence, prompt, prompt_language
from hydralab.packing import Context
from hydralab.texts import content_words, normalise, scrub

__all__ = ["Verdict", "reflect", "reflect_async"]

REPLY_TOKENS = 160
LONGEST = 300
RECALLED = ("memory", "checkpoint", "recalled")
NOTHING = frozenset({"", "none", "nothing", "n/a", "null", "-", "无", "没有", "什么都不缺"})
YES = frozenset({"true", "yes", "sufficient", "enough", "是", "够", "足够", "充分"})
NO = frozenset({"false", "no", "insufficient", "not enough", "否", "不够", "不足", "不充分"})


def _truth(value: Any) -> bool | None:
    """Return a yes or no in whatever words; None for anything else."""
    said = normalise(str(value)).strip(" .。!！")
    return True if said in YES else False if said in NO else None


def _text(value: Any) -> str:
    if isinstance(value, list):
        value = "; ".join(str(each) for each in value)
    if not isinstance(value, str):
        return ""
    text = " ".join(scrub(value).split())
    return "" if text.lower().rstrip(".。") in NOTHING else text[:LONGEST]


class _Said(BaseModel):
    """What a reply says; None of what it leaves open."""

    model_config = ConfigDict(extra="ignore")

    sufficient: Annotated[
        bool | None,
        BeforeValidator(_truth),
        Field(validation_alias=AliasChoices("sufficient", "足够", "充分", "够")),
    ] = None
    missing: Annotated[
        str, BeforeValidator(_text), Field(validation_alias=AliasChoices("missing", "缺少", "缺失"))
    ] = ""


KEYS = ("sufficient", "足够", "充分", "够", "missing", "缺少", "缺失")


@dataclass(frozen=True)
class Verdict:
    """What a model said of one context.

    Attributes
    ----------
    sufficient
        Whether the context held what the answer needs. True, too, where the model gave no verdict: nothing is to
        be looked up again on a failure; `status` tells the two apart.
    missing
        What is to be looked up, to recall by; "" when nothing is.
    status
        "ok": as the model answered; "salvaged": read out of a broken or partial answer; "failed": no verdict.
    detail
        Of a failure, why.
    table
        A row of the table `verdicts`: `sufficient` is null where the verdict failed.
    events
        A row of the table `events`.
    """

    sufficient: bool
    missing: str
    status: str
    detail: str = ""
    table: pl.DataFrame = field(repr=False, compare=False, kw_only=True)
    events: pl.DataFrame = field(repr=False, compare=False, kw_only=True)


def reflect(
    llm: str | LLM | Any, context: Context, query: str, answer: str, *, prompts: str | None = None
) -> Verdict:
    """Ask a model, once, whether a context held what the answer to a query needs.

    Parameters
    ----------
    llm
        Anything that `hl.get_llm` takes.
    context
        What was sent.
    query
        The message that was answered.
    answer
        What was answered.
    prompts
        A folder with prompts of your own ("reflect.en.txt", "reflect.zh.txt").

    Raises
    ------
    HydralabError
        `llm` is no chat model. A model that fails, or says nothing that can be read, gives a verdict with the
        status "failed".

    >>> from hydralab.frames import empty
    >>> from hydralab.packing import pack
    >>> asked = "What was the marketing budget?"
    >>> context = pack(asked, empty("turns"), budget=100)
    >>> says = '{"sufficient": false, "missing": "the marketing budget"}'
    >>> verdict = reflect(lambda messages: says, context, asked, "I don't know.")
    >>> verdict.sufficient, verdict.missing, verdict.status
    (False, 'the marketing budget', 'ok')
    """
    asked, started = get_llm(llm), perf_counter()
    said: Reply | HydralabError
    try:
        said = ask(asked, _messages(context, query, answer, prompts), **OPTIONS)
    except LLMError as error:
        said = error
    return _verdict(said, asked, context, query, answer, started)


async def reflect_async(
    llm: str | LLM | Any, context: Context, query: str, answer: str, *, prompts: str | None = None
) -> Verdict:
    """Do what `reflect` does, for asyncio."""
    asked, started = get_llm(llm), perf_counter()
    said: Reply | HydralabError
    try:
        said = await ask_async(asked, _messages(context, query, answer, prompts), **OPTIONS)
    except LLMError as error:
        said = error
    return _verdict(said, asked, context, query, answer, started)


OPTIONS: dict[str, Any] = {"max_tokens": REPLY_TOKENS, "temperature": 0.0}


def _messages(context: Context, query: str, answer: str, prompts: str | None) -> list[Message]:
    check_kind("reflect: context", context, Context, "what lab.hydrate or run.step returns")
    for what, given in (("query", query), ("answer", answer)):
        check_value(f"reflect: {what}", given, "str")
    check_kind("reflect: prompts", prompts, (str, Path, NoneType), "a folder or None")
    shown = "\n".join(
        f"[{row['label'] or row['role']}] {row['text']}"
        for row in context.kept_rows
        if row["section"] not in ("system", "query")
    )
    told = [fence("context", shown), fence("message", query), fence("answer", answer)]
    return [
        {"role": "system", "content": prompt("reflect", prompt_language(query), folder=prompts)},
        {"role": "user", "content": "\n".join(told)},
    ]


def _verdict(
    said: Reply | HydralabError, llm: LLM, context: Context, query: str, answer: str, started: float
) -> Verdict:
    if isinstance(said, Reply):
        read, whole = _read(said.text)
        detail = f"chat model {llm.name!r}: no verdict in its {said.outcome} answer {said.text[:LONGEST]!r}"
    else:
        read, whole, detail = None, False, str(said)
    status = "failed" if read is None else "ok" if whole else "salvaged"
    sufficient = None if read is None else bool(read.sufficient)
    missing = "" if read is None or sufficient else read.missing
    row = {
        **_row(context, query, answer),
        "sufficient": sufficient,
        "missing": missing,
        "status": status,
        "model": llm.name,
    }
    happened = event(
        "reflect",
        status,
        detail=detail if status == "failed" else f"by {llm.name}",
        dialogue_id=context.dialogue_id,
        item_id=context.query_id,
        milliseconds=(perf_counter() - started) * 1e3,
    )
    return Verdict(
        sufficient is not False,
        missing,
        status,
        detail if status == "failed" else "",
        table=build("verdicts", [row]),
        events=build("events", [happened]),
    )


def _read(reply: str) -> tuple[_Said | None, bool]:
    """Return what a reply says, and whether it is one whole JSON object of it."""
    found = find_object(reply, KEYS)
    said = _Said.model_validate(found.value or {})
    if said.sufficient is not None:
        return said, found.whole
    # A small model says "Yes." and no more, or only what is missing.
    meant = False if said.missing else _truth(reply)
    return (None, False) if meant is None else (said.model_copy(update={"sufficient": meant}), False)


def _row(context: Context, query: str, answer: str) -> dict[str, Any]:
    """Return what a verdict is about: the items that were recalled, their scores, and those the answer used."""
    items = [row for row in context.kept_rows if row["section"] in RECALLED]
    now = datetime.now(UTC)
    named = [context.dialogue_id, context.query_id, query, answer, now.isoformat()]
    digest = sha256("\x00".join(named).encode("utf-8", "replace")).hexdigest()[:12]
    return {
        "verdict_id": f"{context.dialogue_id}:v{digest}",
        "query_id": context.query_id,
        "dialogue_id": context.dialogue_id,
        "position": context.at,
        "query": scrub(query),
        "answer": scrub(answer),
        "item_ids": [row["item_id"] for row in items],
        "used_ids": [row["item_id"] for row in _used(items, query, answer)],
        "item_scores": json.dumps([dict(row["scores"] or {}) for row in items]),
        "time": now,
    }


def _used(items: Sequence[Mapping[str, Any]], query: str, answer: str) -> list[Mapping[str, Any]]:
    """Return the items that hold words of the answer which the query did not say."""
    new = set(content_words(answer)) - set(content_words(query))
    return [row for row in items if new & set(content_words(row["text"]))]
