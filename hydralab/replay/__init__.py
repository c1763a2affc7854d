"""A dialogue as if it ran now: every turn observed in its order, every prompt as it would have been."""

from hydralab.replay.evidence import gold_items
from hydralab.replay.growing_table import GrowingTable
from hydralab.replay.loop import run_replay
from hydralab.replay.run import Run
from hydralab.replay.run_protocol import Replayed, check_run
from hydralab.replay.saved_run import SavedRun, load_run
from hydralab.replay.strategy_checks import STRATEGY_CHECKS, check_strategy
from hydralab.replay.timeline import Timeline

__all__ = [
    "STRATEGY_CHECKS",
    "GrowingTable",
    "Replayed",
    "Run",
    "SavedRun",
    "Timeline",
    "check_run",
    "check_strategy",
    "gold_items",
    "load_run",
    "run_replay",
]
