"""A replay on disk: its tables and prompts as Parquet, and a manifest that is written last."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from hydralab.errors import HydralabError, check_value
from hydralab.frames import SCHEMAS
from hydralab.packing import Context
from hydralab.replay.run_protocol import Replayed

__all__ = ["FORMAT", "MANIFEST", "PROMPTS", "PROMPT_ROWS", "TABLES", "save_run"]

FORMAT = 1
MANIFEST = "manifest.json"
TABLES = ("turns", "boundaries", "checkpoints", "gold", "questions", "steps", "events")
"""Tables of a run that its schemas declare."""

MOST_DROPPED = 40
"""Items of a prompt that were considered and not sent, of which the best are kept."""

MANY_PROMPTS = 300

PROMPTS = {
    "query_id": pl.String,
    "query": pl.String,
    "budget": pl.Int64,
    "reserve": pl.Int64,
    "tokens": pl.Int64,
    "at": pl.Int64,
    "strategy": pl.String,
    "decision": pl.String,
}
"""A row a prompt; its decision as JSON."""

PROMPT_ROWS = {
    **SCHEMAS["context"],
    "scores": pl.List(pl.Struct({"name": pl.String, "value": pl.Float64})),
}
"""A row an item of a prompt. Scores are pairs, for each prompt has columns of its own."""


def save_run(run: Replayed, folder: str | Path, prompts: int) -> Path:
    """Write a run; see `Run.save`."""
    check_value("save: prompts", prompts, "int", least=0)
    target = Path(folder)
    contexts = list(_contexts(run, prompts))
    frames = {name: getattr(run, name) for name in (*TABLES, "signals")}
    frames["misses"] = run.misses()
    frames["prompts"] = pl.DataFrame(
        {name: [_cell(context, name) for context in contexts] for name in PROMPTS}, schema=PROMPTS
    )
    frames["context"] = pl.DataFrame(
        [row for context in contexts for row in _rows(context)], schema=PROMPT_ROWS, orient="row"
    )
    try:
        target.mkdir(parents=True, exist_ok=True)
        # Without its manifest a folder is no run, so one that was half written is never read.
        (target / MANIFEST).unlink(missing_ok=True)
        for name, frame in frames.items():
            frame.write_parquet(target / f"{name}.parquet")
        manifest = {**run.manifest(), "prompts": len(contexts)}
        text = json.dumps(manifest, ensure_ascii=False, indent=2)
        (target / MANIFEST).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise HydralabError(
            f"{target}: {error.strerror}, expected a folder that can be written to"
        ) from error
    return target


def _cell(context: Context, name: str) -> Any:
    value = getattr(context, name)
    return json.dumps(value, ensure_ascii=False) if name == "decision" else value


def _contexts(run: Replayed, most: int) -> Iterator[Context]:
    """Yield the prompts that are kept: of gold questions first, then of the newest turns."""
    from tqdm.auto import tqdm

    asked = run.questions["question_id"].implode()
    by_question = run.steps.filter(pl.col("query_id").is_in(asked))
    by_turn = run.steps.filter(~pl.col("query_id").is_in(asked))
    kept = pl.concat([by_question, by_turn.reverse()]).head(most)
    questions = set(by_question["query_id"])
    rows = kept.select("query_id", "position").rows()
    for query_id, position in tqdm(rows, disable=len(rows) < MANY_PROMPTS, unit="prompt", leave=False):
        yield run.ask(query_id) if query_id in questions else run.step(position)


def _rows(context: Context) -> Iterator[dict[str, Any]]:
    dropped = 0
    for order, row in enumerate(context.explained_rows()):
        dropped += not row["kept"]
        if dropped > MOST_DROPPED:
            return
        own = {"query_id": context.query_id, "dialogue_id": context.dialogue_id, "order": order}
        whole: Mapping[str, Any] = {**own, **row}
        scores = row["scores"]
        pairs = None if scores is None else [{"name": name, "value": value} for name, value in scores.items()]
        yield {**{name: whole[name] for name in PROMPT_ROWS}, "scores": pairs}
