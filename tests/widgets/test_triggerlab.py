import pytest
from ipywidgets.widgets.widget import _instances as live_widgets

from hydralab.errors import HydralabError
from hydralab.widgets import TriggerLab
from hydralab.widgets.controls import Controls, Rule
from tests.widgets.conftest import unpacked

CUES = "hl.cue('另外|之前提到').place(min_turns=2, max_turns=40)"


@pytest.fixture
def widget(lab):
    made = TriggerLab(lab)
    yield made
    made.close()


def edit(widget, **change):
    """Let the widget take an edit as if the browser had sent it."""
    widget.set_state({"_edit": {**change, "serial": widget._edit.get("serial", 0) + 1}})


def test_it_hands_back_what_is_shown(widget, lab):
    edit(widget, text=CUES)
    assert widget.text == repr(widget.trigger)
    assert widget.boundaries["position"].to_list() == [8, 14]
    assert widget.checkpoints["start"].to_list() == [0, 8, 14]


def test_a_slider_moves_text_boundaries_and_scores(widget):
    edit(widget, controls=Controls(rules=(Rule("shift", 0.95),)).to_json())
    few, text = widget._result["boundaries"], widget.text
    edit(widget, controls=Controls(rules=(Rule("shift", 0.2),)).to_json())
    assert len(widget._result["boundaries"]) > len(few)
    assert widget.text != text
    assert widget._result["previous"] == few


@pytest.mark.parametrize(
    "change",
    [
        {"text": "hl.col.shfit > 0.5"},
        {"text": "__import__('os')"},
        {"controls": {**Controls().to_json(), "cue": "("}},
        {"controls": {}},
    ],
)
def test_a_wrong_edit_is_told_and_breaks_nothing(widget, change):
    edit(widget, text=CUES)
    edit(widget, **change)
    assert widget.error
    assert widget.boundaries["position"].to_list() == [8, 14]
    edit(widget, text=CUES)
    assert widget.error == ""


def test_the_text_can_be_set_from_python(widget):
    widget.text = CUES
    assert widget._result["boundaries"] == [8, 14]


def test_close_frees_every_widget(lab):
    """FAULTS 35, 44."""
    before = len(live_widgets)
    made = TriggerLab(lab)
    made.close()
    assert len(live_widgets) == before
    assert made.trigger is None


def test_the_saved_notebook_has_a_picture_and_a_line_of_text(widget):
    """FAULTS 36, 46."""
    edit(widget, text=CUES)
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"] == f"TriggerLab(新品发布会筹备与员工福利, {widget.text})"
    assert "Score" in data["text/html"]
    assert len(data["text/html"].encode()) < 50_000


def test_a_page_holds_a_grid_of_thresholds_and_shortest_spans(widget, tmp_path):
    """FAULTS 45."""
    path = widget.to_html(tmp_path / "trigger.html")
    told = unpacked(path)
    assert len(told["grid"]) == len(told["thresholds"]) * len(told["shortest"])
    at = told["thresholds"].index(0.5)
    edit(widget, controls=Controls(rules=(Rule("shift", 0.5),), min_turns=2).to_json())
    cell = told["grid"][f"{at} 2"]
    assert cell["boundaries"] == widget._result["boundaries"]
    assert cell["starts"] == [span["start"] for span in widget._result["spans"]]
    assert cell["scores"] == widget._result["scores"][0]["scores"]
    assert (cell["text"], cell["fired"]) == (widget.text, widget._result["fired"])
    assert "this trigger" in path.read_text(encoding="utf-8").split("<noscript>")[1]


def test_a_page_of_a_trigger_without_sliders_shows_it_alone(widget, tmp_path):
    widget.text = "~hl.cue('另外')"
    told = unpacked(widget.to_html(tmp_path / "trigger.html"))
    assert (told["grid"], told["swept"]) == ({}, {})
    assert told["result"]["boundaries"] == widget._result["boundaries"]
    widget.close()
    with pytest.raises(HydralabError, match="it is closed"):
        widget.to_html(tmp_path / "trigger.html")


def ask(widget, **message):
    """Let the widget answer a question as if the browser had sent it."""
    widget._handle_custom_msg({"id": "1", **message}, [])


def test_python_in_the_box_is_run_on_request_and_kept(widget):
    source = "@hl.step_trigger(init=0)\ndef seventh(n, row):\n    return n + 1, n % 7 == 0, 1.0"
    edit(widget, text=source)
    assert "no expression" in widget.error
    ask(widget, ask="run", source=source)
    assert widget.error == ""
    assert widget.text == "hl.get_trigger('seventh')"
    assert widget._result["source"] == source
    assert widget.boundaries["position"].to_list() == [7, 14]
    ask(widget, ask="run", source="1 / 0")
    assert widget.error == "trigger source, line 1: ZeroDivisionError: division by zero"
    assert widget.text == "hl.get_trigger('seventh')"


def test_a_trigger_that_is_kept_stays_beside_all_that_follow(widget):
    edit(widget, text=CUES)
    ask(widget, ask="keep", on=True)
    for threshold in (0.5, 0.6):
        edit(widget, controls=Controls(rules=(Rule("shift", threshold),)).to_json())
    assert widget._result["previous"] == [8, 14]
    assert widget._result["scores"][1]["name"] == "the kept one"
    ask(widget, ask="keep", on=False)
    assert widget._result["previous"] == []
