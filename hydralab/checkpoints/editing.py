"""Checkpoints changed by hand: merged, split, edited, marked. What depends on a span is made anew."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import polars as pl

from hydralab.checkpoints.calls import open_call
from hydralab.checkpoints.content import Extraction, prompt_text
from hydralab.checkpoints.extracting import extract_checkpoint
from hydralab.checkpoints.finding import check_known_kind
from hydralab.checkpoints.spans import Span
from hydralab.errors import HydralabError, known_names, unknown_name
from hydralab.frames import validate
from hydralab.texts import Tokenizer, sendable
from hydralab.texts import tokenizer as get_tokenizer

__all__ = ["EDITABLE", "edit_checkpoint", "mark_checkpoint", "merge_checkpoints", "split_checkpoint"]

EDITABLE = ("kind", "title", "summary", "keywords", "entities", "decisions", "open_tasks")
"""The columns of a checkpoint that can be written by hand; the others follow from its span."""

DEFAULT = Extraction()


def merge_checkpoints(
    checkpoints: pl.DataFrame,
    turns: pl.DataFrame,
    first: str,
    last: str,
    *,
    tokenizer: Tokenizer | None = None,
    extraction: Extraction = DEFAULT,
) -> pl.DataFrame:
    """Return the table with two checkpoints, and those between them, as one.

    Parameters
    ----------
    checkpoints
        A checkpoints table.
    turns
        The turns it was made from.
    first, last
        Ids of two checkpoints of one dialogue.
    tokenizer, extraction
        As for `extract_checkpoints`.

    Returns
    -------
    pl.DataFrame
        The span has the trigger, score and `decided_at` of the last one, and is open when that is.

    Raises
    ------
    HydralabError
        An unknown id, or checkpoints of two dialogues.

    >>> import hydralab as hl
    >>> from hydralab.checkpoints import extract_checkpoints
    >>> from hydralab.frames import build
    >>> turns = hl.read(hl.example("launch_en"))
    >>> cut = [{"dialogue_id": "launch_en", "position": 8, "trigger": "cue", "score": 1.0, "decided_at": 8}]
    >>> table = extract_checkpoints(turns, build("boundaries", cut))
    >>> merge_checkpoints(table, turns, "launch_en#0-7", "launch_en#8-21")["checkpoint_id"].to_list()
    ['launch_en#0-21']
    """
    one, other = sorted((_row(checkpoints, first), _row(checkpoints, last)), key=lambda row: row["start"])
    if one["dialogue_id"] != other["dialogue_id"]:
        raise HydralabError(f"checkpoints {first!r} and {last!r} belong to two dialogues, expected one")
    span = Span(one["start"], other["end"], other["trigger"], other["score"], other["decided_at"])
    merged = extract_checkpoint(_turns_of(turns, one), span, tokenizer=tokenizer, extraction=extraction)
    return _replace(checkpoints, one["dialogue_id"], one["start"], other["end"], [merged])


def split_checkpoint(
    checkpoints: pl.DataFrame,
    turns: pl.DataFrame,
    checkpoint_id: str,
    position: int,
    *,
    tokenizer: Tokenizer | None = None,
    extraction: Extraction = DEFAULT,
) -> pl.DataFrame:
    """Return the table with a checkpoint cut in two, the second starting at `position`.

    Parameters
    ----------
    checkpoints, turns, tokenizer, extraction
        As for `merge_checkpoints`.
    checkpoint_id
        The checkpoint to cut.
    position
        Where the second one starts. Between a tool's call and its result the cut moves back to the call.

    Returns
    -------
    pl.DataFrame
        The first part has the trigger "manual"; the second keeps trigger, score and `decided_at`. The
        first part of an open checkpoint is decided at the last turn there is.

    Raises
    ------
    HydralabError
        An unknown id, or a position that is not inside the span, after its first turn.

    >>> import hydralab as hl
    >>> from hydralab.checkpoints import extract_checkpoints
    >>> from hydralab.frames import empty
    >>> turns = hl.read(hl.example("launch_en"))
    >>> table = extract_checkpoints(turns, empty("boundaries"))
    >>> split_checkpoint(table, turns, "launch_en#0-21", 8).select("checkpoint_id", "trigger", "status").rows()
    [('launch_en#0-7', 'manual', 'ready'), ('launch_en#8-21', None, 'open')]
    """
    _check_position(position)
    row = _row(checkpoints, checkpoint_id)
    if not row["start"] < position <= row["end"]:
        raise HydralabError(
            f"position {position}: expected one after the first turn of checkpoint {checkpoint_id!r}, "
            f"{row['start'] + 1} to {row['end']}"
        )
    said = _turns_of(turns, row)
    edge = _edge(said, position)
    if edge <= row["start"]:
        raise HydralabError(
            f"position {position}: checkpoint {checkpoint_id!r} starts with the tool call whose result a cut there "
            "would part from it; expected a later one"
        )
    positions = said["position"]
    before = int(positions.filter(positions < edge)[-1])
    decided_at = int(positions[-1]) if row["decided_at"] is None else row["decided_at"]
    spans = (
        Span(row["start"], before, "manual", 1.0, decided_at),
        Span(edge, row["end"], row["trigger"], row["score"], row["decided_at"]),
    )
    parts = [extract_checkpoint(said, span, tokenizer=tokenizer, extraction=extraction) for span in spans]
    return _replace(checkpoints, row["dialogue_id"], row["start"], row["end"], parts)


def mark_checkpoint(
    checkpoints: pl.DataFrame,
    turns: pl.DataFrame,
    position: int,
    *,
    kind: str = "manual",
    dialogue_id: str | None = None,
    tokenizer: Tokenizer | None = None,
    extraction: Extraction = DEFAULT,
) -> pl.DataFrame:
    """Return the table with a new span starting at `position`, and the checkpoint it closes marked.

    Parameters
    ----------
    checkpoints, turns, tokenizer, extraction
        As for `merge_checkpoints`.
    position
        The first turn of the new span; where a span starts already, only the kind changes.
    kind
        Kind of the checkpoint that ends before `position`.
    dialogue_id
        Which dialogue is meant, where there are several.

    Raises
    ------
    HydralabError
        An unknown kind or dialogue, or a position that no span reaches, or the first of the dialogue.

    >>> import hydralab as hl
    >>> from hydralab.checkpoints import extract_checkpoints
    >>> from hydralab.frames import empty
    >>> turns = hl.read(hl.example("launch_en"))
    >>> table = extract_checkpoints(turns, empty("boundaries"))
    >>> mark_checkpoint(table, turns, 8, kind="decision")["kind"].to_list()
    ['decision', 'topic']
    """
    check_known_kind(kind)
    _check_position(position)
    of_dialogue = checkpoints.filter(pl.col("dialogue_id") == _dialogue(checkpoints, dialogue_id))
    holding = of_dialogue.filter(pl.col("start") <= position, pl.col("end") >= position)
    if holding.is_empty():
        raise HydralabError(f"position {position}: no checkpoint of the dialogue reaches it")
    row = holding.row(0, named=True)
    if row["start"] < position:
        checkpoints = split_checkpoint(
            checkpoints, turns, row["checkpoint_id"], position, tokenizer=tokenizer, extraction=extraction
        )
        of_dialogue = checkpoints.filter(pl.col("dialogue_id") == row["dialogue_id"])
    closed = of_dialogue.filter(pl.col("end") < position).sort("end").tail(1)
    if closed.is_empty():
        raise HydralabError(f"position {position}: the dialogue starts there, expected a later position")
    return edit_checkpoint(checkpoints, closed["checkpoint_id"].item(), kind=kind)


def edit_checkpoint(
    checkpoints: pl.DataFrame, checkpoint_id: str, *, tokenizer: Tokenizer | None = None, **changes: Any
) -> pl.DataFrame:
    """Return the table with some columns of one checkpoint changed, and its tokens counted again.

    Parameters
    ----------
    checkpoints
        A checkpoints table.
    checkpoint_id
        Which one.
    tokenizer
        Counts the tokens; cl100k_base when not given.
    changes
        New values of kind, title, summary, keywords, entities, decisions or open_tasks.

    Raises
    ------
    HydralabError
        An unknown id, kind or column, one that follows from the span, or a value of another type.

    >>> from hydralab.frames import build
    >>> row = {"dialogue_id": "a", "start": 0, "end": 3, "status": "ready", "title": "Launch"}
    >>> table = build("checkpoints", [{"checkpoint_id": "a#0-3", **row}])
    >>> edit_checkpoint(table, "a#0-3", title="The launch in May").select("title", "tokens").row(0)
    ('The launch in May', 4)
    """
    row = _row(checkpoints, checkpoint_id)
    for name in changes:
        if name not in EDITABLE:
            nearest = ", ".join(repr(known) for known in known_names(name, EDITABLE))
            raise HydralabError(f"checkpoints: column {name!r} can't be edited; those that can: {nearest}")
    if "kind" in changes:
        check_known_kind(changes["kind"])
    edited = {**row, **{name: _value(name, value) for name, value in changes.items()}}
    tokens = (tokenizer or get_tokenizer()).count(prompt_text(edited["title"] or "", edited["summary"] or ""))
    changed = pl.DataFrame([{**edited, "tokens": tokens}], schema=checkpoints.schema, orient="row")
    return _replace(checkpoints, row["dialogue_id"], row["start"], row["end"], [changed])


def _value(name: str, value: Any) -> Any:
    """Return a value as its column holds it; a list of another type would be kept as nulls."""
    if value is None and name != "kind":
        return None
    if name in ("kind", "title", "summary"):
        if isinstance(value, str):
            return sendable(value)
        raise HydralabError(f"checkpoints: {name} is {value!r}, expected a text")
    entries: list[Any] = list(value) if isinstance(value, list | tuple | pl.Series) else [None]
    if name == "entities":
        if all(isinstance(one, dict) and _is_entity(one) for one in entries):
            return [{key: sendable(one[key]) for key in ("type", "text")} for one in entries]
        raise HydralabError(
            f"checkpoints: entities is {value!r}, expected a list of {{'type': …, 'text': …}}"
        )
    if all(isinstance(one, str) for one in entries):
        return [sendable(one) for one in entries]
    raise HydralabError(f"checkpoints: {name} is {value!r}, expected a list of texts")


def _is_entity(given: dict[Any, Any]) -> bool:
    return set(given) == {"type", "text"} and all(isinstance(value, str) for value in given.values())


def _row(checkpoints: pl.DataFrame, checkpoint_id: str) -> dict[str, Any]:
    found = checkpoints.filter(pl.col("checkpoint_id") == str(checkpoint_id))
    if found.is_empty():
        raise unknown_name("checkpoint", checkpoint_id, checkpoints["checkpoint_id"].to_list())
    return found.row(0, named=True)


def _check_position(position: int) -> None:
    if isinstance(position, bool) or not isinstance(position, Integral):
        raise HydralabError(f"position is {position!r}, expected that of a turn")


def _dialogue(checkpoints: pl.DataFrame, dialogue_id: str | None) -> str:
    known = checkpoints["dialogue_id"].unique(maintain_order=True).to_list()
    if dialogue_id is None and len(known) == 1:
        return str(known[0])
    if dialogue_id is None or dialogue_id not in known:
        raise unknown_name("dialogue", str(dialogue_id), known)
    return dialogue_id


def _turns_of(turns: pl.DataFrame, row: dict[str, Any]) -> pl.DataFrame:
    return turns.filter(pl.col("dialogue_id") == row["dialogue_id"])


def _edge(turns: pl.DataFrame, position: int) -> int:
    """Return the position at which a cut meant for `position` leaves call and result together."""
    positions = turns["position"]
    row = int(positions.search_sorted(position))
    return int(positions[open_call(turns, row, len(positions))])


def _replace(
    checkpoints: pl.DataFrame, dialogue_id: str, start: int, end: int, rows: list[pl.DataFrame]
) -> pl.DataFrame:
    """Return the table with the rows of one stretch of a dialogue replaced, in place."""
    inside = (pl.col("dialogue_id") == dialogue_id) & (pl.col("start") >= start) & (pl.col("end") <= end)
    replaced = checkpoints.select(inside.alias("inside"))["inside"]
    first = int(replaced.arg_max() or 0)
    before, after = checkpoints[:first], checkpoints[first:].filter(~replaced[first:])
    return validate("checkpoints", pl.concat([before, *rows, after]))
