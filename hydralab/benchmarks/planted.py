"""A fact planted in one of eight checkpoints: do measures of attention, and the controls, find it?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from hydralab.attention import Attention, attend, load_language_model
from hydralab.benchmarks.planted_texts import THINGS, TOPICS
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.frames import build, empty
from hydralab.packing import Context, Packing, Recalled, pack

__all__ = ["CHECKPOINTS", "Planted", "measure_planted", "plant", "rank_planted"]

SEED = 5
CHECKPOINTS = 8
CONTEXTS = 20
ABLATIONS = 32
BUDGET = 8_000

MEASURES = (
    "mass",
    "mass_per_token",
    "sink_free",
    "lift",
    "adjusted_lift",
    "retrieval",
    "rollout",
    "leave_one_out",
    "ablation",
)
"""Columns of `Attention.measures` that are ranked."""


@dataclass(frozen=True)
class Planted:
    """A context of eight checkpoints that each name a code for something else.

    `item_id` is the checkpoint that holds what the query asks for, `place` its place among them, from 0.
    """

    context: Context
    answer: str
    item_id: str
    place: int


def plant(number: int, *, seed: int = SEED) -> Planted:
    """Return one context.

    Every checkpoint says of one thing what its code is, in the same words, amid sixty-five tokens or so on
    a topic; the query asks for one of them. So a checkpoint can't be found by its form or its length.
    """
    rng = np.random.default_rng((seed, number))
    topics = rng.permutation(len(TOPICS))[:CHECKPOINTS]
    things = rng.permutation(len(THINGS))[:CHECKPOINTS]
    codes = rng.choice(np.arange(1_000, 10_000), CHECKPOINTS, replace=False)
    place = int(rng.integers(CHECKPOINTS))
    facts = [
        f"The code for the {THINGS[thing]} is {code}." for thing, code in zip(things, codes, strict=True)
    ]
    rows = [
        {
            "checkpoint_id": f"planted#{i}",
            "dialogue_id": "planted",
            "kind": "topic",
            "start": 4 * i,
            "end": 4 * i + 3,
            "title": TOPICS[topic][0],
            "summary": " ".join([TOPICS[topic][1], fact, *TOPICS[topic][2:]]),
            "status": "ready",
        }
        for i, (topic, fact) in enumerate(zip(topics, facts, strict=True))
    ]
    candidates = [
        {
            "query_id": "query",
            "dialogue_id": "planted",
            "item_id": row["checkpoint_id"],
            "kind": "checkpoint",
            "score": 1.0,
            "rank": i,
            "source_turn_ids": [],
        }
        for i, row in enumerate(rows)
    ]
    context = pack(
        f"What is the code for the {THINGS[things[place]]}?",
        empty("turns"),
        budget=BUDGET,
        recalled=Recalled.of(build("candidates", candidates), build("checkpoints", rows)),
        packing=Packing(system="Answer in one short sentence."),
        dialogue_id="planted",
    )
    return Planted(context, facts[place], f"planted#{place}", place)


def measure_planted(
    *, contexts: int = CONTEXTS, model: str = "smollm2", progress: bool = False
) -> pl.DataFrame:
    """Say how often each measure gives most to the checkpoint that holds the answer.

    The right answer is read along, so that every measure sees the same words. Shuffled in eight orders, and
    ablated 32 times.

    Returns
    -------
    DataFrame
        measure, first (contexts in which the right checkpoint ranks first; equal ones share it), contexts,
        rate, low and high (95 % interval of Wilson), chance, mean_rank (1 to 8), agreement (mean rank
        correlation with leave_one_out), by_place (first, for each place of the checkpoint, as "first/number").
    """
    loaded = load_language_model(model)
    rows = []
    for number in _shown(contexts, progress):
        planted = plant(number)
        found = attend(
            loaded,
            planted.context,
            planted.answer,
            with_rollout=True,
            shuffles=CHECKPOINTS,
            ablations=ABLATIONS,
        )
        rows += rank_planted(planted, found)
    return _summary(pl.DataFrame(rows))


def rank_planted(planted: Planted, found: Attention) -> list[dict[str, object]]:
    """Return a row a measure: the rank of the right checkpoint, 1 for the first; ties share ranks."""
    table = found.measures().filter(pl.col("section") == "checkpoint")
    right = table["item_id"].to_list().index(planted.item_id)
    rows: list[dict[str, object]] = []
    for measure in MEASURES:
        ranks = table[measure].fill_null(-np.inf).rank("average", descending=True)
        tied = int((ranks == ranks[right]).sum())
        rows.append(
            {
                "measure": measure,
                "place": planted.place,
                "rank": float(ranks[right]),
                "first": 1.0 / tied if ranks[right] == ranks.min() else 0.0,
                "agreement": found.agreement(measure) if measure != "leave_one_out" else None,
            }
        )
    return rows


def _summary(rows: pl.DataFrame) -> pl.DataFrame:
    n, z2 = pl.col("contexts"), 1.96**2
    middle = (pl.col("rate") + z2 / (2 * n)) / (1 + z2 / n)
    half = 1.96 * (pl.col("rate") * (1 - pl.col("rate")) / n + z2 / (4 * n**2)).sqrt() / (1 + z2 / n)
    places = (
        rows.group_by("measure", "place", maintain_order=True)
        .agg(pl.col("first").sum().round(1), pl.len())
        .sort("place")
        .group_by("measure", maintain_order=True)
        .agg(pl.format("{}/{}", pl.col("first"), pl.col("len")).str.join(" ").alias("by_place"))
    )
    return (
        rows.group_by("measure", maintain_order=True)
        .agg(
            pl.col("first").sum(),
            pl.len().cast(pl.Int64).alias("contexts"),
            pl.col("first").mean().alias("rate"),
            pl.col("rank").mean().alias("mean_rank"),
            pl.col("agreement").fill_nan(None).mean(),
        )
        .with_columns((middle - half).alias("low"), (middle + half).alias("high"))
        .with_columns(pl.lit(1 / CHECKPOINTS).alias("chance"))
        .join(places, on="measure", how="left", maintain_order="left")
        .select(
            "measure",
            "first",
            "contexts",
            "rate",
            "low",
            "high",
            "chance",
            "mean_rank",
            "agreement",
            "by_place",
        )
        .with_columns(pl.col("rate", "low", "high", "mean_rank", "agreement").round(3))
    )


def _shown(contexts: int, progress: bool) -> range:
    from tqdm import tqdm

    shown: range = tqdm(range(contexts), desc="planted", disable=not progress)
    return shown


def _defaults() -> dict[str, object]:
    from hydralab.attention.capture import FIRST_TOKENS, SINK_NEAR, SINK_ROWS, SINK_TIMES

    return {
        "sinks": (FIRST_TOKENS, SINK_NEAR, SINK_ROWS, SINK_TIMES),
        "planted": (CHECKPOINTS, ABLATIONS, SEED),
    }


BENCHES.add(
    "planted",
    Bench(
        measure_planted, _defaults, "how often measures of attention rank the checkpoint with the fact first"
    ),
)
