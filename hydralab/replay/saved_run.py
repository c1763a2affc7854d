"""A replay read from disk: its tables and prompts as they were, without encoder or trigger."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from hydralab.errors import HydralabError
from hydralab.frames import validate
from hydralab.packing import Context
from hydralab.replay.naming import hash_turns
from hydralab.replay.prompt_lookup import failed_prompts, question_asked, turn_asked
from hydralab.replay.saving import FORMAT, MANIFEST, PROMPT_ROWS, TABLES

__all__ = ["SavedRun", "SavedStrategy", "load_run"]


@dataclass(frozen=True)
class SavedStrategy:
    """The name of a strategy, and how it was written."""

    name: str
    text: str

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False)
class SavedRun:
    """One replay of one dialogue, as `Run.save` wrote it; what a `Run` has but vectors is here too.

    `step` and `ask` return the prompts that were saved, with the best 40 of the items that each dropped.
    """

    run_id: str
    strategy: SavedStrategy
    budget: int
    dialogue_id: str
    title: str
    turns: pl.DataFrame = field(repr=False)
    gold: pl.DataFrame = field(repr=False)
    questions: pl.DataFrame = field(repr=False)
    steps: pl.DataFrame = field(repr=False)
    events: pl.DataFrame = field(repr=False)
    boundaries: pl.DataFrame = field(repr=False)
    checkpoints: pl.DataFrame = field(repr=False)
    signals: pl.DataFrame = field(repr=False)
    tables: Mapping[str, pl.DataFrame] = field(repr=False)
    settings: Mapping[str, Any] = field(repr=False)

    def step(self, position: int) -> Context:
        """Return the prompt of a turn exactly as it was; see `Run.step`.

        Raises
        ------
        HydralabError
            No such turn, no user turn at or before it, or its prompt was not saved.
        """
        turn = turn_asked(self.turns, self.dialogue_id, position)
        return self._context(turn["turn_id"], f"turn {turn['position']}")

    def ask(self, question_id: str) -> Context:
        """Return the prompt of a gold question; see `Run.ask`."""
        question_asked(self.questions, self.dialogue_id, question_id)
        return self._context(question_id, f"question {question_id!r}")

    def misses(self, question_id: str | None = None) -> pl.DataFrame:
        """Return for each evidence turn of each question at which stage it was met or lost."""
        misses = self.tables["misses"]
        if question_id is None:
            return misses
        question_asked(self.questions, self.dialogue_id, question_id)
        return misses.filter(pl.col("question_id") == question_id)

    def manifest(self) -> dict[str, Any]:
        """Return what one needs to make the run again, as it was saved."""
        return dict(self.settings)

    def _context(self, query_id: str, what: str) -> Context:
        found = self.tables["prompts"].filter(pl.col("query_id") == query_id)
        if not found.height:
            why = failed_prompts(self.events).get(query_id, "it was not saved; save more prompts=")
            raise HydralabError(f"no prompt of {what} in run {self.run_id!r}: {why}")
        rows = self.tables["context"].filter(pl.col("query_id") == query_id)
        items = rows.drop("query_id", "dialogue_id", "order").to_dicts()
        prompt = found.row(0, named=True)
        decision = json.loads(
            prompt.pop("decision", None) or "{}"
        )  # runs saved before there were any have none
        return Context(
            rows=[{**row, "scores": _as_mapping(row["scores"])} for row in items],
            dialogue_id=self.dialogue_id,
            title=self.title,
            decision=decision,
            **prompt,
        )


def load_run(folder: str | Path) -> SavedRun:
    """Read a run that `Run.save` wrote; it can be stepped through and compared like one in memory.

    Raises
    ------
    HydralabError
        The folder is none, is damaged, or was not written by `Run.save`.

    >>> import hydralab as hl, tempfile
    >>> run = hl.Lab(hl.read_all(hl.example("launch_zh"))).replay(hl.SlidingWindow(), budget=400)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = load_run(run.save(folder))
    >>> again.step(14).messages == run.step(14).messages
    True
    """
    source = Path(folder)
    try:
        return _read(source)
    except (OSError, ValueError, KeyError, TypeError, pl.exceptions.PolarsError) as error:
        reason = _told(error, source)
        raise HydralabError(
            f"{source}: no run can be read from it ({reason}), expected a folder that run.save wrote"
        ) from error


def _read(source: Path) -> SavedRun:
    settings = json.loads((source / MANIFEST).read_text(encoding="utf-8"))
    if not isinstance(settings, dict) or settings.get("format") != FORMAT:
        raise ValueError(f'{MANIFEST} has no "format": {FORMAT}')
    tables = {name: validate(name, _table(source, name)) for name in TABLES}
    if hash_turns(tables["turns"]) != settings["turns_hash"]:
        raise ValueError("turns.parquet holds other turns than the manifest says")
    prompts = {name: _table(source, name) for name in ("prompts", "context", "misses")}
    prompts["context"] = prompts["context"].select(*PROMPT_ROWS)
    if prompts["prompts"].height != settings["prompts"]:
        raise ValueError(
            f"prompts.parquet holds {prompts['prompts'].height} prompts, not {settings['prompts']}"
        )
    return SavedRun(
        run_id=settings["run_id"],
        strategy=SavedStrategy(settings["strategy_name"], settings["strategy"]),
        budget=settings["budget"],
        dialogue_id=settings["dialogue_id"],
        title=settings["title"],
        signals=_table(source, "signals"),
        tables=prompts,
        settings=settings,
        **tables,
    )


def _table(source: Path, name: str) -> pl.DataFrame:
    return pl.read_parquet(source / f"{name}.parquet")


def _as_mapping(pairs: list[dict[str, Any]] | None) -> dict[str, float | None] | None:
    return None if pairs is None else {each["name"]: each["value"] for each in pairs}


def _told(error: Exception, source: Path) -> str:
    """Return the reason in a line, without the folder, which is named already."""
    if isinstance(error, FileNotFoundError):
        return "no folder is there" if not source.is_dir() else f"{MANIFEST} or a table is missing"
    if isinstance(error, KeyError):
        return f"the manifest says nothing of {error}"
    return " ".join(str(error).replace(str(source), "").split())[:200] or type(error).__name__
