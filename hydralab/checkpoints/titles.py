"""Key phrases of a span, and the title that they make."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

from hydralab.checkpoints.generic_words import VAGUE
from hydralab.checkpoints.phrases import Phrase
from hydralab.checkpoints.word_rarity import information

__all__ = ["key_phrases", "title_length", "write_title"]

OPENING_TURNS = 2
OPENING_WEIGHT = 2.0
LENGTH_BONUS = 0.75
NESTED_SHARE = 0.5
VAGUE_FACTOR = 0.3
LONGEST_CHINESE_TITLE = 26
LONGEST_TITLE = 64

Words = tuple[str, ...]


def key_phrases(turns: Sequence[Sequence[Sequence[Phrase]]], count: int) -> list[str]:
    r"""Return the phrases that say what a span is about, the best first, as they are written.

    The score of a phrase p of k words is

    .. math:: (n_p - \max_{q \supset p} n_q / 2) \sqrt{I_p} \, N_p \, b_k

    n is the number of sentences that hold it (those of the first two turns, which open a topic, count
    twice), the subtraction keeps a part from standing for the longer phrase q that it occurs in (as the
    C-value of Frantzi et al. 2000), I the mean information of its words, N how well it names things, b
    is 1 for one word and 7/4 for more. Words that could stand in any dialogue count a third; a phrase of
    nothing else is left out, and so is one that shares a word with a better one.

    Parameters
    ----------
    turns
        Turn → sentence → candidate phrases.
    count
        The most phrases.

    >>> from hydralab.checkpoints.phrases import candidate_phrases
    >>> said = ["The marketing budget is fixed.", "So the marketing budget covers the agency?"]
    >>> key_phrases([[candidate_phrases(sentence)] for sentence in said], 2)
    ['marketing budget', 'agency']
    """
    support: defaultdict[Words, float] = defaultdict(float)
    naming: defaultdict[Words, float] = defaultdict(float)
    spellings: defaultdict[Words, Counter[str]] = defaultdict(Counter)
    for place, sentences in enumerate(turns):
        weight = OPENING_WEIGHT if place < OPENING_TURNS else 1.0
        for sentence in sentences:
            for phrase in sentence:
                naming[phrase.words] = max(naming[phrase.words], phrase.naming)
                spellings[phrase.words][phrase.surface] += 1
            for words in dict.fromkeys(phrase.words for phrase in sentence):
                support[words] += weight
    scores = _scores(support, naming)
    chosen: list[str] = []
    used: set[str] = set()
    for words in sorted(scores, key=lambda words: -scores[words]):
        if len(chosen) == count:
            break
        spelling = spellings[words].most_common(1)[0][0]
        if used.isdisjoint(words) and not any(_overlaps(spelling, other) for other in chosen):
            chosen.append(spelling)
            used.update(words)
    return chosen


def title_length(*, chinese: bool) -> int:
    """Return the most characters of a title.

    >>> title_length(chinese=True)
    26
    """
    return LONGEST_CHINESE_TITLE if chinese else LONGEST_TITLE


def write_title(phrases: Sequence[str], *, chinese: bool, count: int) -> str:
    """Return a title: the first phrase, and the next ones as what it is about.

    >>> write_title(["产品发布会", "预算", "日期", "目标客户"], chinese=True, count=4)
    '产品发布会：预算、日期、目标客户'
    >>> write_title(["launch", "budget", "dates"], chinese=False, count=4)
    'Launch: budget, dates'
    """
    if not phrases:
        return ""
    colon, comma = ("：", "、") if chinese else (": ", ", ")
    longest = title_length(chinese=chinese)
    head = phrases[0][:longest]
    title = head if chinese else head[:1].upper() + head[1:]
    separator = colon
    for phrase in phrases[1:count]:
        if len(title) + len(separator) + len(phrase) <= longest:
            title += separator + phrase
            separator = comma
    return title


def _scores(support: dict[Words, float], naming: dict[Words, float]) -> dict[Words, float]:
    inside: dict[Words, float] = {}
    for words, held in support.items():
        for part in _parts(words):
            inside[part] = max(inside.get(part, 0.0), held)
    scores: dict[Words, float] = {}
    for words, held in support.items():
        vague = sum(word in VAGUE for word in words)
        if vague < len(words):
            told = sum(map(information, words)) / len(words)
            own = held - NESTED_SHARE * inside.get(words, 0.0)
            bonus = 1 + LENGTH_BONUS * (len(words) > 1)
            scores[words] = own * told**0.5 * naming[words] * bonus * VAGUE_FACTOR**vague
    return scores


def _parts(words: Words) -> Iterator[Words]:
    sizes = range(1, len(words))
    return chain.from_iterable(
        (words[at : at + size] for at in range(len(words) - size + 1)) for size in sizes
    )


def _overlaps(one: str, other: str) -> bool:
    one, other = one.casefold(), other.casefold()
    return one in other or other in one
