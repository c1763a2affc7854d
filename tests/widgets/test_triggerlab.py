import pytest
from ipywidgets.widgets.widget import _instances as live_widgets

from hydralab.errors import HydralabError
from hydralab.widgets import TriggerLab
from hydralab.widgets.controls import Controls, Rule

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


def test_what_is_shown_is_written_as_a_page(widget, tmp_path):
    """FAULTS 45."""
    page = widget.to_html(tmp_path / "trigger.html").read_text(encoding="utf-8")
    assert "this trigger" in page
    assert "<script" not in page
    widget.close()
    with pytest.raises(HydralabError, match="it is closed"):
        widget.to_html(tmp_path / "trigger.html")
