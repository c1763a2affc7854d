"""Counts of a research set as read, under the names that counts taken from its files go by.

`SET_COUNTS["boundaries"](corpus)` counts what was read. `DIFFERENCES` says, for a file and a count,
why the two differ where both are right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import polars as pl

from hydralab.frames import Corpus

__all__ = ["DIFFERENCES", "SET_COUNTS"]

USED_SESSIONS = pl.Struct({"memory_session_uuids": pl.List(pl.String)})
TOPICS = pl.Struct({"topics": pl.List(pl.Struct({"topic": pl.String}))})


def _dialogues(corpus: Corpus) -> int:
    return corpus.dialogues.height


def _turns(corpus: Corpus) -> int:
    return corpus.turns.height


def _questions(corpus: Corpus) -> int:
    return corpus.questions.height


def _sessions(corpus: Corpus) -> int:
    return corpus.turns.select("dialogue_id", "session").unique().height


def _rounds(corpus: Corpus) -> int:
    return corpus.turns.select("dialogue_id", "round").unique().height


def _turns_with_image(corpus: Corpus) -> int:
    return corpus.turns.filter(pl.col("parts").str.contains('"type": "image"', literal=True)).height


def _questions_with_evidence(corpus: Corpus) -> int:
    return corpus.questions.filter(pl.col("evidence").list.len() > 0).height


def _turns_with_evidence(corpus: Corpus) -> int:
    return int((_listed(corpus, USED_SESSIONS) > 0).sum())


def _evidence_links(corpus: Corpus) -> int:
    """Count the sessions that answers used, where the set names them, else the evidence turns of questions."""
    used = int(_listed(corpus, USED_SESSIONS).sum())
    return used or int(corpus.questions["evidence"].list.len().sum())


def _evidence_spans(corpus: Corpus) -> int:
    """Count the runs of evidence turns that stand next to each other."""
    evidence = corpus.questions.select("question_id", pl.col("evidence").alias("turn_id")).explode("turn_id")
    placed = evidence.join(corpus.turns.select("turn_id", "position"), on="turn_id")
    gap = pl.col("position").diff().over("question_id")
    return placed.sort("question_id", "position").filter(gap.is_null() | (gap > 1)).height


def _boundaries(corpus: Corpus) -> int:
    return corpus.gold.height


def _first_turn_marked(corpus: Corpus) -> int:
    return corpus.gold.filter(pl.col("position") == 0).height


def _topics(corpus: Corpus) -> int:
    return int(_listed(corpus, TOPICS).sum())


def _listed(corpus: Corpus, kind: Any) -> pl.Series:
    """Return for each turn how many items its meta lists under the field of `kind`."""
    meta = corpus.turns["meta"].str.json_decode(kind)
    return meta.struct.field(kind.fields[0].name).list.len().fill_null(0)


SET_COUNTS: Mapping[str, Callable[[Corpus], int]] = MappingProxyType(
    {
        "dialogues": _dialogues,
        "users": _dialogues,
        "turns": _turns,
        "sessions": _sessions,
        "haystack_sessions": _sessions,
        "days": _sessions,
        "rounds": _rounds,
        "turns_with_image": _turns_with_image,
        "questions": _questions,
        "queries": _questions,
        "questions_with_evidence": _questions_with_evidence,
        "turns_with_evidence": _turns_with_evidence,
        "evidence_links": _evidence_links,
        "evidence_spans": _evidence_spans,
        "boundaries": _boundaries,
        "first_turn_marked": _first_turn_marked,
        "topics": _topics,
    }
)
"""Name of a count → what counts it."""

DIFFERENCES: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("locomo_dev.json", "evidence_links"): (
            "one more: 'D:11:26' is read as D11:26, the turn that names the book asked about; "
            "a count of well-formed ids leaves it out"
        ),
        ("memory_bank_en.json", "days"): "one less: John Zhang's 2023-05-05 has no rounds, so no turns",
    }
)
"""(File name, count) → why what was read differs from a count of the file."""
