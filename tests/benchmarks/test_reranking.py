"""`bench reranking`: what the second stage costs a prompt, in a small run."""

from hydralab.benchmarks.reranking import measure_reranking
from hydralab.readers import example


def test_what_was_read_before_costs_less():
    measured = measure_reranking({"launch": example("launch_zh")}, methods=["e5"], limit=3)
    (row,) = measured.to_dicts()
    assert (row["set"], row["model"], row["questions"]) == ("launch", "e5", 3)
    assert 0 < row["without"] < row["cold"]
    assert 0 < row["warm"] < row["cold"]
