import subprocess
import sys

import nbformat
import pytest
from jupyter_browser import view
from nbclient import NotebookClient
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CELLS = [
    """
import hydralab as hl
lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
run = lab.replay(hl.Hydration(), budget=600)
""",
    "hl.widgets.Stepper(run, at=14)",
    "hl.widgets.TriggerLab(lab)",
]


@pytest.fixture
def saved(jupyter, request):
    path = jupyter.write(f"{request.node.name}.ipynb", CELLS)
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120).execute()
    nbformat.write(notebook, path)
    return path


def test_a_notebook_from_elsewhere_shows_pictures_and_tables(jupyter, page, saved):
    """FAULTS 36."""
    jupyter.open(page, saved.name)
    expect(page.locator(".jp-OutputArea img")).to_have_count(2)
    expect(page.get_by_text("之前提到的市场推广预算是多少").first).to_be_visible()
    assert view(page).count() == 0


def test_a_trusted_notebook_shows_the_widgets_and_says_when_no_kernel_answers(jupyter, page, saved):
    """FAULTS 36."""
    subprocess.run([sys.executable, "-m", "jupyter", "trust", saved], env=jupyter.environment, check=True)
    jupyter.open(page, saved.name)
    expect(view(page)).to_have_count(2)
    stepper = view(page).first
    expect(stepper.locator("h3")).to_have_text("what the model saw at turn 14")
    stepper.get_by_label("next turn").click()
    expect(stepper.get_by_role("alert")).to_have_text("no answer from the kernel: run the cell to go on")
