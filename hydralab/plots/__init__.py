"""Figures of a dialogue's memory: topic shift, checkpoints, budgets, tokens and evidence by strategy, attention.

Every function draws on `ax` when one is given, else on a figure of its own that pyplot doesn't know,
and returns the Axes; as the last value of a cell it is shown, once. Titles are left to the caller.
"""

from __future__ import annotations

from hydralab.plots.attention import plot_attention
from hydralab.plots.attention_maps import plot_attention_head, plot_attention_layers
from hydralab.plots.attention_stream import plot_attention_stream
from hydralab.plots.budget import plot_budget
from hydralab.plots.checkpoints import plot_checkpoints
from hydralab.plots.evidence import plot_evidence
from hydralab.plots.graph import plot_graph
from hydralab.plots.shift import plot_shift
from hydralab.plots.tokens import plot_tokens

__all__ = [
    "plot_attention",
    "plot_attention_head",
    "plot_attention_layers",
    "plot_attention_stream",
    "plot_budget",
    "plot_checkpoints",
    "plot_evidence",
    "plot_graph",
    "plot_shift",
    "plot_tokens",
]
