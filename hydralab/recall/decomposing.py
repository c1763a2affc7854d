"""Query decomposition: a query that asks several things is cut into what it asks, one by one."""

from __future__ import annotations

import json
import re
from typing import Any

from hydralab.frames import build, empty, event
from hydralab.llms import LLM, LLMError, LLMSpec, ask, get_llm
from hydralab.texts import content_words, sentences

__all__ = ["MOST_PARTS", "RULES", "Decomposer", "ask_for_parts", "split_query"]

RULES = "rules"

MOST_PARTS = 8
"""Parts that are scored; what a longer query asks first is left out, as the newest is what is wanted."""

_ENGLISH = r"who|whom|whose|what|which|when|where|why|how"
_AUXILIARY = r"do|does|did|is|are|was|were|has|have|had|can|could|should|would|will|am|may|must"
_CHINESE = (
    r"谁|什么|啥|哪|几(?!乎|率|何学)|多少|多[久大长高远重快宽深]|怎么|怎样|咋|如何|为何|何时|何地|为啥"
    r"|吗|呢|是否|是不是|有没有|能不能|要不要|会不会|可不可以"
)

_JOINTS = re.compile(
    rf"""
    (?:\s*[,;:]\s*|\s+)(?:and|or|but|plus)(?:\s+(?:also|then))?\s+(?=(?:{_ENGLISH})\b)   # … and who books it
    | \s*[,;]\s*(?:and|or|but)\s+(?=(?:{_AUXILIARY})\b)                                  # …, and is it booked
    | \s*[,;]\s*(?=(?:{_ENGLISH})\b)                                                     # …, who books it
    | \s*[，；、]\s*(?:还有|以及|另外|并且|而且|顺便(?:问一下)?|那么?)?\s*
    | (?<=[\u3400-\u9fff])(?:还有|以及|另外)(?=[\u3400-\u9fff])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ASKS = re.compile(
    rf"\b(?:{_ENGLISH})\b|\b(?:tell|remind)\s+me\b|^\W*(?:{_AUXILIARY})\b|[?？]\W*$|告诉我|提醒我|{_CHINESE}",
    re.IGNORECASE,
)

PROMPT = (
    "Split the user's message into the separate questions it asks. Write each so that it can be understood alone, "
    "in the language of the message, without answering it. Reply with a JSON list of strings and nothing else; of a "
    "message that asks one thing, a list with that message."
)


class Decomposer:
    """What cuts the queries of a dialogue; a query that was cut before is known.

    Parameters
    ----------
    how
        As `hl.Recall(decompose=…)`.
    asked
        Whether the parts are wanted; if so and nothing says how, the rules serve.

    >>> Decomposer("rules", asked=True)("Who came? Who left?")
    ('Who came?', 'Who left?')
    >>> Decomposer(None, asked=False)("Who came? Who left?")
    ()
    """

    def __init__(self, how: LLMSpec | None, *, asked: bool) -> None:
        self.events = empty("events")
        """What went wrong in the last call."""
        self._off = not asked
        self._llm = None if how in (None, RULES) else get_llm(how)
        self._known: dict[str, tuple[str, ...]] = {}

    def __call__(self, query: str) -> tuple[str, ...]:
        """Return the parts of a query; none where it asks one thing, or none are wanted."""
        self.events = empty("events")
        if self._off:
            return ()
        if query not in self._known:
            parts, rows = (split_query(query), []) if self._llm is None else ask_for_parts(query, self._llm)
            self.events = build("events", rows)
            self._known[query] = parts if len(parts) > 1 else ()
        return self._known[query]


def split_query(text: str) -> tuple[str, ...]:
    """Return what a query asks, part by part, by rules for English and Chinese; a query that asks one thing as it is.

    Sentences are parts, and so are questions that a comma, "and", 还有 and the like join. A clause without a question
    of its own stays with its neighbour; one that says nothing beside its question word is no part.

    >>> split_query("what did we agree on the budget and who books the venue?")
    ('what did we agree on the budget', 'who books the venue?')
    >>> split_query("预算定了多少，谁订场地？")
    ('预算定了多少', '谁订场地？')
    >>> split_query("Which salt and pepper did Ann buy, the coarse ones?")
    ('Which salt and pepper did Ann buy, the coarse ones?',)
    """
    parts = [part for sentence in sentences(text) for part in _questions(sentence) if content_words(part)]
    parts = list(dict.fromkeys(parts))
    return tuple(parts[-MOST_PARTS:]) if len(parts) > 1 else (text,)


def ask_for_parts(text: str, llm: LLM) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """Return what a query asks, part by part, as a chat model tells it, and events.

    Where it can't be asked, or answers with no list of texts, the rules of `split_query` serve, and an event says so.

    >>> from hydralab.llms import get_llm
    >>> ask_for_parts("Who, and when?", get_llm(lambda messages: '["Who?", "When?"]'))
    (('Who?', 'When?'), [])
    """
    messages: list[Any] = [{"role": "system", "content": PROMPT}, {"role": "user", "content": text}]
    try:
        parts = _listed(ask(llm, messages, temperature=0.0).text)
    except (LLMError, ValueError) as error:
        detail = f"{text[:60]!r} is split by rules, as the chat model {llm.name!r} did not: {error}"
        return split_query(text), [event("recall", "salvaged", detail=detail)]
    return tuple(parts[-MOST_PARTS:]) if len(parts) > 1 else (text,), []


def _questions(sentence: str) -> list[str]:
    """Cut a sentence where one question ends and the next begins."""
    starts = [0, *(joint.end() for joint in _JOINTS.finditer(sentence))]
    ends = [*(joint.start() for joint in _JOINTS.finditer(sentence)), len(sentence)]
    parts: list[tuple[int, int]] = []
    for start, end in zip(starts, ends, strict=True):
        asked_before = bool(parts) and _ASKS.search(sentence[slice(*parts[-1])]) is not None
        if not parts or (asked_before and _ASKS.search(sentence[start:end])):
            parts.append((start, end))
        else:
            parts[-1] = (parts[-1][0], end)
    return [part for start, end in parts if (part := sentence[start:end].strip())]


def _listed(reply: str) -> list[str]:
    """Return the list of texts in a reply, whatever stands around it."""
    found = re.search(r"\[.*\]", reply, re.DOTALL)
    listed = json.loads(found[0]) if found else None
    if not isinstance(listed, list) or not listed or not all(isinstance(each, str) for each in listed):
        raise ValueError(f"it replied {reply[:80]!r}, expected a JSON list of texts")
    return list(dict.fromkeys(each.strip() for each in listed if each.strip()))
