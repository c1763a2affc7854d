"""Recall: which turns, rounds, checkpoints and facts of a dialogue bear on a query, every score a column."""

from __future__ import annotations

from hydralab.recall.blending import BLENDS, SCORE_COLUMNS, weighted
from hydralab.recall.config import Recall
from hydralab.recall.recaller import Recaller
from hydralab.recall.results import RecallResult

__all__ = ["BLENDS", "SCORE_COLUMNS", "Recall", "RecallResult", "Recaller", "weighted"]
