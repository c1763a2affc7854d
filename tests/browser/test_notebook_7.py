"""The first notebook, as it ships, in Notebook 7: run whole, then stepped and marked by keys, as in JupyterLab."""

import re
import shutil
from pathlib import Path

import pytest
from jupyter_browser import NOTEBOOK_7, jupyter_lab, start_all, wait_until_idle
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHIPPED = Path(__file__).parents[2] / "notebooks" / "01_first_look.ipynb"


@pytest.fixture
def notebook(tmp_path, page):
    with jupyter_lab(tmp_path, NOTEBOOK_7) as running:
        shutil.copy(SHIPPED, tmp_path / SHIPPED.name)
        running.open(page, SHIPPED.name)
        # Notebook 7.6 raises an error of its own on any page, before a cell has run.
        page.complaints.clear()
        yield running


def test_the_first_notebook_runs_and_its_stepper_is_stepped_by_keys(notebook, page):
    start_all(page)
    wait_until_idle(page, timeout=300)
    stepper = page.locator(".hl-stepper").first
    stepper.scroll_into_view_if_needed()
    expect(stepper.locator("h3")).to_have_text("what the model saw at turn 20")
    stepper.focus()
    page.keyboard.press("ArrowRight")
    expect(stepper.locator(".hl-counter")).to_have_text("21 / 21")
    page.keyboard.press("Home")
    expect(stepper.locator("h3")).to_have_text("what the model saw at turn 0")
    page.keyboard.press("PageDown")
    expect(stepper.locator(".hl-counter")).not_to_have_text("0 / 21")
    page.keyboard.press("a")
    page.keyboard.press("b")
    expect(stepper.locator(".hl-mark-mine")).to_have_count(1)
    stepper.get_by_label("search the transcript").fill("budget")
    expect(stepper.locator(".hl-search output")).to_have_text(re.compile(r"^1 / \d+$"))
