"""How much of the gold evidence stood in the prompts, by strategy and budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import polars as pl

from hydralab.errors import HydralabError, brief, check_kind
from hydralab.plots.figures import axes_or_new, legend_above, note
from hydralab.theme import plot_style, strategy_colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hydralab.replay import Replayed

__all__ = ["evidence_recall", "plot_evidence"]


def evidence_recall(run: Replayed) -> float | None:
    """Return the share of the evidence of gold questions that stood in their prompts word for word.

    Evidence of a question whose prompt couldn't be made counts as lost. None where there is none.
    """
    wanted = run.questions.select("question_id", pieces=pl.col("evidence").list.len().fill_null(0))
    steps = run.steps.select(question_id="query_id", met="evidence_verbatim")
    joined = wanted.join(steps, on="question_id", how="left").fill_null(0.0)
    pieces = int(joined["pieces"].sum())
    return float((joined["met"] * joined["pieces"]).sum()) / pieces if pieces else None


def plot_evidence(runs: Sequence[Replayed], *, ax: Axes | None = None) -> Axes:
    """Draw the evidence met word for word against the budget, a line a strategy.

    Parameters
    ----------
    runs
        What `lab.replay` or `hl.load_run` return; of several runs of one strategy and budget the mean is drawn.
    ax
        Where to draw; a figure of its own when None.

    >>> import hydralab as hl
    >>> lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
    >>> runs = [lab.replay("hydration", budget=budget) for budget in (200, 400)]
    >>> plot_evidence(runs).get_ylabel()
    'evidence in the prompt'
    """
    check_kind("plot_evidence: runs", runs, Sequence, "a list of runs")
    for run in runs:
        if not hasattr(run, "misses"):
            raise HydralabError(f"plot_evidence: got {brief(run)}, expected a run as lab.replay returns")
    table = _table(runs)
    with plot_style():
        ax = axes_or_new(ax, 6, 3)
        if table.is_empty():
            note(ax, "no gold questions with evidence")
            return ax
        for (name,), points in table.group_by("strategy", maintain_order=True):
            ax.plot(
                points["budget"], points["evidence"], label=str(name), marker="o", markersize=5,
                color=strategy_colour(str(name)),
            )  # fmt: skip
        ax.set_ylim(-0.04, 1.04)
        ax.set_xticks(table["budget"].unique().sort().to_list())
        ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
        ax.set_xlabel("budget, tokens")
        ax.set_ylabel("evidence in the prompt")
        ax.grid(axis="y")
        legend_above(ax)
    return ax


def _table(runs: Sequence[Replayed]) -> pl.DataFrame:
    rows = [(run.strategy.name, run.budget, evidence_recall(run)) for run in runs]
    schema = {"strategy": pl.String, "budget": pl.Int64, "evidence": pl.Float64}
    table = pl.DataFrame(rows, schema=schema, orient="row").drop_nulls()
    return table.group_by("strategy", "budget").agg(pl.col("evidence").mean()).sort("strategy", "budget")
