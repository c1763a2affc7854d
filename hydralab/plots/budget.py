"""What the tokens of one prompt were spent on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hydralab.errors import check_kind
from hydralab.packing import Context
from hydralab.plots.figures import axes_or_new
from hydralab.theme import MARK_COLOURS, SECTION_COLOURS, ink_on, plot_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["budget_parts", "plot_budget"]

NARROWEST_LABEL = 0.045
"""Share of the bar below which a number doesn't fit into its part and stands in the legend alone."""


def budget_parts(context: Context) -> list[tuple[str, int]]:
    """Return what the budget went to, in the order of the prompt: sections, reserve, free.

    The numbers add up to the budget.
    """
    spent = [(name, tokens) for name, tokens in context.sections().select("section", "tokens").iter_rows()]
    rest = [("reserve", context.reserve), ("free", context.budget - context.reserve - context.tokens)]
    return [(name, tokens) for name, tokens in [*spent, *rest] if tokens > 0]


def plot_budget(context: Context, *, ax: Axes | None = None) -> Axes:
    """Draw the budget of a context as one bar: tokens by section, the reply's reserve, what is free.

    Parameters
    ----------
    context
        What `lab.hydrate` and `run.step` return.
    ax
        Where to draw; a figure of its own when None.

    >>> import hydralab as hl
    >>> lab = hl.Lab(hl.read_all(hl.example("launch_en")))
    >>> ctx = lab.hydrate("What was the marketing budget?", budget=1000)
    >>> plot_budget(ctx).get_title(loc="left").split()[1:]
    ['of', '1,000', 'tokens']
    """
    check_kind("plot_budget: context", context, Context, "what lab.hydrate or run.step returns")
    parts = budget_parts(context)
    whole = max(sum(tokens for _, tokens in parts), 1)
    with plot_style():
        ax = axes_or_new(ax, 9, 1.0)
        left = 0
        for name, tokens in parts:
            colour = SECTION_COLOURS.get(name, MARK_COLOURS["free"])
            hatch = {"free": "", "reserve": "////"}.get(name)
            ax.barh(
                0, tokens, left=left, height=0.8, edgecolor=colour, linewidth=1, hatch=hatch,
                color=colour if hatch is None else "none", label=f"{name} {tokens:,}",
            )  # fmt: skip
            if hatch is None and tokens / whole >= NARROWEST_LABEL:
                ax.text(left + tokens / 2, 0, f"{tokens:,}", ha="center", va="center", color=ink_on(colour))
            left += tokens
        ax.set_xlim(0, whole)
        ax.set_ylim(-0.5, 0.5)
        ax.set_axis_off()
        ax.set_title(f"{context.tokens:,} of {context.budget:,} tokens")
        ax.legend(
            loc="upper left", bbox_to_anchor=(0, -0.05), ncols=max(len(parts), 1), borderaxespad=0,
            columnspacing=1.1, handlelength=1, handletextpad=0.4,
        )  # fmt: skip
    return ax
