"""Ways to remember a dialogue and to make a prompt of it, all on one protocol."""

from hydralab.strategies.full_history import FullHistory
from hydralab.strategies.hydration import Hydration, Quota
from hydralab.strategies.sliding_window import SlidingWindow
from hydralab.strategies.view import (
    STRATEGIES,
    Job,
    Observation,
    Strategy,
    View,
    check_kind,
    resolve_strategy,
)

__all__ = [
    "STRATEGIES",
    "FullHistory",
    "Hydration",
    "Job",
    "Observation",
    "Quota",
    "SlidingWindow",
    "Strategy",
    "View",
    "check_kind",
    "resolve_strategy",
]
