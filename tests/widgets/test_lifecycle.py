import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient

SETUP = """
import hydralab as hl
from ipywidgets.widgets.widget import _instances
lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
run = lab.replay(hl.Hydration(), budget=600)
"""
STEPPER = "hl.widgets.Stepper(run)"
ALL = """
a, b, c = hl.widgets.TriggerLab(lab), hl.widgets.Stepper(run), hl.widgets.RecallLab(lab)
d = hl.widgets.Compare([run, run])
b.mark("boundary", 8)
d
"""
COUNT = "len(_instances)"


@pytest.mark.notebook
@pytest.mark.slow
def test_a_cell_run_twenty_times_has_as_many_live_widgets_as_run_once():
    """FAULTS 35, 44."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SETUP)])
    cells = [nbformat.v4.new_code_cell(source) for source in (STEPPER, ALL, COUNT)]
    notebook.cells += cells
    client = NotebookClient(notebook, timeout=120, kernel_name="python3")
    with client.setup_kernel():
        client.execute_cell(notebook.cells[0], 0)
        counts = []
        for _ in range(20):
            for index, cell in enumerate(cells, start=1):
                client.execute_cell(cell, index)
            counts.append(int(cells[-1].outputs[0]["data"]["text/plain"]))
    assert counts == [10] * 20


@pytest.mark.notebook
def test_a_saved_notebook_holds_the_state_and_the_picture_of_its_widgets():
    """FAULTS 36."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in (SETUP, STEPPER)])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    data = notebook.cells[1].outputs[0]["data"]
    model_id = data["application/vnd.jupyter.widget-view+json"]["model_id"]
    (state,) = notebook.metadata["widgets"].values()
    assert state["state"][model_id]["state"]["position"] == 14
    assert "<table" in data["text/html"]


def test_the_package_is_light_until_a_widget_is_used():
    heavy = ("anywidget", "ipywidgets", "matplotlib")
    code = f"import sys, hydralab.widgets; sys.exit(any(name in sys.modules for name in {heavy}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
