"""`hydralab replay`: a dialogue turn by turn under a strategy, its tables and figures in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import polars as pl
import typer

from hydralab.cli.options import Budget, DialogueName, EncoderName, FormatName, Source, TriggerText, open_lab
from hydralab.cli.output import AsJson, Out, emit, is_folder, show_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hydralab.replay import Run
    from hydralab.strategies import Strategy

__all__ = ["draw_run", "replay_command", "save_figure", "strategy_named"]


def replay_command(
    file: Source,
    budget: Budget,
    strategy: Annotated[
        str, typer.Option("--strategy", help="hydration, sliding_window, full_history …")
    ] = "hydration",
    trigger: TriggerText = None,
    dialogue: DialogueName = None,
    encoder: EncoderName = "use",
    fmt: FormatName = None,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Replay a dialogue and show what each prompt held and cost."""
    lab = open_lab(file, encoder=encoder, fmt=fmt)
    run = lab.replay(strategy_named(strategy, trigger), budget=budget, dialogue=dialogue)
    _refuse_nothing(run)
    misses = run.misses()
    tables = {"steps": run.steps, "misses": misses, "events": run.events}
    shows = emit({"manifest": run.manifest()}, tables, as_json=as_json, out=out)
    if is_folder(out):
        run.save(out)
        draw_run(run, out)
    if shows:
        shown = run.steps.select(
            "position", "query_id", "tokens", "stable_prefix_tokens", "evidence_verbatim", "evidence_answer",
            milliseconds=pl.col("milliseconds").struct.field("total"),
        )  # fmt: skip
        show_table(
            f"{run.title or run.dialogue_id}: {strategy}, budget {budget}",
            shown,
            spare=("stable_prefix_tokens", "milliseconds", "evidence_answer", "position"),
        )
        if misses.height:
            show_table(
                "evidence", misses.group_by("stage").agg(turns=pl.len()).sort("turns", descending=True)
            )
        if run.events.height:
            show_table("what failed", run.events.select("item_id", "detail"), whole="detail")
        if is_folder(out):
            typer.echo(f"tables and figures are in {out}")
    if run.events.height:
        failed = f"{run.events.height} of {run.events.height + run.steps.height}"
        typer.echo(f"hydralab: {failed} prompts could not be made; see events", err=True)


def _refuse_nothing(run: Run) -> None:
    from hydralab.errors import HydralabError

    if run.events.height and not run.steps.height:
        raise HydralabError(
            f"none of {run.events.height} prompts could be made; the first: {run.events['detail'][0]}"
        )


def strategy_named(name: str, trigger: str | None = None) -> Strategy:
    """Return the strategy of a registered name, with a trigger where it takes one."""
    from inspect import signature

    from hydralab.errors import HydralabError
    from hydralab.strategies import STRATEGIES

    make = STRATEGIES[name]
    takes_trigger = "trigger" in signature(make).parameters
    if trigger is not None and not takes_trigger:
        raise HydralabError(f"strategy {name!r} places no checkpoints, so --trigger can't be given")
    return make(trigger=trigger) if takes_trigger else make()


def draw_run(run: Run, folder: Path) -> list[Path]:
    """Draw a run's topic shift, checkpoints, tokens and last prompt as PNG files."""
    from hydralab import plots

    drawn = {
        "shift": lambda: plots.plot_shift(run.signals, boundaries=run.boundaries, gold=run.gold),
        "checkpoints": lambda: plots.plot_checkpoints(run.checkpoints),
        "tokens": lambda: plots.plot_tokens(run.steps, budget=run.budget),
    }
    if run.steps.height:
        drawn["budget"] = lambda: plots.plot_budget(run.step(run.turns.height - 1))
    paths = []
    for name, draw in drawn.items():
        path = folder / f"{name}.png"
        save_figure(draw(), path)
        paths.append(path)
    return paths


def save_figure(axes: Axes, path: Path) -> None:
    """Write the figure that holds these axes as PNG on white."""
    figure = axes.get_figure(root=True)
    if figure is not None:
        figure.savefig(path, dpi=120, facecolor="white", bbox_inches="tight")
