"""How well triggers place boundaries on dialogues with gold, beside the floors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.encoders import embed, get_encoder
from hydralab.frames import Corpus
from hydralab.metrics import score_boundaries
from hydralab.readers import example, read_all
from hydralab.signals import default_signals
from hydralab.triggers import Trigger, default_trigger, find_boundaries, resolve_trigger

__all__ = ["README_TRIGGERS", "measure_segmentation"]

BUNDLED = ("launch_zh", "launch_en", "long_zh", "long_en")
README_TRIGGERS = {
    "readme, zh": '((hl.col.shift > 0.8) | hl.cue("换个话题|另外")).place(min_turns=4, max_turns=40)',
    "readme, en": '((hl.col.shift > 0.8) | hl.cue("on another note|by the way")).place(min_turns=4, max_turns=40)',
}
"""The trigger that the README shows, in both languages."""


def measure_segmentation(
    sets: Mapping[str, Path] | None = None,
    *,
    triggers: Mapping[str, Trigger | str] | None = None,
    encoder: str = "use",
    progress: bool = False,
) -> pl.DataFrame:
    """Score triggers against gold boundaries, dialogue by dialogue, and the floors with them.

    Parameters
    ----------
    sets
        Name → file or folder with gold boundaries; the bundled dialogues when None.
    triggers
        Name → trigger; the README's and the default one when None.

    Returns
    -------
    DataFrame
        A row a set and method: set, method ("floor: …" for floors), dialogues, gold and predicted
        (numbers of boundaries), fires (share of turns that start a new span), pk, window_diff,
        f1, tolerance_f1, score, ratio.
    """
    from tqdm.auto import tqdm

    paths = {name: example(name) for name in BUNDLED} if sets is None else sets
    chosen = triggers or {"default": default_trigger(), **README_TRIGGERS}
    frames = []
    for name, path in tqdm(paths.items(), disable=not progress, unit="set"):
        corpus = read_all(path)
        frames += _measure_set(name, corpus, chosen, encoder)
    return pl.concat(frames).unique(["set", "method"], keep="first", maintain_order=True)


def _measure_set(
    name: str, corpus: Corpus, triggers: Mapping[str, Trigger | str], encoder: str
) -> list[pl.DataFrame]:
    vectors = embed(corpus.turns["text"].to_list(), get_encoder(encoder)).vectors
    return [
        score_boundaries(
            find_boundaries(resolve_trigger(trigger), corpus.turns, vectors, encoder=encoder),
            corpus.gold,
            corpus.turns,
        )
        .means.with_columns(
            pl.lit(name).alias("set"),
            pl.when(pl.col("method") == "predicted")
            .then(pl.lit(method))
            .otherwise("floor: " + pl.col("method"))
            .alias("method"),
            (pl.col("predicted") / max(corpus.turns.height, 1)).alias("fires"),
        )
        .select("set", "method", pl.exclude("set", "method"))
        for method, trigger in triggers.items()
    ]


BENCHES.add(
    "segmentation",
    Bench(
        measure_segmentation,
        lambda: {"trigger": default_trigger(), "signals": default_signals()},
        "boundaries of triggers against gold, beside the floors",
    ),
)
