"""What Compare leaves in a saved notebook: tokens, the prompts of the turn in numbers, and what was lost."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import polars as pl

from hydralab import theme
from hydralab.plots import plot_evidence, plot_tokens
from hydralab.plots.figures import new_figure, shorten
from hydralab.widgets.pictures import framed, picture_of, table_of

if TYPE_CHECKING:
    from hydralab.replay import Replayed
    from hydralab.widgets.compare_state import CompareState

__all__ = ["compare_picture", "compare_text"]


PICTURED_QUESTIONS = 12
"""Questions whose evidence stands in the picture; `Compare.misses` has all."""


def compare_picture(comparing: CompareState) -> str:
    """Return tokens over turns, a table of the prompts at this place, and the evidence as HTML without scripts."""
    shown = comparing.moment()
    head = (
        f"<b>{escape(comparing.first.title or comparing.first.dialogue_id)}</b> · {len(comparing.runs)} runs · "
        f"{escape(shown['heading'])}<br>「{escape(shown['said']['text'][:300])}」"
    )
    return framed(
        [
            head,
            _tokens(comparing),
            table_of(_prompts(comparing)),
            *_evidence(comparing),
            table_of(_losses(comparing)),
        ]
    )


def compare_text(comparing: CompareState) -> str:
    """Return a comparison in one line, without address or id."""
    names = ", ".join(comparing.runs)
    place = f"turn {comparing.position} of {comparing.first.turns.height}"
    return f"Compare({comparing.first.title or comparing.first.dialogue_id}, {shorten(names, 100)}, {place})"


def _tokens(comparing: CompareState) -> str:
    """Return the tokens over the turns of the runs that are shown."""
    names = list(comparing.contexts())
    frames = [_named(name, comparing.runs[name]) for name in names]
    if not any(frame.height for frame in frames):
        return ""
    with theme.plot_style():
        figure, ax = new_figure(8.5, 2.2)
    plot_tokens(frames, ax=ax)
    ax.axvline(comparing.position, color=theme.MARK_COLOURS["cursor"], linewidth=1.2)
    return picture_of(
        figure, f"tokens of the prompts of {len(names)} runs over {comparing.first.turns.height} turns"
    )


def _named(name: str, run: Replayed) -> pl.DataFrame:
    """Return the steps of a run under its name here, which begins with its strategy: that gives the colour."""
    own = run.strategy.name
    return run.steps.with_columns(strategy=pl.lit(name if name.startswith(own) else f"{own}: {name}"))


def _evidence(comparing: CompareState) -> list[str]:
    """Return the figure of evidence against the budget, where there are several budgets."""
    runs = list(comparing.runs.values())
    if len({run.budget for run in runs}) < 2 or comparing.summary["evidence"].null_count():
        return []
    with theme.plot_style():
        figure, ax = new_figure(5.5, 2.4)
    plot_evidence(runs, ax=ax)
    return [picture_of(figure, "evidence in the prompt against the budget", width=550)]


def _prompts(comparing: CompareState) -> list[dict[str, str]]:
    contexts = comparing.contexts()
    rows = []
    for row in comparing.summary.to_dicts():
        context = contexts.get(row["run"])
        parts = {} if context is None else dict(context.sections().select("section", "tokens").rows())
        rows.append(
            {
                "run": row["run"],
                "budget": f"{row['budget']:,}",
                "median": "–" if row["median_tokens"] is None else f"{row['median_tokens']:,.0f}",
                "evidence": "–" if row["evidence"] is None else f"{100 * row['evidence']:.0f} %",
                "here": "" if context is None else f"{context.tokens:,}",
                "of that": ", ".join(f"{name} {tokens:,}" for name, tokens in parts.items() if tokens),
            }
        )
    return rows


def _losses(comparing: CompareState) -> list[dict[str, str]]:
    names = list(comparing.runs)
    return [
        {
            "gold question": shorten(f"{row['question'].split(':')[-1]} {row['text']}", 70),
            "turn": "–" if row["turn"] is None else str(row["turn"]),
            **{names[number]: _verdict(row["cells"][number]["stage"]) for number in comparing.shown},
        }
        for row in comparing.losses(questions=PICTURED_QUESTIONS)["rows"]
    ]


def _verdict(stage: str | None) -> str:
    if stage is None:
        return "–"
    return "✔ verbatim" if stage == "met" else f"✘ {stage}"
