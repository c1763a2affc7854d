"""What the graph of entities costs: reading a turn once, and a walk for each query."""

from __future__ import annotations

from time import process_time

import numpy as np
import polars as pl

from hydralab.benchmarks.relations import DIALOGUES
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.benchmarks.speed import long_dialogue
from hydralab.graph import RELATION_LABELS, DialogueGraph, walk
from hydralab.graph.extracting import read_facts
from hydralab.readers import example, read

__all__ = ["measure_graph"]

QUERY = "What did Priya and Kelvin say of the budget in Leeds, 老邱 in 深圳? ({})"


def measure_graph(*, turns: int = 5_000, repeats: int = 50) -> pl.DataFrame:
    """Measure what a blend that reads the graph costs beside one that doesn't.

    Parameters
    ----------
    turns
        Of the dialogue that is walked: the bundled long ones, again and again.
    repeats
        How many queries.

    Returns
    -------
    DataFrame
        what, value, unit, how.
    """
    texts = [text for name in DIALOGUES for text in read(example(name))["text"]]
    read_facts.cache_clear()
    read_facts(texts[0])
    spent = []
    for text in texts[1:]:
        started = process_time()
        read_facts(text)
        spent.append((process_time() - started) * 1e3)
    graph = DialogueGraph(long_dialogue(turns)[0])
    walked = []
    for number in range(repeats):
        started = process_time()
        walk(graph, QUERY.format(number), turns - number)
        walked.append((process_time() - started) * 1e3)
    rows = [
        ("reading a turn", float(np.median(spent)), "ms of CPU", f"median of {len(spent)}, once a turn"),
        (
            "reading a turn, slowest twentieth",
            float(np.quantile(spent, 0.95)),
            "ms of CPU",
            "95th percentile",
        ),
        (
            f"walk over {turns:,} turns",
            float(np.median(walked)),
            "ms of CPU",
            f"median of {repeats}, once a prompt",
        ),
        ("entities", float(graph.size()), "entities", f"in {turns:,} turns"),
        ("relations", float(graph.relations().height), "relations", f"in {turns:,} turns"),
    ]
    return pl.DataFrame(rows, schema=["what", "value", "unit", "how"], orient="row")


BENCHES.add(
    "graph",
    Bench(measure_graph, lambda: {"types": tuple(RELATION_LABELS)}, "what the graph of entities costs"),
)
