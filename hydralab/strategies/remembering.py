"""What of an exchange is worth remembering: by a chat model, or by what its sentences say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import polars as pl

from hydralab.checkpoints import FACT_ENTITIES, find_object, read_texts, said_lines
from hydralab.errors import HydralabError
from hydralab.frames import build, event
from hydralab.llms import LLM, LLMError, ask
from hydralab.llms.prompting import fence, prompt, prompt_language
from hydralab.texts import Tokenizer, content_words, normalise, scrub

__all__ = ["remember"]

KINDS = ("preference", "fact", "decision")
NOTHING = frozenset({"none", "nothing", "null", "[]", "{}", "无", "没有"})
SHOWN = 20
"""So many of the facts known are shown to a model."""

REPLY_TOKENS = 400
LONGEST = 300
SAME = 0.8
"""Share of common words from which two facts say the same."""

ABOUT_THE_SAME = 0.5
"""Share of common words, numbers aside, from which a fact with other numbers replaces one."""

PREFERS = re.compile(
    r"\b(?:I|we)(?:'d| would| really| always| usually|'m| am)* "
    r"(?:like|love|prefer|hate|dislike|enjoy|never|always|allergic)\b"
    r"|\b(?:I|we) (?:do not|don't|can't|cannot) (?:like|eat|drink|stand|want)\b"
    r"|\bmy favou?rite\b|\bcall me\b"
    r"|我们?(?:比较|最|很|特别|更|一般|平时|从来)*(?:喜欢|偏好|讨厌|不喜欢|不吃|不喝|习惯|过敏)"
    r"|对[^，。]{1,6}过敏|叫我|以后都",
    re.IGNORECASE,
)
IS_SO = re.compile(
    r"\b(?:my name is|I live|I work|I'm from|I am from|we are based)\b"
    r"|\bmy (?:wife|husband|son|daughter|dog|cat|team|boss)\b"
    r"|我叫|我住|我在.{1,12}(?:工作|上班|上学)|我的?(?:妻子|太太|丈夫|先生|儿子|女儿|孩子|老板|团队)",
    re.IGNORECASE,
)
ASKS = ("?", "？", "吗", "呢")


@dataclass(frozen=True)
class _Noticed:
    kind: str
    text: str
    replaces: str | None = None


def remember(
    exchange: pl.DataFrame,
    known: pl.DataFrame,
    *,
    llm: LLM | None,
    tokenizer: Tokenizer,
    most: int,
    user_id: str | None = None,
    prompts: str | None = None,
) -> Mapping[str, pl.DataFrame]:
    """Return what is to be remembered of an exchange, as rows of memories and events.

    What is known already, be it from another dialogue of the user, is left out. What a new fact contradicts comes
    back with `superseded_by` set: where a model says so, or where the two share most of their words and differ
    in their numbers.

    Parameters
    ----------
    exchange
        Turns of one dialogue.
    known
        The memories table so far.
    llm
        Decides what is worth it; None, and where it fails, the sentences of the user are searched for
        preferences, facts and decisions.
    most
        The most new facts.
    user_id
        Whose facts they are.
    prompts
        A folder with prompts of your own.
    """
    started = perf_counter()
    current = known.filter(pl.col("superseded_by").is_null()) if known.height else known
    noticed: list[_Noticed] | None = None
    events = []
    if llm is not None:
        try:
            noticed = _told_by(llm, exchange, current, prompts)
        except HydralabError as error:
            detail = f"from the sentences of the dialogue; {error}"
            last = exchange.row(-1, named=True)
            spent = (perf_counter() - started) * 1e3
            events = [
                event(
                    "remember",
                    "failed",
                    detail=detail,
                    dialogue_id=last["dialogue_id"],
                    item_id=last["turn_id"],
                    milliseconds=spent,
                )
            ]
    if noticed is None:
        noticed = list(_noticed(exchange))
    rows = _rows(noticed, exchange, current, tokenizer, most)
    owned = build("memories", [{"user_id": user_id, **row} for row in rows])
    return {"memories": owned, "events": build("events", events)}


def _rows(
    noticed: Sequence[_Noticed], exchange: pl.DataFrame, current: pl.DataFrame, counter: Tokenizer, most: int
) -> list[dict[str, Any]]:
    dialogue_id, last = exchange["dialogue_id"][0], int(exchange["position"][-1])
    held = {row["memory_id"]: row for row in current.to_dicts()}
    new: dict[str, dict[str, Any]] = {}
    replaced: dict[str, dict[str, Any]] = {}
    for each in noticed:
        if len(new) == most:
            break
        facts = [*held.values(), *new.values()]
        if any(_says_the_same(each.text, fact["text"]) for fact in facts):
            continue
        memory_id = f"{dialogue_id}:m{last}-{len(new)}"
        outdated = each.replaces or next(
            (fact["memory_id"] for fact in held.values() if _contradicts(each.text, fact["text"])), None
        )
        if outdated is not None and outdated in held:
            replaced[outdated] = {**held.pop(outdated), "superseded_by": memory_id}
        new[memory_id] = {
            "memory_id": memory_id,
            "dialogue_id": dialogue_id,
            "kind": each.kind,
            "text": each.text,
            "source_turn_ids": exchange["turn_id"].to_list(),
            "time": exchange["time"][-1],
            "tokens": counter.count(each.text),
        }
    return [*replaced.values(), *new.values()]


def _told_by(llm: LLM, exchange: pl.DataFrame, current: pl.DataFrame, prompts: str | None) -> list[_Noticed]:
    said = "\n".join(said_lines(exchange))
    facts = _related(said, current)
    numbered = "\n".join(f"{number}. {fact['text']}" for number, fact in enumerate(facts, start=1))
    messages = [
        {"role": "system", "content": prompt("memory", prompt_language(said), folder=prompts)},
        {"role": "user", "content": f"{fence('known', numbered)}\n{fence('dialogue', said)}"},
    ]
    reply = ask(llm, messages, max_tokens=REPLY_TOKENS, temperature=0.0)
    found = find_object(reply.text, ("memories",)).value
    listed = None if found is None else found["memories"]
    if listed is None and normalise(reply.text).strip(" .。`") not in NOTHING:
        raise LLMError(
            f"chat model {llm.name!r}: no memories in its {reply.outcome} answer {reply.text[:LONGEST]!r}",
            "malformed",
        )
    entries = listed if isinstance(listed, list) else []
    return [made for each in entries if (made := _entry(each, facts)) is not None]


def _related(said: str, current: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the facts that share the most words with what was said, the newest of equals first."""
    words = set(content_words(said))
    rows = current.to_dicts()[::-1]
    return sorted(rows, key=lambda row: -len(words & set(content_words(row["text"]))))[:SHOWN]


def _entry(given: Any, facts: Sequence[dict[str, Any]]) -> _Noticed | None:
    entry = given if isinstance(given, dict) else {"text": given}
    text = entry.get("text")
    if not isinstance(text, str) or not (text := " ".join(scrub(text).split())):
        return None
    kind = str(entry.get("kind", "")).strip().lower()
    number = entry.get("replaces")
    place = int(number) if isinstance(number, int | str) and str(number).strip().isdecimal() else 0
    replaces = facts[place - 1]["memory_id"] if 1 <= place <= len(facts) else None
    return _Noticed(kind if kind in KINDS else "fact", text[:LONGEST], replaces)


def _noticed(exchange: pl.DataFrame) -> Iterator[_Noticed]:
    """Yield what the user says of themselves and decides, and the figures they give."""
    said = exchange.filter(pl.col("role") == "user")
    for sentences in read_texts(said["text"].to_list()):
        for sentence in sentences:
            text = sentence.tidied.strip()
            if not sentence.prose or not sentence.words or text.endswith(ASKS):
                continue
            kinds = {kind for kind, _ in sentence.entities}
            if sentence.decides:
                yield _Noticed("decision", text[:LONGEST])
            elif PREFERS.search(text):
                yield _Noticed("preference", text[:LONGEST])
            elif kinds & FACT_ENTITIES or IS_SO.search(text):
                yield _Noticed("fact", text[:LONGEST])


def _says_the_same(one: str, other: str) -> bool:
    if normalise(one) == normalise(other):
        return True
    words, others = set(content_words(one)), set(content_words(other))
    return _figures(one) == _figures(other) and _overlap(words, others) >= SAME


def _contradicts(one: str, other: str) -> bool:
    """Tell whether two texts speak of the same with other figures."""
    figures, others = _figures(one), _figures(other)
    if not figures or not others or figures == others:
        return False
    return _overlap(_words(one), _words(other)) >= ABOUT_THE_SAME


def _words(text: str) -> set[str]:
    return {word for word in content_words(text) if not _figures(word)}


def _figures(text: str) -> set[str]:
    return set(re.findall(r"\d[\d.,:/-]*|[一二两三四五六七八九十百千万亿]{2,}", normalise(text)))


def _overlap(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
