"""How close extractive titles and summaries come to those that people wrote, beside plain baselines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.checkpoints import Extraction
from hydralab.checkpoints.content import extract_content
from hydralab.checkpoints.summary_wording import Quote, write_summary
from hydralab.errors import HydralabError
from hydralab.frames import Corpus
from hydralab.optional import load_optional
from hydralab.readers import read_all
from hydralab.texts import Tokenizer, language, sentences, tokenizer
from hydralab.texts.scripts import CJK

__all__ = ["Gold", "gold_texts", "measure_summaries"]

METRICS = ("chrf", "rouge1", "rouge2", "rougeL")

_UNIT = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")
_TRANSCRIPTION_MARK = re.compile(r"\{\w+\}")
_SPACE_BEFORE_MARK = re.compile(r"\s+(?=[.,?!;:']\S*(?:\s|$))")


@dataclass(frozen=True)
class Gold:
    """A title or summary that a person wrote of some turns.

    Attributes
    ----------
    part
        "title" or "summary".
    text
        What the person wrote.
    turns
        The turns it is about, with role, speaker, text and round.
    """

    part: str
    text: str
    turns: pl.DataFrame


def measure_summaries(
    sets: Mapping[str, Path] | None = None,
    *,
    extraction: Extraction | None = None,
    seed: int = 0,
    progress: bool = False,
) -> pl.DataFrame:
    """Score titles and summaries of spans against those that people wrote.

    Beside them the first words of the span ("first n") and sentences drawn at random ("random"), each
    cut to exactly as many tokens as the extract has, with speakers named in the same way.

    Parameters
    ----------
    sets
        Name → file or folder of VCSum (a headline and a summary a segment) or QMSum (answers to
        specific queries are summaries of their spans, topics are titles of theirs).
    extraction
        How checkpoints are made; the default one when None.
    seed
        Of the random sentences.
    progress
        Show a bar.

    Returns
    -------
    pl.DataFrame
        A row a set, part and method: set, part, method, spans, tokens (mean), the mean F1 of chrf,
        rouge1, rouge2, rougeL (0 to 100; English words stemmed, Chinese by characters), and
        above_first: on how many of the spans, as a share, the mean of the four is above that of the
        first words (null for those themselves).

    Raises
    ------
    HydralabError
        No sets, or one without gold texts.
    """
    from tqdm.auto import tqdm

    if not sets:
        raise HydralabError("summaries: no set is given, expected name → file or folder of VCSum or QMSum")
    chosen = extraction or Extraction()
    frames = []
    for name, path in sets.items():
        golds = gold_texts(read_all(path))
        if not golds:
            raise HydralabError(
                f"set {name!r}: {path} holds no written summaries, expected segments as in VCSum or specific "
                "queries as in QMSum"
            )
        rows = [
            row
            for place, gold in enumerate(tqdm(golds, desc=name, unit="span", disable=not progress))
            for row in _score_span(gold, chosen, np.random.default_rng([seed, place]))
        ]
        frames.append(_means(pl.DataFrame(rows)).select(pl.lit(name).alias("set"), pl.all()))
    return pl.concat(frames)


def gold_texts(corpus: Corpus) -> list[Gold]:
    """Return the titles and summaries that came with a corpus, as its readers keep them.

    >>> gold_texts(Corpus())
    []
    """
    plain = pl.col("text").map_elements(_plain, return_dtype=pl.String)
    turns = corpus.turns.with_columns(plain)
    by_dialogue = {key[0]: part for key, part in turns.partition_by("dialogue_id", as_dict=True).items()}
    golds = [gold for part in by_dialogue.values() for gold in _from_meta(part)]
    asked = corpus.questions.filter(pl.col("category") == "specific", pl.col("answer").is_not_null())
    for dialogue_id, answer, evidence in asked.select("dialogue_id", "answer", "evidence").rows():
        covered = by_dialogue[dialogue_id].filter(pl.col("turn_id").is_in(evidence))
        golds.append(Gold("summary", answer, covered))
    return [gold for gold in golds if gold.turns.height and gold.text.strip()]


def _from_meta(turns: pl.DataFrame) -> Iterator[Gold]:
    meta = json.loads(turns["meta"][0] or "{}")
    for segment in meta.get("segments") or ():
        covered = _between(turns, [(segment["start"], segment["end"])])
        yield Gold("title", segment["headline"] or "", covered)
        yield Gold("summary", segment["summary"] or "", covered)
    for topic in meta.get("topics") or ():
        yield Gold("title", topic["topic"], _between(turns, topic["spans"]))


def _between(turns: pl.DataFrame, spans: Sequence[Sequence[int]]) -> pl.DataFrame:
    return turns.filter(pl.any_horizontal(pl.col("position").is_between(start, end) for start, end in spans))


def _plain(text: str) -> str:
    """Return transcribed speech without marks such as {vocalsound} and spaces before a comma."""
    return " ".join(_SPACE_BEFORE_MARK.sub("", _TRANSCRIPTION_MARK.sub("", text)).split())


def _score_span(
    gold: Gold, extraction: Extraction, random: np.random.Generator
) -> list[dict[str, str | int | float]]:
    counted = tokenizer()
    content = extract_content(gold.turns, counted, extraction)
    extract: str = content[gold.part]
    tokens = counted.count(extract)
    quotes = _quotes(gold.turns)
    chinese = language(gold.text) == "zh"
    order = np.arange(len(quotes))
    texts = {
        "extract": extract,
        "first n": _fill(quotes, order, tokens, counted, chinese=chinese),
        "random": _fill(quotes, random.permutation(order), tokens, counted, chinese=chinese),
    }
    score = _scorer(chinese)
    return [
        {"part": gold.part, "method": method, "tokens": counted.count(text), **score(text, gold.text)}
        for method, text in texts.items()
    ]


def _quotes(turns: pl.DataFrame) -> list[Quote]:
    several = turns["speaker"].drop_nulls().n_unique() > 1
    said = [
        (sentence, speaker if several else None)
        for text, speaker in turns.select("text", "speaker").rows()
        for sentence in sentences(text)
    ]
    return [Quote(place, sentence, speaker) for place, (sentence, speaker) in enumerate(said)]


def _fill(
    quotes: Sequence[Quote], order: np.ndarray[Any, Any], tokens: int, counted: Tokenizer, *, chinese: bool
) -> str:
    """Return quotes in the given order up to a number of tokens, the last one cut, in the order said."""
    costs = counted.counts([quotes[at].text for at in order])
    needed = int(np.searchsorted(np.cumsum(costs), tokens)) + 1
    chosen = [quotes[at] for at in order[:needed]]
    return counted.truncate(write_summary(chosen, chinese=chinese), tokens)


@lru_cache(maxsize=2)
def _scorer(chinese: bool) -> Callable[[str, str], dict[str, float]]:
    rouge = load_optional("rouge_score.rouge_scorer", extra="bench", purpose="ROUGE")
    chrf = load_optional("sacrebleu.metrics", extra="bench", purpose="chrF").CHRF()
    names = list(METRICS[1:])
    units = {"tokenizer": _Characters()} if chinese else {"use_stemmer": True}
    scorer = rouge.RougeScorer(names, **units)

    def score(text: str, gold: str) -> dict[str, float]:
        measured = scorer.score(gold, text)
        return {
            "chrf": chrf.sentence_score(text, [gold]).score,
            **{name: 100 * measured[name].fmeasure for name in names},
        }

    return score


class _Characters:
    """ROUGE's units for Chinese: characters, and words of other scripts."""

    def tokenize(self, text: str) -> list[str]:
        return _UNIT.findall(text.lower())


def _means(rows: pl.DataFrame) -> pl.DataFrame:
    numbered = rows.with_columns(
        span=pl.int_range(pl.len()).over("part", "method"), mean=pl.mean_horizontal(METRICS)
    )
    first = numbered.filter(pl.col("method") == "first n").select("part", "span", first="mean")
    return (
        numbered.join(first, on=["part", "span"])
        .group_by("part", "method", maintain_order=True)
        .agg(
            pl.len().alias("spans"),
            pl.mean("tokens", *METRICS),
            above_first=(pl.col("mean") > pl.col("first")).mean(),
        )
        .with_columns(above_first=pl.when(pl.col("method") != "first n").then(pl.col("above_first")))
    )


BENCHES.add(
    "summaries",
    Bench(
        measure_summaries,
        lambda: {"extraction": Extraction()},
        "titles and summaries of checkpoints against those people wrote",
    ),
)
