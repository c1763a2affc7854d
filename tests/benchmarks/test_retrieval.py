"""`bench retrieval` on bundled dialogues: rows a level, method and metric, with intervals and leads."""

import polars as pl
import pytest

from hydralab.benchmarks.retrieval import LEVERS, METHODS, measure_retrieval
from hydralab.errors import HydralabError
from hydralab.readers import example


@pytest.fixture(scope="module")
def launch():
    return measure_retrieval({"launch": example("launch_en")}, ablate=True)


def value(frame, **wanted):
    return frame.filter(**{"level": "turn", "category": "all", **wanted}).item(0, "value")


def test_every_method_has_each_metric_within_its_interval(launch):
    turns = launch.filter(level="turn", category="all")
    assert set(METHODS) < set(turns["method"])
    means = turns.drop_nulls("k")
    assert means.select((pl.col("lo") <= pl.col("value")) & (pl.col("value") <= pl.col("hi")))["lo"].all()
    assert {"mrr", "ndcg", "ndcg_longmemeval", "recall_any", "recall_all"} <= set(turns["metric"])


def test_recall_grows_with_k_and_beats_the_newest_first(launch):
    found = [value(launch, method="hydralab", metric="recall_proportional", k=k) for k in (1, 5, 10)]
    assert found == sorted(found)
    assert found[1] > value(launch, method="newest first", metric="recall_proportional", k=5)


def test_named_metrics_come_alone_with_their_leads_over_all_categories():
    some = measure_retrieval({"launch": example("launch_en")}, metrics=["recall_proportional"])
    assert set(some["metric"]) == {"recall_proportional", "recall_proportional, lead of hydralab"}
    assert set(some["category"]) == {"all"}
    with pytest.raises(HydralabError, match="'mrr'"):
        measure_retrieval({"launch": example("launch_en")}, methods=["bm25"], metrics=["mmr"])


def test_a_lead_is_the_difference_of_the_means(launch):
    for other in ("bm25", "hydralab, no lexical"):
        lead = value(launch, method=other, metric="recall_proportional, lead of hydralab", k=5)
        ours, theirs = (
            value(launch, method=method, metric="recall_proportional", k=5) for method in ("hydralab", other)
        )
        assert lead == pytest.approx(ours - theirs, abs=2e-4)


def test_what_a_dialogue_is_called_tells_recall_nothing(tmp_path):
    """FAULTS 29: opaque ids reach the retriever."""
    text = example("launch_en").read_text(encoding="utf-8")
    told = tmp_path / "told.jsonl"
    told.write_text(text.replace('"t0', '"answer_t0'), encoding="utf-8")
    frames = [
        measure_retrieval({"set": path}, methods=["hydralab"]).drop("seconds")
        for path in (example("launch_en"), told)
    ]
    assert frames[0].equals(frames[1])


def test_an_unknown_method_names_those_there_are():
    with pytest.raises(HydralabError, match="'bm25'"):
        measure_retrieval(methods=["bm26"])


def test_what_the_default_leaves_off_has_rows_of_its_own(launch):
    assert set(LEVERS) < set(launch["method"])
    for lever in LEVERS:
        assert value(launch, method=lever, metric="recall_proportional, lead of hydralab", k=5) is not None
