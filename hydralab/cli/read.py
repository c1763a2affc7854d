"""`hydralab read`: what is in a file."""

from __future__ import annotations

import polars as pl
import typer

from hydralab.cli.options import FormatName, Source
from hydralab.cli.output import AsJson, Out, as_rows, emit, show_table

__all__ = ["read_command"]


def read_command(file: Source, fmt: FormatName = None, as_json: AsJson = False, out: Out = None) -> None:
    """Read dialogues of any known format and show what was found."""
    from pathlib import Path

    from hydralab.readers import example, examples, read_all

    path = example(file) if not Path(file).exists() and file in examples() else file
    corpus = read_all(path, format=fmt)
    counts = corpus.turns.group_by("dialogue_id", maintain_order=True).agg(
        turns=pl.len(),
        rounds=pl.col("round").n_unique(),
        tokens=pl.col("tokens").sum(),
        first=pl.col("time").min(),
        last=pl.col("time").max(),
    )
    listed = corpus.dialogues.join(counts, on="dialogue_id", how="left", maintain_order="left")
    failed = corpus.events.filter(pl.col("status") != "ok")
    result = {
        "dialogues": as_rows(listed),
        "turns": as_rows(corpus.turns),
        "questions": as_rows(corpus.questions),
        "gold": as_rows(corpus.gold),
        "events": as_rows(corpus.events),
    }
    if emit(result, as_json=as_json, out=out):
        show_table(
            f"{file}: {corpus.dialogues.height} dialogues, {corpus.turns.height} turns, "
            f"{corpus.questions.height} questions, {corpus.gold.height} gold boundaries",
            listed.select("dialogue_id", "title", "language", "turns", "rounds", "tokens", "first", "last"),
        )
        if failed.height:
            show_table("records that could not be read whole", failed.select("item_id", "status", "detail"))
    elif failed.height:
        typer.echo(f"hydralab: {failed.height} records could not be read whole; see events", err=True)
