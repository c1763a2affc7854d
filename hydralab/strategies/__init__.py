"""Ways to remember a dialogue and to make a prompt of it, all on one protocol."""

from hydralab.strategies.adapting import Adaptive
from hydralab.strategies.auto import Auto
from hydralab.strategies.explicit_memory import ExplicitMemory
from hydralab.strategies.full_history import FullHistory
from hydralab.strategies.hydration import LEAST, Hydration, Quota
from hydralab.strategies.judging import CalibratedJudge, Judge, Judgement, ModelJudge, WordsJudge
from hydralab.strategies.langgraph_store import LangGraphStore
from hydralab.strategies.layered import Layered
from hydralab.strategies.llm_checkpoints import Modelled
from hydralab.strategies.reflecting import Verdict, reflect, reflect_async
from hydralab.strategies.running_summary import RunningSummary
from hydralab.strategies.sliding_window import SlidingWindow
from hydralab.strategies.three_tier import ThreeTier
from hydralab.strategies.tuning import TunedBlend, judged_items, tune_blend
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
    "LEAST",
    "STRATEGIES",
    "Adaptive",
    "Auto",
    "CalibratedJudge",
    "ExplicitMemory",
    "FullHistory",
    "Hydration",
    "Job",
    "Judge",
    "Judgement",
    "LangGraphStore",
    "Layered",
    "ModelJudge",
    "Modelled",
    "Observation",
    "Quota",
    "RunningSummary",
    "SlidingWindow",
    "Strategy",
    "ThreeTier",
    "TunedBlend",
    "Verdict",
    "View",
    "WordsJudge",
    "check_kind",
    "judged_items",
    "reflect",
    "reflect_async",
    "resolve_strategy",
    "tune_blend",
]
