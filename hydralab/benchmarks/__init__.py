"""Measurements of hydralab itself, each with the command that made it."""

from hydralab.benchmarks import (  # noqa: F401 (files the benchmarks)
    adaptive,
    agent,
    attention,
    budget,
    calibration,
    compare,
    entities,
    graph,
    index,
    kills,
    moving,
    peers,
    planted,
    privacy,
    qa,
    relations,
    reranking,
    retrieval,
    scale,
    segmentation,
    sentiment,
    speed,
    stress,
    summaries,
    tiers,
    widget_speed,
)
from hydralab.benchmarks.results import BENCHES, Bench, find_stale, make_result, write_result

__all__ = ["BENCHES", "Bench", "find_stale", "make_result", "write_result"]
