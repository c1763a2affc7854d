import re
import shutil
from pathlib import Path

import pytest
from jupyter_browser import start_all, view, wait_until_idle
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
CELLS = [
    """
import hydralab as hl
lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
run = lab.replay(hl.Hydration(), budget=600)
""",
    "stepper = hl.widgets.Stepper(run, at=8)\nstepper",
    "print('marked', stepper.gold['position'].to_list(), stepper.decisions['position'].to_list())\n"
    "print('asked', stepper.questions.select('text', 'evidence').row(-1))",
]


@pytest.fixture
def stepper(jupyter, page):
    jupyter.write("annotation.ipynb", CELLS)
    jupyter.open(page, "annotation.ipynb")
    jupyter.run_all(page)
    view(page).wait_for()
    return view(page)


def run_last_cell(page):
    page.locator(".jp-CodeCell").last.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    wait_until_idle(page)


def marks(stepper):
    return stepper.locator(".hl-mark-mine")


def test_turns_are_marked_by_key_and_button_and_come_back_as_tables(stepper, page):
    stepper.focus()
    page.keyboard.press("b")
    expect(marks(stepper)).to_have_count(0)
    page.keyboard.press("a")
    expect(stepper.get_by_role("toolbar", name="annotation")).to_be_visible()
    page.keyboard.press("b")
    expect(marks(stepper)).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect(stepper.locator(".hl-counter")).to_have_text("7 / 19")
    stepper.get_by_label("decision at this turn").click()
    expect(stepper.get_by_label("decision at this turn")).to_have_attribute("aria-pressed", "true")
    expect(stepper.locator("[data-turn='7'] .hl-marked")).to_contain_text("✓ decision")
    page.keyboard.press("e")
    stepper.get_by_label("question", exact=True).fill("谁来买 <b>？")
    page.keyboard.press("Enter")
    expect(stepper.get_by_label("question that the evidence is for")).to_have_value("launch_zh:me-1")
    page.keyboard.press("e")
    expect(stepper.locator("[data-turn='7'] .hl-marked")).to_contain_text("▸ evidence me-1")
    page.keyboard.press("b")
    expect(marks(stepper)).to_have_count(2)
    page.keyboard.press("u")
    expect(marks(stepper)).to_have_count(1)
    run_last_cell(page)
    output = page.locator(".jp-CodeCell").last.locator(".jp-OutputArea-output")
    expect(output).to_contain_text("marked [8] [7]")
    expect(output).to_contain_text("谁来买 <b>？")
    expect(output).to_contain_text("launch_zh:t007")


def test_letters_typed_into_the_boxes_mark_nothing(stepper, page):
    stepper.get_by_label("annotate").click()
    stepper.get_by_label("evidence at this turn").click()
    page.keyboard.type("bdeu")
    expect(stepper.get_by_label("question", exact=True)).to_have_value("bdeu")
    page.keyboard.press("Escape")
    expect(stepper.get_by_label("question", exact=True)).to_be_hidden()
    expect(marks(stepper)).to_have_count(0)


def test_a_mark_that_cannot_be_is_told_and_turn_0_has_no_button_for_it(stepper, page):
    stepper.get_by_label("annotate").click()
    stepper.get_by_label("first turn").click()
    expect(stepper.get_by_label("boundary at this turn")).to_be_disabled()
    expect(stepper.get_by_label("take the last mark back")).to_be_disabled()


@pytest.mark.parametrize(("name", "marked"), [("01_first_look", 0), ("06_prototype_a_trigger", 13)])
def test_a_shipped_notebook_runs_and_a_boundary_is_marked_in_it(jupyter, page, name, marked):
    shutil.copy(NOTEBOOKS / f"{name}.ipynb", jupyter.folder)
    jupyter.open(page, f"{name}.ipynb")
    start_all(page)
    wait_until_idle(page, timeout=300)
    stepper = page.locator(".hl-stepper").first
    stepper.scroll_into_view_if_needed()
    expect(marks(stepper)).to_have_count(marked)
    stepper.get_by_label("next turn").click()
    expect(stepper.locator(".hl-counter")).to_have_text(re.compile(r"^\d+ / \d+$"))
    stepper.get_by_label("annotate").click()
    stepper.focus()
    page.keyboard.press("b")
    expect(marks(stepper)).to_have_count(marked + 1)
    page.keyboard.press("u")
    expect(marks(stepper)).to_have_count(marked)
    assert page.locator('[data-mime-type="application/vnd.jupyter.error"]').count() == 0
