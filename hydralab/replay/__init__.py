"""A dialogue as if it ran now: every turn observed in its order, every prompt as it would have been."""

from hydralab.replay.checking import STRATEGY_CHECKS, check_strategy
from hydralab.replay.evidence import gold_items
from hydralab.replay.growing import GrowingTable
from hydralab.replay.loop import run_replay
from hydralab.replay.replayed import Replayed, check_run
from hydralab.replay.run import Run
from hydralab.replay.saved import SavedRun, load_run
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
