"""`hydralab hydrate`: the prompt for a query."""

from __future__ import annotations

from typing import Annotated

import polars as pl
import typer

from hydralab.cli.options import Budget, DialogueName, EncoderName, FormatName, Source, TriggerText, open_lab
from hydralab.cli.output import AsJson, Out, emit, show_table

__all__ = ["hydrate_command"]


def hydrate_command(
    file: Source,
    query: Annotated[str, typer.Option("--query", help="The new message.")],
    budget: Budget,
    trigger: TriggerText = None,
    at: Annotated[
        int | None, typer.Option("--at", min=0, help="Ask before this turn; at the end if not given.")
    ] = None,
    dialogue: DialogueName = None,
    encoder: EncoderName = "use",
    fmt: FormatName = None,
    show_prompt: Annotated[
        bool, typer.Option("--prompt", help="Print the prompt instead of the table.")
    ] = False,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Recall what matters for a query and pack it under a token budget."""
    from hydralab.strategies import Hydration

    lab = open_lab(file, encoder=encoder, fmt=fmt)
    context = lab.hydrate(query, budget=budget, at=at, dialogue=dialogue, strategy=Hydration(trigger))
    result = {
        "query": query,
        "budget": context.budget,
        "tokens": context.tokens,
        "messages": context.messages,
    }
    if not emit(result, {"items": context.frame}, as_json=as_json, out=out):
        return
    if show_prompt:
        typer.echo(context.prompt)
        return
    items = context.frame.select(
        section=pl.when("kept").then("section").otherwise(pl.lit("dropped")),
        what=pl.coalesce("label", "role"),
        tokens="tokens",
        text="text",
        why=pl.when("kept").then("why").otherwise("drop_reason"),
    )
    show_table(f"{context.tokens} / {context.budget} tokens", items, spare=("what", "why"))
