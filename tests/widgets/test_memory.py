"""What a long session leaves behind: FAULTS 35, 44."""

import gc
from pathlib import Path

import pytest
from ipywidgets.widgets.widget import _instances as live_widgets

import hydralab as hl
from hydralab.widgets import AttentionExplorer, Compare, RecallLab, Stepper, TriggerLab
from hydralab.widgets.controls import Controls, Rule
from hydralab.widgets.sliders import Sliders
from tests.plots.attentions import attention

PAGE = 4_096
MOST_BYTES = 20_000_000
TURNS = 20


def resident():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


def edit(widget, number, **change):
    """Let the widget take an edit as if the browser had sent it."""
    widget.set_state({"_edit": {**change, "serial": number}})


def step(widget, number):
    widget.position = number % TURNS


def move_a_threshold(widget, number):
    edit(widget, number, controls=Controls(rules=(Rule("shift", 0.3 + number % 60 / 100),)).to_json())


def move_a_weight(widget, number):
    weights = (("dense", 0.2 + number % 40 / 50), ("lexical", 1.0))
    edit(widget, number, sliders=Sliders(weights=weights, budget=400 + number % 7).to_json())


def look_elsewhere(widget, number):
    widget.layer, widget.head, widget.word = number % 3 - 1, number % 2 - 1, number % 4 - 1


@pytest.fixture
def opened(request, lab, run):
    """A widget of each kind by its name."""
    made = {
        "Stepper": lambda: Stepper(run),
        "TriggerLab": lambda: TriggerLab(lab),
        "RecallLab": lambda: RecallLab(lab),
        "Compare": lambda: Compare([run, lab.replay(hl.SlidingWindow(), budget=600)]),
        "AttentionExplorer": lambda: AttentionExplorer(
            attention(["the launch is in autumn", "市场推广预算"], effects=[0.1, 6.5])
        ),
    }[request.param]()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("opened", "use"),
    [
        ("Stepper", step),
        ("TriggerLab", move_a_threshold),
        ("RecallLab", move_a_weight),
        ("Compare", step),
        ("AttentionExplorer", look_elsewhere),
    ],
    indirect=["opened"],
)
def test_200_changes_leave_neither_widgets_nor_much_memory(opened, use):
    for number in range(60):
        use(opened, number)
    widgets, before = len(live_widgets), resident()
    for number in range(60, 260):
        use(opened, number)
    assert opened.error == ""
    assert len(live_widgets) == widgets
    assert resident() - before < MOST_BYTES
