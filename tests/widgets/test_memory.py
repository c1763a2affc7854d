"""What a long session leaves behind."""

import gc
from pathlib import Path

from ipywidgets.widgets.widget import _instances as live_widgets

from hydralab.widgets import Stepper, TriggerLab
from hydralab.widgets.controls import Controls, Rule

PAGE = 4_096
MOST_BYTES = 20_000_000


def resident():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


def test_200_steps_and_200_triggers_leave_neither_widgets_nor_much_memory(run, lab):
    """FAULTS 35, 44."""
    stepper, tuner = Stepper(run), TriggerLab(lab)

    def session(rounds):
        for number in range(rounds):
            stepper.position = number % run.turns.height
            rules = (Rule("shift", 0.3 + number % 60 / 100),)
            tuner.set_state({"_edit": {"controls": Controls(rules=rules).to_json(), "serial": number}})

    session(60)
    widgets, before = len(live_widgets), resident()
    session(200)
    assert len(live_widgets) == widgets
    assert resident() - before < MOST_BYTES
    stepper.close()
    tuner.close()
