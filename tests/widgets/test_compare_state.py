import gc
import json
import weakref

import polars as pl
import pytest
from ipywidgets.widgets.widget import _instances as live_widgets

import hydralab as hl
from hydralab.errors import HydralabError
from hydralab.frames import build
from hydralab.plots.evidence import evidence_recall
from hydralab.widgets import Compare
from hydralab.widgets.compare_state import CompareState, named_runs
from hydralab.widgets.stepper_state import StepperState


@pytest.fixture(scope="module")
def runs(lab):
    strategies = (hl.Hydration(), hl.SlidingWindow(rounds=2))
    return [lab.replay(strategy, budget=budget) for budget in (250, 600) for strategy in strategies]


@pytest.fixture
def comparing(runs):
    return CompareState(runs)


def test_the_prompts_of_one_turn_stand_side_by_side(comparing, runs):
    comparing.go(14)
    shown = comparing.moment()
    assert [column["run"] for column in shown["columns"]] == [0, 1]
    for column, run in zip(shown["columns"], runs, strict=False):
        assert column["tokens"] == run.step(14).tokens
        assert column["items"] == StepperState(run, 14).moment()["items"]
    assert shown["said"]["text"] == "之前提到的市场推广预算是多少？"
    comparing.show([3, 0, 9])
    assert [column["run"] for column in comparing.moment()["columns"]] == [0, 3]
    assert comparing.contexts()["sliding_window, 600"].tokens == runs[3].step(14).tokens


def test_a_gold_question_is_asked_in_every_run(comparing, runs):
    comparing.go(0, "launch_zh:q02")
    assert comparing.position == 16
    assert [each.query_id for each in comparing.contexts().values()] == ["launch_zh:q02"] * 2
    with pytest.raises(HydralabError, match="no question 'q99'"):
        comparing.go(0, "q99")


def test_the_table_of_losses_holds_the_stage_of_each_piece_in_each_run(comparing, runs):
    for name, run in comparing.runs.items():
        expected = run.misses().select("question_id", "turn_id", "stage")
        assert comparing.misses.select("question_id", "turn_id", stage=name).equals(expected)
    first, second = comparing.losses(0, 2), comparing.losses(2, 99)
    assert (first["next"], second["next"]) == (2, None)
    rows = first["rows"] + second["rows"]
    assert len(rows) == comparing.misses.height
    assert [cell["stage"] for cell in rows[0]["cells"]] == list(comparing.misses.row(0))[2:]


def test_evidence_recall_is_the_share_of_pieces_that_were_met(comparing, runs):
    for name, run in comparing.runs.items():
        met = (comparing.misses[name] == "met").mean()
        assert evidence_recall(run) == pytest.approx(met)
    assert comparing.summary["evidence"].to_list() == [evidence_recall(run) for run in runs]
    assert comparing.summary["most_tokens"].to_list() == [run.steps["tokens"].max() for run in runs]


def test_runs_from_disk_and_from_memory_compare_alike(runs, tmp_path):
    again = [hl.load_run(run.save(tmp_path / str(number))) for number, run in enumerate(runs)]
    one, other = CompareState(runs), CompareState([again[0], *runs[1:3], again[3]])
    assert one.summary.equals(other.summary)
    assert one.misses.equals(other.misses)
    assert one.overview() == other.overview()
    assert one.moment() == other.moment()


def test_runs_are_told_apart_by_name(runs, lab):
    assert list(named_runs(runs))[:2] == ["hydration, 250", "sliding_window, 250"]
    assert list(named_runs([runs[0], runs[0]])) == ["hydration", "hydration (2)"]
    assert list(named_runs({"mine": runs[0], "old": runs[1]})) == ["mine", "old"]
    assert list(named_runs(runs[0])) == ["hydration"]


def test_what_can_not_be_compared_is_refused(runs):
    other = hl.Lab(hl.read_all(hl.example("launch_en"))).replay("sliding_window", budget=300)
    with pytest.raises(HydralabError, match="expected the same dialogue"):
        CompareState([runs[0], other])
    with pytest.raises(HydralabError, match="got no run"):
        CompareState([])
    for wrong in ([runs[0].steps], "hydration", 3):
        with pytest.raises(HydralabError, match="expected a run"):
            CompareState(wrong)


def test_prompts_that_do_not_fit_and_dialogues_without_gold_are_compared_too(lab):
    small = lab.replay(hl.FullHistory(system="很长的系统提示。" * 40), budget=200)
    bare = hl.Lab(hl.from_frame(pl.DataFrame({"role": ["user", "assistant"], "text": ["<b>Hi", "Hello"]})))
    for runs in ([small, lab.replay("hydration", budget=400)], [bare.replay("full_history", budget=300)]):
        widget = Compare(runs)
        json.dumps([widget._overview, widget._moment, widget._comparing.losses()], allow_nan=False)
        assert "<b>Hi" not in widget._repr_mimebundle_()[0]["text/html"]
        widget.close()
    assert CompareState([small]).summary["evidence"].to_list() == [0.0]


def test_evidence_at_a_turn_that_is_not_there_has_no_stage():
    lab = hl.Lab(hl.read(hl.example("launch_zh")))
    row = {
        "question_id": "q",
        "dialogue_id": "launch_zh",
        "text": "预算？",
        "evidence": ["nope", "launch_zh:t003"],
    }
    lab.annotate(questions=build("questions", [row]))
    widget = Compare([lab.replay("full_history", budget=400)])
    assert widget.misses["full_history"].to_list()[0] is None
    assert "<td" in widget._repr_mimebundle_()[0]["text/html"]
    widget.close()


def test_the_widget_follows_shows_errors_and_frees_everything(runs, tmp_path):
    """FAULTS 35, 36, 44."""
    before = len(live_widgets)
    widget = Compare(runs, at=14)
    widget.position = 18
    assert widget._moment["position"] == 18
    widget.question = "launch_zh:q02"
    assert (widget.position, widget._moment["question"]) == (16, "launch_zh:q02")
    widget.question = "q99"
    assert "no question 'q99'" in widget.error
    widget.shown = [2]
    assert [column["run"] for column in widget._moment["columns"]] == [2]
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"].startswith(
        "Compare(新品发布会筹备与员工福利, hydration, 250, sliding_window, 250,"
    )
    assert data["text/html"].count("data:image/png") == 2
    assert len(data["text/html"].encode()) < 90_000
    assert "✔ verbatim" in widget.to_html(tmp_path / "compare.html").read_text(encoding="utf-8")
    controller = weakref.ref(widget._comparing)
    widget.close()
    gc.collect()
    assert controller() is None
    assert len(live_widgets) == before
    assert (widget.summary, widget.contexts, repr(widget)) == (None, {}, "Compare(closed)")
