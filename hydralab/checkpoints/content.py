"""What a span of turns says: title, summary, key phrases, entities, decisions, open tasks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, groupby
from operator import attrgetter
from typing import Any

import polars as pl

from hydralab.checkpoints.sentences import Sentence, read_texts
from hydralab.checkpoints.summaries import choose_sentences
from hydralab.checkpoints.summary_wording import Quote, fallback_title, write_summary
from hydralab.checkpoints.titles import key_phrases, title_length, write_title
from hydralab.errors import HydralabError
from hydralab.texts import Tokenizer, normalise

__all__ = ["FACT_ENTITIES", "Extraction", "extract_content", "prompt_text"]

SPEAKING = ("user", "assistant")
FACT_ENTITIES = frozenset(
    {"money", "percent", "date", "time", "product", "organisation", "identifier", "email", "phone"}
)
"""Types of entities that make a sentence tell a fact."""

FACT_SALIENCE = 1.4
NAME_SALIENCE = 1.1
DECISION_SALIENCE = 1.3
QUESTION_SALIENCE = 0.7
FEWEST_WORDS = 3
SHORTEST_SUMMARY = 32
MOST_ENTITIES = 50
MOST_CITED = 10
LONGEST_CITED = 300


@dataclass(frozen=True)
class Extraction:
    """How a span becomes a checkpoint.

    Attributes
    ----------
    summary_tokens
        The most tokens of a summary.
    summary_share
        The most tokens of a summary as a share of those of its turns; 32 are always allowed.
    title_phrases
        The most key phrases in a title.
    keywords
        The most key phrases in `keywords`.

    >>> Extraction(summary_tokens=64).title_phrases
    4
    """

    summary_tokens: int = 128
    summary_share: float = 0.5
    title_phrases: int = 4
    keywords: int = 8

    def __post_init__(self) -> None:
        """Refuse what no summary or title can have."""
        if self.summary_tokens < 1 or not 0 < self.summary_share <= 1:
            raise HydralabError(
                f"extraction: summary_tokens {self.summary_tokens} and summary_share {self.summary_share}, "
                "expected at least 1 token and a share over 0 up to 1"
            )
        if min(self.title_phrases, self.keywords) < 1:
            raise HydralabError(
                f"extraction: title_phrases {self.title_phrases} and keywords {self.keywords}, expected at least 1"
            )


@dataclass(frozen=True, slots=True)
class _Said:
    sentence: Sentence
    cost: int
    place: int
    turn: int
    round: int
    speaker: str | None


def extract_content(turns: pl.DataFrame, tokenizer: Tokenizer, extraction: Extraction) -> dict[str, Any]:
    """Return the columns of a checkpoint that come from the words of its turns.

    Tool output and system texts count where nobody speaks. The language is that of most of the words.

    Returns
    -------
    dict
        kind, title, summary, keywords, entities, decisions, open_tasks, tokens.

    >>> from hydralab.texts import tokenizer
    >>> turns = pl.DataFrame({"round": [0], "role": ["user"], "speaker": [None], "text": ["预算定了，四十万元。"]})
    >>> extract_content(turns, tokenizer(), Extraction())["kind"]
    'decision'
    """
    rows = turns.select("role", "text", "round", "speaker").rows()
    said = _said(rows, tokenizer)
    prose = [item for item in said if item.sentence.prose]
    chinese = _is_chinese(item.sentence for item in prose or said)
    phrases = key_phrases(
        [[item.sentence.phrases for item in turn] for _, turn in groupby(prose, attrgetter("turn"))],
        extraction.keywords,
    )
    title = write_title(phrases, chinese=chinese, count=extraction.title_phrases)
    title = title or fallback_title(
        [item.sentence for item in said], title_length(chinese=chinese), chinese=chinese
    )
    share = int(extraction.summary_share * sum(item.cost for item in said))
    limit = min(extraction.summary_tokens, max(SHORTEST_SUMMARY, share))
    summary = _summarise(prose or said, limit, tokenizer, chinese=chinese)
    last_round = rows[-1][2]
    return {
        "kind": _kind(item.sentence for item in prose if item.round == last_round),
        "title": title,
        "summary": summary,
        "keywords": phrases,
        "entities": _entities(item.sentence for item in said),
        "decisions": _cited(item.sentence for item in prose if item.sentence.decides),
        "open_tasks": _cited(_open_tasks([item.sentence for item in prose])),
        "tokens": tokenizer.count(prompt_text(title, summary)),
    }


def prompt_text(title: str, summary: str) -> str:
    """Return what a prompt carries of a checkpoint.

    >>> prompt_text("Launch: budget", "It is fixed.").splitlines()
    ['Launch: budget', 'It is fixed.']
    """
    return f"{title}\n{summary}" if summary else title


def _said(rows: Sequence[tuple[str, str, int, str | None]], tokenizer: Tokenizer) -> list[_Said]:
    spoken = [row for row in rows if row[0] in SPEAKING and row[1].strip()] or rows
    several = len({speaker for role, _, _, speaker in spoken if role == "user" and speaker is not None}) > 1
    read = read_texts([text for _, text, _, _ in spoken])
    places = count()
    return [
        _Said(sentence, cost, next(places), turn, round_number, speaker if several else None)
        for turn, ((_, text, round_number, speaker), sentences) in enumerate(zip(spoken, read, strict=True))
        for sentence, cost in zip(sentences, _costs(text, tokenizer), strict=True)
    ]


@lru_cache(maxsize=20_000)
def _costs(text: str, tokenizer: Tokenizer) -> tuple[int, ...]:
    return tuple(tokenizer.counts([sentence.tidied for sentence in read_texts([text])[0]]))


def _is_chinese(sentences: Iterable[Sentence]) -> bool:
    words = [word for sentence in sentences for word in sentence.words]
    return 2 * sum(word[0] > "\u2e7f" for word in words) > len(words)


def _summarise(said: Sequence[_Said], limit: int, tokenizer: Tokenizer, *, chinese: bool) -> str:
    telling = [item for item in said if len(set(item.sentence.words)) >= FEWEST_WORDS]
    telling = telling or [item for item in said if item.sentence.tidied]
    if not telling:
        return ""
    speakers = {item.speaker for item in telling}
    labels = {name: 0 if name is None else tokenizer.count(f"{name}: ") for name in speakers}
    chosen = choose_sentences(
        [item.sentence.words for item in telling],
        [item.cost + labels[item.speaker] for item in telling],
        limit,
        salience=_saliences([item.sentence for item in telling]),
    )
    while len(chosen) > 1:
        summary = _quoted(telling, chosen, chinese=chinese)
        if tokenizer.count(summary) <= limit:
            return summary
        chosen = chosen[:-1]
    return tokenizer.truncate(_quoted(telling, chosen or [0], chinese=chinese), limit)


def _quoted(said: Sequence[_Said], chosen: Sequence[int], *, chinese: bool) -> str:
    picked = [said[at] for at in chosen]
    quotes = [Quote(item.place, item.sentence.tidied, item.speaker, item.sentence.goes_on) for item in picked]
    return write_summary(quotes, chinese=chinese)


def _saliences(sentences: Sequence[Sentence]) -> list[float]:
    """Return the salience of each sentence; what is said again word for word has none."""
    first = {sentence.tidied: at for at, sentence in reversed(list(enumerate(sentences)))}
    return [_salience(sentence) * (first[sentence.tidied] == at) for at, sentence in enumerate(sentences)]


def _salience(sentence: Sentence) -> float:
    kinds = {kind for kind, _ in sentence.entities}
    salience = FACT_SALIENCE if kinds & FACT_ENTITIES else NAME_SALIENCE if kinds else 1.0
    if sentence.decides:
        salience *= DECISION_SALIENCE
    return salience * QUESTION_SALIENCE if sentence.text.endswith(("?", "？")) else salience


def _kind(sentences: Iterable[Sentence]) -> str:
    listed = list(sentences)
    if any(sentence.decides for sentence in listed):
        return "decision"
    return "task" if any(sentence.done for sentence in listed) else "topic"


def _entities(sentences: Iterable[Sentence]) -> list[dict[str, str]]:
    found: dict[tuple[str, str], str] = {}
    for sentence in sentences:
        for kind, text in sentence.entities:
            found.setdefault((kind, normalise(text)), text)
    return [{"type": kind, "text": text} for (kind, _), text in found.items()][:MOST_ENTITIES]


def _open_tasks(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the promises that no later sentence, sharing a word with them, reports as done."""
    reports = [(at, set(sentence.words)) for at, sentence in enumerate(sentences) if sentence.done]
    return [
        sentence
        for at, sentence in enumerate(sentences)
        if sentence.promises
        and not any(at < later and words & set(sentence.words) for later, words in reports)
    ]


def _cited(sentences: Iterable[Sentence]) -> list[str]:
    return list(dict.fromkeys(sentence.text[:LONGEST_CITED] for sentence in sentences))[-MOST_CITED:]
