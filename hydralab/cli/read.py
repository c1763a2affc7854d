"""`hydralab read`: what is in a file."""

from __future__ import annotations

import polars as pl
import typer

from hydralab.cli.options import FormatName, Source, open_corpus
from hydralab.cli.output import AsJson, Out, emit, show_table

__all__ = ["read_command"]


def read_command(file: Source, fmt: FormatName = None, as_json: AsJson = False, out: Out = None) -> None:
    """Read dialogues of any known format and show what was found."""
    corpus = open_corpus(file, fmt)
    counts = corpus.turns.group_by("dialogue_id", maintain_order=True).agg(
        turns=pl.len(),
        rounds=pl.col("round").n_unique(),
        tokens=pl.col("tokens").sum(),
        first=pl.col("time").min(),
        last=pl.col("time").max(),
    )
    listed = corpus.dialogues.join(counts, on="dialogue_id", how="left", maintain_order="left")
    failed = corpus.events.filter(pl.col("status") != "ok")
    tables = {
        "dialogues": listed,
        "turns": corpus.turns,
        "questions": corpus.questions,
        "gold": corpus.gold,
        "events": corpus.events,
    }
    if emit({}, tables, as_json=as_json, out=out):
        show_table(
            f"{file}: {corpus.dialogues.height} dialogues, {corpus.turns.height} turns, "
            f"{corpus.questions.height} questions, {corpus.gold.height} gold boundaries",
            listed,
            ("dialogue_id", "title", "language", "turns", "rounds", "tokens", "first", "last"),
            spare=("last", "first", "language", "rounds", "tokens", "turns"),
        )
        if failed.height:
            show_table(
                "records that could not be read whole", failed.select("status", "detail"), whole="detail"
            )
    elif failed.height:
        typer.echo(f"hydralab: {failed.height} records could not be read whole; see events", err=True)
