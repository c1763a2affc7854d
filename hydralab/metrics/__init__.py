"""Scores of boundaries, of ranked items, and of the evidence in a prompt, each under its own name.

Segmentation is scored on boolean arrays (a value a gap between two turns) or on the tables of
boundaries and gold; retrieval on ranked ids; evidence on the table of a packed context.
"""

from __future__ import annotations

from hydralab.metrics.answers import answer_exact, answer_excluded, answer_f1, contains_answer
from hydralab.metrics.boundaries import boundary_f1, boundary_ratio, segmentation_score, tolerance_f1
from hydralab.metrics.costs import prompt_costs
from hydralab.metrics.evidence import EvidenceScores, evidence_met
from hydralab.metrics.floors import FLOORS, every_n_gaps, every_n_interval, random_gaps
from hydralab.metrics.intervals import Interval, mean_interval, paired_interval
from hydralab.metrics.marks import boundary_gaps
from hydralab.metrics.retrieval import (
    RetrievalScores,
    ndcg,
    ndcg_longmemeval,
    recall_all,
    recall_any,
    recall_proportional,
    reciprocal_rank,
    score_ranked,
    score_retrieval,
)
from hydralab.metrics.scoring import SegmentationScores, score_boundaries
from hydralab.metrics.similarity import boundary_similarity
from hydralab.metrics.windows import CONVENTIONS, pk, window_diff, window_size

__all__ = [
    "CONVENTIONS",
    "FLOORS",
    "EvidenceScores",
    "Interval",
    "RetrievalScores",
    "SegmentationScores",
    "answer_exact",
    "answer_excluded",
    "answer_f1",
    "boundary_f1",
    "boundary_gaps",
    "boundary_ratio",
    "boundary_similarity",
    "contains_answer",
    "every_n_gaps",
    "every_n_interval",
    "evidence_met",
    "mean_interval",
    "ndcg",
    "ndcg_longmemeval",
    "paired_interval",
    "pk",
    "prompt_costs",
    "random_gaps",
    "recall_all",
    "recall_any",
    "recall_proportional",
    "reciprocal_rank",
    "score_boundaries",
    "score_ranked",
    "score_retrieval",
    "segmentation_score",
    "tolerance_f1",
    "window_diff",
    "window_size",
]
