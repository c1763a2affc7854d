"""Figures of a dialogue's memory: topic shift, checkpoints, the budget of a prompt, tokens by strategy.

Every function draws on `ax` when one is given, else on a figure of its own that pyplot doesn't know,
and returns the Axes; as the last value of a cell it is shown, once. Titles are left to the caller.
"""

from __future__ import annotations

from hydralab.plots.budget import plot_budget
from hydralab.plots.checkpoints import plot_checkpoints
from hydralab.plots.shift import plot_shift
from hydralab.plots.tokens import plot_tokens

__all__ = ["plot_budget", "plot_checkpoints", "plot_shift", "plot_tokens"]
