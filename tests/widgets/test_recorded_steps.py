import json

import pytest

import hydralab as hl
from hydralab.widgets import Compare
from hydralab.widgets.compare_state import CompareState
from hydralab.widgets.recorded_steps import compare_recording
from tests.widgets.conftest import unpacked


@pytest.fixture(scope="module")
def runs(lab):
    return [lab.replay(each, budget=400) for each in (hl.Hydration(), hl.SlidingWindow(), hl.FullHistory())]


def told_at(told, position, question=""):
    """What the page shows at a place, of all runs."""
    for key, record in told["prompts"].items():
        if (key == question if question else not record["moment"]["question"]) and str(position) in record[
            "places"
        ]:
            place = record["places"][str(position)]
            columns = zip(record["moment"]["columns"], place["columns"], strict=True)
            return {**place, "columns": [{**whole, **own} for whole, own in columns]}
    raise AssertionError(f"the page doesn't hold turn {position}")


def test_a_page_holds_the_prompts_of_all_runs_at_every_turn_and_question(runs):
    comparing = CompareState(runs, 14)
    told = compare_recording(comparing, 500, 100)
    comparing.show([0, 1, 2])
    for turn in range(runs[0].turns.height):
        comparing.go(turn)
        assert told_at(told, turn) == comparing.moment()
    for name in runs[0].questions["question_id"]:
        comparing.go(0, name)
        assert told_at(told, comparing.position, name) == comparing.moment()
    assert told["losses"] == comparing.losses(0, 100)["rows"]
    assert told["note"] == ""


def test_a_page_holds_the_nearest_prompts_and_opens_where_one_stands(runs, tmp_path):
    widget = Compare(runs, at=14)
    widget.shown = [1]
    path = widget.to_html(tmp_path / "compare.html", prompts=2, questions=1)
    told = unpacked(path)
    assert (told["position"], told["shown"]) == (14, [1])
    assert {"14", "12"} <= set(told["prompts"])
    assert told["note"].startswith("this page holds 2 of 10 prompts")
    assert len({row["question"] for row in told["losses"]}) == 1
    assert "http" not in json.dumps(told)
    widget.close()
