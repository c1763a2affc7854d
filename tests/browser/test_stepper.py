import re

import pytest
from jupyter_browser import view, wait_until_idle
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CELLS = [
    """
import hydralab as hl
lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
run = lab.replay(hl.Hydration("hl.cue('另外|之前提到').place(min_turns=2, max_turns=40)"), budget=600)
""",
    "stepper = hl.widgets.Stepper(run, at=0)\nstepper",
]


@pytest.fixture
def stepper(jupyter, page):
    jupyter.write("stepper.ipynb", CELLS)
    jupyter.open(page, "stepper.ipynb")
    jupyter.run_all(page)
    view(page).wait_for()
    return view(page)


def counter(stepper):
    return stepper.locator(".hl-counter")


def test_it_steps_by_button_key_slider_and_curve(stepper):
    expect(counter(stepper)).to_have_text("0 / 19")
    stepper.get_by_label("next turn").click()
    expect(counter(stepper)).to_have_text("1 / 19")
    stepper.focus()
    for key, place in [
        ("ArrowRight", 2),
        ("PageDown", 8),
        ("PageDown", 14),
        ("ArrowLeft", 13),
        ("End", 19),
        ("Home", 0),
    ]:
        stepper.press(key)
        expect(counter(stepper)).to_have_text(f"{place} / 19")
    stepper.get_by_role("slider").fill("14")
    expect(stepper.locator("h3")).to_have_text("what the model saw at turn 14")
    box = stepper.locator("svg.hl-curve").bounding_box()
    stepper.locator("svg.hl-curve").click(position={"x": box["width"] - 20, "y": 50})
    expect(counter(stepper)).to_have_text("19 / 19")


def test_keys_are_the_notebooks_own_while_the_focus_is_elsewhere(stepper, page):
    page.locator(".jp-Cell .cm-content").first.click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    expect(counter(stepper)).to_have_text("0 / 19")


def test_keys_of_the_notebook_do_nothing_while_the_widget_has_the_focus(stepper, page):
    cells = page.locator(".jp-CodeCell").count()
    stepper.focus()
    for key in ("a", "b", "x", "d", "d"):
        page.keyboard.press(key)
    assert page.locator(".jp-CodeCell").count() == cells


def test_the_prompt_its_difference_and_the_misses_are_behind_tabs(stepper):
    stepper.get_by_role("slider").fill("14")
    expect(stepper.locator(".hl-items .hl-item").first).to_contain_text("system")
    stepper.get_by_role("tab", name="prompt").click()
    expect(stepper.locator(".hl-message pre").last).to_have_text("之前提到的市场推广预算是多少？")
    stepper.get_by_role("tab", name="diff").click()
    expect(stepper.locator(".hl-new").last).to_contain_text("之前提到的市场推广预算是多少？")
    stepper.get_by_role("tab", name="misses").click()
    expect(stepper.locator(".hl-misses tbody tr")).to_have_count(6)
    stepper.locator(".hl-misses tbody tr").first.click()
    expect(stepper.locator("h3")).to_have_text("what the model saw at gold q01")
    expect(stepper.locator(".hl-question").first).to_contain_text(re.compile("turn 3 (✔ verbatim|✘)"))


def test_the_transcript_is_searched_and_its_finds_stepped_through(stepper, page):
    stepper.focus()
    page.keyboard.press("/")
    page.keyboard.type("预算")
    count = stepper.locator(".hl-search output")
    expect(count).to_have_text(re.compile(r"^1 / \d+$"))
    first = stepper.locator("mark").first
    expect(first).to_have_text("预算")
    assert stepper.locator(".hl-curve .hl-found path").count() == 1
    page.keyboard.press("Enter")
    expect(count).to_have_text(re.compile(r"^2 / "))
    expect(counter(stepper)).to_have_text("0 / 19")
    page.keyboard.press("Escape")
    expect(stepper.locator("mark")).to_have_count(0)


def test_tabs_are_walked_by_the_arrow_keys(stepper, page):
    stepper.get_by_role("tab", name="items").focus()
    page.keyboard.press("ArrowRight")
    expect(stepper.get_by_role("tab", name="prompt")).to_have_attribute("aria-selected", "true")
    expect(counter(stepper)).to_have_text("0 / 19")


def test_it_plays_to_the_end_and_stops(stepper):
    stepper.get_by_role("slider").fill("17")
    stepper.get_by_label("play").click()
    expect(counter(stepper)).to_have_text("19 / 19")
    expect(stepper.get_by_label("play")).to_have_attribute("aria-pressed", "false")


def test_recalled_turns_are_outlined_and_the_band_is_the_checkpoints(stepper):
    stepper.get_by_role("slider").fill("14")
    outlined = stepper.locator(".hl-is-recalled")
    expect(outlined.first).to_be_attached()
    bands = stepper.evaluate(
        "root => [0, 8, 14].map(turn => getComputedStyle(root.querySelector(`[data-turn='${turn}']`)).borderLeftColor)"
    )
    assert len(set(bands)) == 3


def test_python_and_the_page_follow_each_other(stepper, page, jupyter):
    stepper.get_by_role("slider").fill("16")
    expect(counter(stepper)).to_have_text("16 / 19")
    page.evaluate(RUN_CODE, "stepper.position = stepper.position - 11")
    expect(counter(stepper)).to_have_text("5 / 19")
    page.evaluate(RUN_CODE, "stepper.question = 'nonsense'")
    expect(stepper.get_by_role("alert")).to_contain_text("no question 'nonsense'")
    page.evaluate(RUN_CODE, "stepper.close()")
    expect(stepper).to_have_count(0)


def test_two_views_of_one_stepper_each_get_the_answers_to_their_own_questions(jupyter, page):
    jupyter.write("twice.ipynb", [*CELLS, "stepper"])
    jupyter.open(page, "twice.ipynb")
    jupyter.run_all(page)
    expect(view(page)).to_have_count(2)
    one, other = view(page).first, view(page).last
    one.get_by_role("tab", name="misses").click()
    other.get_by_role("tab", name="prompt").click()
    expect(one.locator(".hl-misses tbody tr")).to_have_count(6)
    expect(other.locator(".hl-message").first).to_be_visible()


def test_a_run_again_cell_leaves_one_widget(stepper, page, jupyter):
    """FAULTS 44."""
    page.evaluate(RUN_CODE, "from ipywidgets.widgets.widget import _instances; print(len(_instances))")
    for _ in range(3):
        jupyter.run_all(page)
        wait_until_idle(page)
        expect(view(page)).to_have_count(1)


RUN_CODE = """code => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  return kernel.requestExecute({ code }).done.then(reply => reply.content.status);
}"""
