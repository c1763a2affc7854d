"""`hl.sweep`: one table of a measurement at every point of a grid."""

import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError


def test_every_combination_is_a_row_with_its_parameters():
    frame = hl.sweep(
        {"budget": [200, 400], "strategy": ["sliding_window", hl.Hydration()], "data": ["launch_en"]}
    )
    assert frame.columns[:3] == ["budget", "strategy", "data"]
    assert frame.height == 4
    assert frame["error"].null_count() == 4
    window, hydration = frame.filter(budget=400).sort("strategy", descending=True)["verbatim"]
    assert hydration > window


def test_any_setting_of_a_strategy_and_of_its_parts_is_a_parameter():
    grid = {
        "data": ["launch_zh"],
        "budget": [400],
        "recall.blend": ["lexical", "default"],
        "split.recent": [0, 70],
    }
    grid["split.recalled"] = [90, 20]
    frame = hl.sweep(grid)
    failed = frame.filter(pl.col("error").is_not_null())
    assert set(failed["split.recent"]) <= {70}  # 10 + 90 + 70 is more than the budget
    assert frame.filter(pl.col("error").is_null())["verbatim"].is_between(0, 1).all()


def test_a_point_that_fails_costs_that_point_only():
    frame = hl.sweep({"recent_rounds": [1, -3], "data": ["launch_en"]})
    assert frame["error"][0] is None
    assert "recent_rounds" in frame["error"][1]
    unknown = hl.sweep({"recent_round": [1], "data": ["launch_en"]})["error"][0]
    assert "recent_rounds" in unknown


def test_a_measure_of_ones_own_returns_a_number_a_mapping_or_a_table():
    assert hl.sweep({"x": [2, 3]}, lambda x: x**2)["value"].to_list() == [4, 9]
    assert hl.sweep({"x": [2]}, lambda x: {"half": x / 2})["half"].item() == 1
    table = hl.sweep({"x": [1, 2]}, lambda x: pl.DataFrame({"y": list(range(x))}))
    assert table.select("x", "y").rows() == [(1, 0), (2, 0), (2, 1)]


@pytest.mark.parametrize("grid", [{"x": "abc"}, {"x": []}, {"x": 3}, [1, 2]])
def test_what_is_no_grid_is_refused(grid):
    with pytest.raises(HydralabError, match="expected a list of values"):
        hl.sweep(grid, lambda x: x)


def test_a_measurement_may_not_hide_a_parameter():
    with pytest.raises(HydralabError, match="'x'"):
        hl.sweep({"x": [1]}, lambda x: {"x": 2})
