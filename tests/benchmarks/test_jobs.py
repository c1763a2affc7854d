"""A benchmark's parts are done once, side by side, on a cluster too."""

import polars as pl
import pytest
from joblib import parallel_config

from hydralab.benchmarks.jobs import done_once


def squared(number):
    return pl.DataFrame({"square": [number * number]})


def squares(tables):
    return [table.item() for table in tables]


def breaking_at_three(number):
    if number == 3:
        raise ValueError("three")
    return squared(number)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HYDRALAB_CACHE", str(tmp_path))


def test_a_run_that_was_cut_short_goes_on_where_it_was():
    parts = {str(number): number for number in range(5)}
    done = []
    with pytest.raises(ValueError, match="three"):
        done.extend(done_once(breaking_at_three, parts, rests_on={"code": 1}))
    counted = []

    def counting(number):
        counted.append(number)
        return squared(number)

    assert squares(done_once(counting, parts, rests_on={"code": 1})) == [0, 1, 4, 9, 16]
    assert counted == [3, 4]


def test_all_is_done_again_where_what_it_rests_on_has_changed():
    counted = []

    def counting(number):
        counted.append(number)
        return squared(number)

    for code in (1, 1, 2):
        list(done_once(counting, {"a": code}, rests_on={"code": code}))
    assert counted == [1, 2]


def test_what_is_kept_and_damaged_is_done_again(tmp_path):
    list(done_once(squared, {"a": 3}, rests_on={}))
    (kept,) = (tmp_path / "bench").glob("*.parquet")
    kept.write_bytes(b"PAR1 nonsense")
    assert squares(done_once(squared, {"a": 3}, rests_on={})) == [9]


def test_a_local_cluster_of_dask_does_the_parts():
    from distributed import Client, LocalCluster

    parts = {str(number): number for number in range(4)}
    with (
        LocalCluster(n_workers=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster),
        parallel_config(backend="dask"),
    ):
        assert squares(done_once(squared, parts, rests_on={})) == [0, 1, 4, 9]
