"""Checkpoints without a model: what a span of turns is about, in a title and a few of its sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from hydralab.checkpoints.content import Extraction, extract_content
from hydralab.checkpoints.sentences import read_texts
from hydralab.checkpoints.spans import Span, find_closed, find_spans
from hydralab.errors import FrameError, check_kind
from hydralab.frames import check_table, empty
from hydralab.schemas import SCHEMAS
from hydralab.texts import Tokenizer
from hydralab.texts import tokenizer as get_tokenizer
from hydralab.texts.hashing import source_hash

__all__ = ["close_spans", "extract_checkpoint", "extract_checkpoints", "read_ahead", "source_hash"]

DEFAULT = Extraction()


def extract_checkpoints(
    turns: pl.DataFrame,
    boundaries: pl.DataFrame,
    *,
    tokenizer: Tokenizer | None = None,
    extraction: Extraction = DEFAULT,
) -> pl.DataFrame:
    """Return the checkpoints of dialogues, one a span; the last span of each dialogue is open.

    Parameters
    ----------
    turns
        A turns table of one or more dialogues.
    boundaries
        A boundaries table of the same dialogues.
    tokenizer
        Counts the tokens; cl100k_base when not given.
    extraction
        Lengths of summary, title and keywords.

    Returns
    -------
    pl.DataFrame
        A checkpoints table. Nothing in a row depends on a turn after its `decided_at`, nor on any turn
        outside its span. `tokens` counts title and summary, as a prompt carries them.

    Raises
    ------
    FrameError
        A boundary in a dialogue or at a position that the turns don't have.

    >>> import hydralab as hl
    >>> from hydralab.frames import build
    >>> turns = hl.read(hl.example("launch_en"))
    >>> cut = [{"dialogue_id": "launch_en", "position": 8, "trigger": "manual", "score": 1.0, "decided_at": 8}]
    >>> extract_checkpoints(turns, build("boundaries", cut)).select("kind", "start", "end", "status").rows()
    [('manual', 0, 7, 'ready'), ('topic', 8, 21, 'open')]
    """
    check_table("turns", turns)
    check_table("boundaries", boundaries)
    check_kind("extract_checkpoints: extraction", extraction, Extraction, "an Extraction")
    counted = get_tokenizer() if tokenizer is None else tokenizer
    check_kind("extract_checkpoints: tokenizer", counted, Tokenizer, "what hl.tokenizer returns, or None")
    known = set(turns["dialogue_id"].unique())
    for dialogue_id in boundaries["dialogue_id"].unique():
        if dialogue_id not in known:
            raise FrameError(
                f"boundaries: dialogue {dialogue_id!r} has no turns, expected turns of it beside them"
            )
    read_ahead(turns)
    rows = [
        _checkpoint(part, span, counted, extraction)
        for part in turns.partition_by("dialogue_id", maintain_order=True)
        for span in find_spans(part, boundaries.filter(pl.col("dialogue_id") == part["dialogue_id"][0]))
    ]
    return _table(rows)


def extract_checkpoint(
    turns: pl.DataFrame,
    span: Span,
    *,
    tokenizer: Tokenizer | None = None,
    extraction: Extraction = DEFAULT,
) -> pl.DataFrame:
    """Return the checkpoint of one span of a dialogue: one row, that of `extract_checkpoints`.

    Parameters
    ----------
    turns
        Turns of one dialogue, at least those of the span.
    span
        From `find_spans`, or made by hand.
    tokenizer, extraction
        As for `extract_checkpoints`.

    >>> import hydralab as hl
    >>> extract_checkpoint(hl.read(hl.example("launch_zh")), Span(0, 7))["checkpoint_id"].item()
    'launch_zh#0-7'
    """
    return _table([_checkpoint(turns, span, tokenizer or get_tokenizer(), extraction)])


def close_spans(
    turns: pl.DataFrame,
    fresh: pl.DataFrame,
    *,
    before: pl.DataFrame | None = None,
    tokenizer: Tokenizer | None = None,
    extraction: Extraction = DEFAULT,
) -> pl.DataFrame:
    """Return the checkpoints of the spans that newly decided boundaries close, while a dialogue runs.

    Parameters
    ----------
    turns
        The turns of one dialogue so far.
    fresh
        The boundaries decided just now.
    before
        The boundaries decided before them.
    tokenizer, extraction
        As for `extract_checkpoints`.

    Returns
    -------
    pl.DataFrame
        A checkpoints table: the closed rows that `extract_checkpoints` gives for all of these
        boundaries and did not give for those before.

    >>> import hydralab as hl
    >>> from hydralab.frames import build
    >>> cut = {"dialogue_id": "launch_en", "trigger": "cue", "score": 1.0}
    >>> first = build("boundaries", [{**cut, "position": 8, "decided_at": 8}])
    >>> second = build("boundaries", [{**cut, "position": 14, "decided_at": 14}])
    >>> close_spans(hl.read(hl.example("launch_en"))[:15], second, before=first)["checkpoint_id"].to_list()
    ['launch_en#8-13']
    """
    counted = tokenizer or get_tokenizer()
    older = empty("boundaries") if before is None else before
    return _table(
        [_checkpoint(turns, span, counted, extraction) for span in find_closed(turns, older, fresh)]
    )


def read_ahead(turns: pl.DataFrame) -> None:
    """Read the texts of turns in one batch, so that spans over them close in milliseconds.

    What is read of a text depends on that text alone: whoever reads ahead sees nothing of what is to
    come, and the checkpoints are the same.

    >>> import hydralab as hl
    >>> read_ahead(hl.read(hl.example("launch_zh")))
    """
    read_texts(turns["text"].to_list())


def _table(rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    if not rows:
        return empty("checkpoints")
    return pl.DataFrame(rows, schema=SCHEMAS["checkpoints"], orient="row")


def _checkpoint(
    turns: pl.DataFrame, span: Span, tokenizer: Tokenizer, extraction: Extraction
) -> dict[str, Any]:
    positions = turns["position"]
    first = int(positions.search_sorted(span.start, "left"))
    after = int(positions.search_sorted(span.end, "right"))
    covered = turns.slice(first, after - first)
    if covered.is_empty():
        raise FrameError(
            f"turns: no turn at positions {span.start} to {span.end}, expected those of the span"
        )
    dialogue_id, turn_ids = covered["dialogue_id"][0], covered["turn_id"]
    content = extract_content(covered, tokenizer, extraction)
    times = covered["time"].drop_nulls()
    return {
        **content,
        "checkpoint_id": f"{dialogue_id}#{span.start}-{span.end}",
        "dialogue_id": dialogue_id,
        "kind": "manual" if span.trigger == "manual" else content["kind"],
        "start": span.start,
        "end": span.end,
        "start_turn_id": turn_ids[0],
        "end_turn_id": turn_ids[-1],
        "trigger": span.trigger,
        "score": span.score,
        "time": times[-1] if len(times) else None,
        "decided_at": span.decided_at,
        "ready_at": span.decided_at,
        "status": "open" if span.decided_at is None else "ready",
        "source_hash": source_hash(covered),
    }
