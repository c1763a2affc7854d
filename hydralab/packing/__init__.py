"""From candidates to a prompt under a token budget: what is written, where, and what it costs."""

from hydralab.packing.blocks import block, escape
from hydralab.packing.context import Context
from hydralab.packing.draft import Explain
from hydralab.packing.messages import build_messages, fold_system
from hydralab.packing.pack import pack
from hydralab.packing.policy import Packing
from hydralab.packing.recalled import Recalled
from hydralab.packing.split import DEFAULT_BUDGET, BudgetError, Ceilings, Split
from hydralab.packing.transcript import Excerpt, Transcript

__all__ = [
    "DEFAULT_BUDGET",
    "BudgetError",
    "Ceilings",
    "Context",
    "Excerpt",
    "Explain",
    "Packing",
    "Recalled",
    "Split",
    "Transcript",
    "block",
    "build_messages",
    "escape",
    "fold_system",
    "pack",
]
