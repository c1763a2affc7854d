"""`hydralab demo`: the bundled dialogues, replayed into a folder of tables and figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from hydralab.cli.output import AsJson, emit, named_path, show_table
from hydralab.cli.replay import draw_run, save_figure, strategy_named

__all__ = ["demo_command"]

BUDGETS = {"launch_zh": 400, "launch_en": 400, "long_zh": 1_000, "long_en": 1_000}


def demo_command(
    out: Annotated[
        Path,
        typer.Option("--out", parser=named_path, metavar="FOLDER", help="Folder for tables and figures."),
    ] = Path("out"),
    as_json: AsJson = False,
) -> None:
    """Replay the bundled dialogues under every strategy and write what one would look at."""
    from rich.console import Console
    from rich.progress import track

    from hydralab import plots
    from hydralab.lab import Lab
    from hydralab.readers import example, read_all
    from hydralab.strategies import STRATEGIES

    rows = []
    for name, budget in track(BUDGETS.items(), description="replaying", console=Console(stderr=True)):
        lab = Lab(read_all(example(name)))
        steps = []
        for strategy in STRATEGIES:
            run = lab.replay(strategy_named(strategy), budget=budget)
            run.save(out / name / strategy)
            steps.append(run.steps)
            means = run.steps.select(pl.col("tokens").mean(), pl.col("evidence_verbatim").mean()).row(0)
            rows.append((name, strategy, budget, *means))
            if strategy == "hydration":
                draw_run(run, out / name)
        save_figure(plots.plot_tokens(steps, budget=budget), out / name / "tokens.png")
    columns = ["dialogue", "strategy", "budget", "mean tokens", "evidence met"]
    summary = pl.DataFrame(rows, schema=columns, orient="row")
    summary.write_csv(out / "summary.csv")
    if emit({"out": str(out)}, {"summary": summary}, as_json=as_json, out=None):
        show_table("mean over prompts; evidence word for word, over gold questions", summary)
        typer.echo(f"tables and figures are in {out}")
