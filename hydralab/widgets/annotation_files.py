"""Annotation on disk: hydralab's own JSON Lines, to be read like any dialogue, or tables as Parquet."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from hydralab.errors import HydralabError
from hydralab.frames import build
from hydralab.readers import read_all
from hydralab.texts import language
from hydralab.widgets.annotating import DECISIONS, Annotating

__all__ = ["Annotation", "folder_of", "read_annotation", "write_annotation"]

TABLES = ("gold", "decisions", "questions")


class Annotation(NamedTuple):
    """What somebody marked: ``lab.annotate(*annotation)`` takes it in.

    Attributes
    ----------
    gold
        Boundaries and decisions; a decision's annotator has "/decisions" behind the name.
    questions
        Questions with the turns that were marked as evidence.
    """

    gold: pl.DataFrame
    questions: pl.DataFrame


def folder_of(dialogue_id: str) -> str:
    """Return the name of a folder for the marks in a dialogue, whatever the dialogue is called.

    >>> folder_of("launch_zh"), folder_of("a/b: c")
    ('annotation-launch_zh', 'annotation-a_b_c')
    """
    return "annotation-" + re.sub(r"[^\w-]+", "_", dialogue_id)[:80]


def read_annotation(path: str | Path, *, annotator: str = "me") -> Annotation:
    """Return what `Stepper.save_annotation` wrote.

    Parameters
    ----------
    path
        The folder, or the file that ends in .jsonl.
    annotator
        Whose marks those of a .jsonl file are, which names nobody.

    Raises
    ------
    HydralabError
        It can't be read, or isn't what was written.
    """
    target = Path(path)
    if target.suffix == ".jsonl":
        return _from_dialogue(target, annotator)
    try:
        gold, decisions, questions = (pl.read_parquet(target / f"{table}.parquet") for table in TABLES)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise HydralabError(
            f"{target}: expected a folder that save_annotation wrote, with {', '.join(TABLES)} as Parquet"
        ) from error
    return Annotation(_in_order(gold, decisions), build("questions", questions))


def _from_dialogue(path: Path, annotator: str) -> Annotation:
    corpus = read_all(path)
    decided = corpus.turns.filter(pl.col("meta").fill_null("{}").str.json_path_match("$.decision") == "true")
    rows = [
        frame.select("dialogue_id", "position", annotator=pl.lit(name))
        for frame, name in ((corpus.gold, annotator), (decided, annotator + DECISIONS))
    ]
    return Annotation(_in_order(*rows), corpus.questions)


def _in_order(gold: pl.DataFrame, decisions: pl.DataFrame) -> pl.DataFrame:
    return build("gold", pl.concat([gold, decisions]).sort("dialogue_id", "position", maintain_order=True))


def write_annotation(annotating: Annotating, path: str | Path, title: str = "") -> Path:
    """Write what was marked, and return where.

    Parameters
    ----------
    path
        A name that ends in .jsonl: the dialogue with its marks in hydralab's own format, where a decision is
        `"meta": {"decision": true}` of its turn and the annotator has no name. Any other name: a folder
        with gold.parquet, decisions.parquet and questions.parquet.
    title
        Of the dialogue.

    Raises
    ------
    HydralabError
        It can't be written.
    """
    target = Path(path)
    try:
        if target.suffix == ".jsonl":
            lines = (json.dumps(line, ensure_ascii=False) for line in _lines(annotating, title))
            target.write_text("\n".join(lines) + "\n", encoding="utf-8")
            return target
        target.mkdir(parents=True, exist_ok=True)
        for table in TABLES:
            getattr(annotating, table).write_parquet(target / f"{table}.parquet")
    except OSError as error:
        raise HydralabError(f"{target}: {error.strerror}, expected a place that can be written to") from error
    return target


def _lines(annotating: Annotating, title: str) -> Iterator[dict[str, Any]]:
    turns, marks = annotating.turns, annotating.marks
    own = f"{annotating.dialogue_id}:"
    names = [turn_id.removeprefix(own) for turn_id in turns["turn_id"].to_list()]
    spoken = language("\n".join(turns["text"].head(20).to_list()))
    yield {"hydralab": 1, "dialogue_id": annotating.dialogue_id, "title": title or None, "language": spoken}
    for name, row in zip(names, turns.to_dicts(), strict=True):
        meta = json.loads(row["meta"]) if row["meta"] else {}
        meta |= {"decision": True} if row["position"] in marks.decisions else {}
        line = {
            "turn": name,
            "role": row["role"],
            "speaker": row["speaker"],
            "session": row["session"],
            "time": row["time"].isoformat() if row["time"] else None,
            "text": row["text"],
            "boundary": row["position"] in marks.boundaries or None,
            "parts": json.loads(row["parts"]) if row["parts"] else None,
            "meta": meta or None,
        }
        yield {key: value for key, value in line.items() if value is not None}
    for question_id, row in marks.questions:
        asked_at = row["asked_at"]
        yield {
            "question": question_id.removeprefix(own),
            "text": row["text"],
            "answer": row["answer"],
            "evidence": [turn_id.removeprefix(own) for turn_id in row["evidence"] or ()],
            "evidence_sessions": row["evidence_sessions"] or [],
            "asked_at": None if asked_at is None else names[min(asked_at, len(names) - 1)],
            "category": row["category"],
        }
