import polars as pl
import pytest

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.widgets import Stepper, pages
from hydralab.widgets.recorded_steps import stepper_recording
from hydralab.widgets.stepper_state import StepperState
from tests.widgets.conftest import unpacked


@pytest.fixture
def stepping(run):
    return StepperState(run, 14)


def test_a_page_holds_what_every_turn_and_every_question_shows(stepping, run):
    told = stepper_recording(stepping, 500)
    places = {
        int(turn): {**record["moment"], **place}
        for key, record in told["prompts"].items()
        for turn, place in record["places"].items()
        if not record["moment"]["question"]
    }
    assert sorted(places) == list(range(run.turns.height))
    for turn in (0, 9, 14, 15, 19):
        stepping.go(turn)
        assert places[turn] == stepping.moment()
    assert set(run.questions["question_id"]) <= set(told["prompts"])
    assert told["note"] == ""
    assert told["misses"] == stepping.losses()


def test_a_page_holds_the_prompts_nearest_to_the_present_turn_and_says_how_many(stepping):
    told = stepper_recording(stepping, 3)
    assert {"12", "14", "16"} <= set(told["prompts"])
    assert told["note"].startswith("this page holds 3 of 10 prompts")
    assert stepping.position == 14


def test_a_page_stays_within_its_size(stepping, monkeypatch):
    monkeypatch.setattr(pages, "LARGEST", 4_000)
    told = stepper_recording(stepping, 500)
    assert 1 <= len(told["prompts"]) < 5
    assert "14" in told["prompts"]


def test_a_stepper_writes_its_page_where_it_stands(run, tmp_path):
    """FAULTS 45."""
    stepper = Stepper(run, at=16)
    path = stepper.to_html(tmp_path / "launch.html")
    assert unpacked(path)["position"] == 16
    written = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert "http" not in written.replace('http-equiv="Content', "")
    assert written.count("<script") == 2
    assert path.read_bytes() == stepper.to_html(tmp_path / "again.html").read_bytes()
    stepper.close()


@pytest.mark.parametrize("name", ["page.txt", "missing/page.html"])
def test_a_page_that_cant_be_written_is_refused_in_words(run, tmp_path, name):
    stepper = Stepper(run)
    with pytest.raises(HydralabError, match="expected"):
        stepper.to_html(tmp_path / name)
    stepper.close()
    with pytest.raises(HydralabError, match="it is closed"):
        stepper.to_html(tmp_path / "page.html")


@pytest.mark.parametrize("texts", [["  "], ["  ", "Hello?", "</script><b>hi"]])
def test_a_dialogue_of_almost_nothing_makes_a_page_of_no_hostile_text(texts, tmp_path):
    frame = pl.DataFrame({"role": ["user", "assistant", "user"][: len(texts)], "text": texts})
    stepper = Stepper(hl.Lab(hl.from_frame(frame)).replay(hl.SlidingWindow(), budget=300))
    assert "</script><b>" not in stepper.to_html(tmp_path / "small.html").read_text(encoding="utf-8")
    stepper.close()
