"""Checkpoints by a chat model: title, summary, keywords, entities, decisions and open tasks of each span."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import polars as pl

from hydralab.checkpoints.content import MOST_CITED, MOST_ENTITIES, prompt_text
from hydralab.checkpoints.extracting import source_hash
from hydralab.checkpoints.llm_extraction import NotedSpan, Summarising, note_span
from hydralab.errors import HydralabError, check_kind, check_value
from hydralab.frames import build, check_table, empty, event, validate
from hydralab.llms import LLM, Call, LLMSpec, get_llm, record_calls
from hydralab.texts import Tokenizer, normalise
from hydralab.texts import tokenizer as get_tokenizer

__all__ = ["SummarisedCheckpoints", "summarise_checkpoints"]

STATUSES = ("ready", "pending", "failed", "stale")
LONGEST_TITLE = 100
LONGEST_RAW = 2_000
MOST_KEYWORDS = 12
DEFAULT = Summarising()


@dataclass(frozen=True)
class SummarisedCheckpoints:
    """What a model made of checkpoints.

    Attributes
    ----------
    checkpoints
        The table that was given, with the rows that were tried changed: "ready" those that the model wrote,
        "failed" those that kept what they said before.
    events
        A row for each that was tried. Status "ok": by the model as it answered; "retried": after another try;
        "salvaged": by the model, from a broken or partial answer; "failed": not by the model, and why, with what
        it said.
    """

    checkpoints: pl.DataFrame
    events: pl.DataFrame


def summarise_checkpoints(
    checkpoints: pl.DataFrame,
    turns: pl.DataFrame,
    llm: LLMSpec,
    *,
    summarising: Summarising = DEFAULT,
    statuses: Collection[str] = STATUSES,
    tokenizer: Tokenizer | None = None,
    workers: int = 1,
) -> SummarisedCheckpoints:
    """Return checkpoints with the words of a chat model, each for itself: one that fails costs no other.

    Parameters
    ----------
    checkpoints
        A checkpoints table, such as `extract_checkpoints` gives; what it says is the fallback.
    turns
        The turns it was made from.
    llm
        Anything that `hl.get_llm` takes.
    summarising
        Lengths, tries, prompts.
    statuses
        Rows of these are tried; ("failed",) tries again what failed before. Open spans are never.
    tokenizer
        Counts the tokens; cl100k_base when not given.
    workers
        How many are asked for at once.

    Raises
    ------
    HydralabError
        `llm` is no chat model. What goes wrong with a checkpoint raises nothing: see the events.

    >>> import hydralab as hl
    >>> from hydralab.frames import build
    >>> turns = hl.read(hl.example("launch_en"))
    >>> cut = [{"dialogue_id": "launch_en", "position": 8, "trigger": "cue", "score": 1.0, "decided_at": 8}]
    >>> table = hl.extract_checkpoints(turns, build("boundaries", cut))
    >>> llm = hl.Scripted(['{"title": "The launch", "summary": "The budget is 84,500 euros."}', ""])
    >>> made = summarise_checkpoints(table, turns, llm)
    >>> made.checkpoints["title"][0], made.checkpoints["status"].to_list(), made.events["status"].to_list()
    ('The launch', ['ready', 'open'], ['salvaged'])
    """
    asked, counter = get_llm(llm), get_tokenizer() if tokenizer is None else tokenizer
    check_kind("summarise_checkpoints: tokenizer", counter, Tokenizer, "what hl.tokenizer returns, or None")
    check_kind("summarise_checkpoints: summarising", summarising, Summarising, "a Summarising")
    check_kind("summarise_checkpoints: statuses", statuses, (list, tuple), "a tuple such as ('ready',)")
    check_value("summarise_checkpoints: workers", workers, "int", least=1)
    validate("checkpoints", checkpoints)
    check_table("turns", turns)
    tried = checkpoints.with_row_index("row").filter(
        pl.col("status").is_in(list(statuses)), pl.col("status") != "open"
    )
    if not tried.height:
        return SummarisedCheckpoints(checkpoints, empty("events"))
    said = {str(part["dialogue_id"][0]): part for part in turns.partition_by("dialogue_id")}

    def run(row: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        covered = _covered(said.get(row["dialogue_id"]), row)
        return _summarised(row, covered, asked, summarising, counter)

    rows = tried.drop("row").to_dicts()
    if workers == 1:
        made = [run(row) for row in rows]
    else:
        with ThreadPoolExecutor(workers) as pool:
            # A context each, so that calls made in threads are counted where this was called.
            waiting = [pool.submit(copy_context().run, run, row) for row in rows]
            made = [each.result() for each in waiting]
    changed = pl.DataFrame([row for row, _ in made], schema=checkpoints.schema, orient="row")
    updated = _placed(checkpoints, tried["row"].to_list(), changed)
    return SummarisedCheckpoints(updated, build("events", [happened for _, happened in made]))


def _covered(turns: pl.DataFrame | None, row: dict[str, Any]) -> pl.DataFrame:
    if turns is None:
        return empty("turns")
    return turns.filter(pl.col("position").is_between(row["start"], row["end"]))


def _placed(checkpoints: pl.DataFrame, places: list[int], changed: pl.DataFrame) -> pl.DataFrame:
    kept = checkpoints.with_row_index("row").filter(~pl.col("row").is_in(places))
    index = pl.Series("row", places, dtype=kept.schema["row"])
    both = pl.concat([kept, changed.select(index, pl.all())]).sort("row").drop("row")
    return validate("checkpoints", both)


def _summarised(
    row: dict[str, Any], turns: pl.DataFrame, llm: LLM, summarising: Summarising, counter: Tokenizer
) -> tuple[dict[str, Any], dict[str, Any]]:
    started = perf_counter()
    with record_calls() as calls:
        try:
            if turns.is_empty():
                raise HydralabError("the table of turns has none of its span")
            noted = note_span(turns, llm, summarising, counter)
        except Exception as error:  # whatever goes wrong with one costs that one
            detail = (
                f"{llm.name}: {error}"
                if isinstance(error, HydralabError)
                else f"{type(error).__name__}: {error}"
            )
            row = {**row, "status": "failed"}
            status, told = "failed", f"kept what it said before; {detail[:LONGEST_RAW]}"
        else:
            row, remarks = _written(row, turns, noted, summarising, counter)
            remarks = [*noted.remarks, *remarks]
            salvaged = not noted.whole or bool(remarks)
            status = "salvaged" if salvaged else "retried" if noted.tries > 1 else "ok"
            told = "; ".join([f"by {llm.name}", *remarks])
    happened = event(
        "summarise",
        status,
        detail=f"{told}; {_spent(calls)}",
        dialogue_id=row["dialogue_id"],
        item_id=row["checkpoint_id"],
        milliseconds=(perf_counter() - started) * 1e3,
    )
    return row, happened


def _written(
    row: dict[str, Any], turns: pl.DataFrame, noted: NotedSpan, summarising: Summarising, counter: Tokenizer
) -> tuple[dict[str, Any], list[str]]:
    """Return the row in the model's words, and what was left out or kept of them."""
    notes, remarks = noted.notes, []
    said = normalise("\n".join(turns["text"].to_list()))
    values: dict[str, Any] = {"summary": noted.summary}
    if notes.title:
        values["title"] = _short(notes.title, LONGEST_TITLE)
    if notes.keywords is not None:
        values["keywords"] = [_short(each, LONGEST_TITLE) for each in notes.keywords[:MOST_KEYWORDS]]
    if notes.entities is not None:
        named = {(each.type, each.text): None for each in notes.entities}
        held = [each for each in named if normalise(each[1]) in said]
        values["entities"] = [{"type": kind, "text": text} for kind, text in held][:MOST_ENTITIES]
        if len(held) < len(named):
            remarks.append(f"left out {len(named) - len(held)} entities that the turns don't name")
    for name in ("decisions", "open_tasks"):
        if (listed := getattr(notes, name)) is not None:
            values[name] = [_short(each, summarising.longest_line) for each in listed[:MOST_CITED]]
    if notes.missing:
        remarks.append(f"said nothing of {', '.join(notes.missing)}")
    row = {**row, **values}
    tokens = counter.count(prompt_text(row["title"] or "", row["summary"] or ""))
    return {**row, "tokens": tokens, "status": "ready", "source_hash": source_hash(turns)}, remarks


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def _spent(calls: Sequence[Call]) -> str:
    tokens = [call.usage.prompt + call.usage.completion for call in calls]
    costs = [call.cost for call in calls]
    known = "unknown" if None in costs else f"{sum(each or 0.0 for each in costs):.6f}"
    return f"{len(calls)} {'call' if len(calls) == 1 else 'calls'}, {sum(tokens)} tokens, cost {known}"
