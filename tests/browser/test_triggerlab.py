import re

import pytest
from jupyter_browser import view
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CELLS = [
    'import hydralab as hl\nlab = hl.Lab(hl.read_all(hl.example("launch_zh")))',
    "widget = hl.widgets.TriggerLab(lab)\nwidget",
]
CUES = "hl.cue('另外|之前提到').place(min_turns=2, max_turns=40)"


@pytest.fixture
def tuner(jupyter, page):
    jupyter.write("triggerlab.ipynb", CELLS)
    jupyter.open(page, "triggerlab.ipynb")
    jupyter.run_all(page)
    view(page).wait_for()
    return view(page)


def marks(tuner, kind="boundary"):
    return tuner.locator(f".hl-mark-{kind}")


def test_a_slider_moves_boundaries_scores_and_the_expression(tuner):
    slider = tuner.get_by_label("threshold of shift")
    slider.fill("1")
    expect(tuner.get_by_label("trigger expression")).to_have_value(re.compile(r"shift > 1\b"))
    few = marks(tuner).count()
    slider.fill("0.1")
    expect(tuner.get_by_label("trigger expression")).to_have_value(re.compile(r"shift > 0\.1\b"))
    assert marks(tuner).count() > few
    expect(tuner.locator(".hl-scores tbody tr").nth(1)).to_contain_text("the one before")


def test_the_keyboard_keeps_the_slider_while_the_view_redraws(tuner, page):
    slider = tuner.get_by_label("threshold of shift")
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(120)
    expect(slider).to_be_focused()
    expect(slider).to_have_value("0.85")


def test_an_expression_is_typed_and_a_broken_one_breaks_nothing(tuner):
    text = tuner.get_by_label("trigger expression")
    text.fill(CUES)
    expect(marks(tuner)).to_have_count(2)
    text.fill("hl.cue('另外'")
    expect(tuner.get_by_role("alert")).to_be_visible()
    expect(text).to_have_value("hl.cue('另外'")
    expect(marks(tuner)).to_have_count(2)
    text.fill("hl.cue('另外').place(min_turns=2, max_turns=40)")
    expect(tuner.get_by_role("alert")).to_be_hidden()
    expect(marks(tuner)).to_have_count(1)


def test_cue_words_and_a_second_signal_join_the_expression(tuner):
    tuner.get_by_label("cue: a regular expression").fill("另外")
    expect(tuner.get_by_label("trigger expression")).to_have_value(re.compile("另外"))
    tuner.get_by_role("button", name="+ signal").click()
    expect(tuner.locator(".hl-rule")).to_have_count(2)
    tuner.get_by_label("how the parts are joined").select_option("and")
    expect(tuner.get_by_label("trigger expression")).to_have_value(re.compile("&"))


def test_checkpoints_get_titles_and_show_their_first_turns(tuner):
    tuner.get_by_label("trigger expression").fill(CUES)
    rows = tuner.locator(".hl-checkpoints tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.first).not_to_contain_text("…")
    rows.nth(1).click()
    expect(tuner.locator(".hl-peek-here")).to_contain_text("8")


def test_a_click_on_the_sweep_sets_the_threshold(tuner):
    expect(tuner.locator(".hl-sweep-count")).to_have_count(21)
    expect(tuner.locator(".hl-sweep-score")).to_have_count(1)
    tuner.locator(".hl-sweep-hit").nth(6).click()
    expect(tuner.get_by_label("threshold of shift")).to_have_value("0.3")
    expect(tuner.get_by_label("trigger expression")).to_have_value(re.compile(r"shift > 0\.3\b"))


def test_evidence_of_the_sweep_comes_value_by_value_and_can_be_stopped(tuner):
    tuner.get_by_label("parameter of the sweep").select_option("min_turns")
    expect(tuner.locator(".hl-sweep-count")).to_have_count(20)
    tuner.get_by_role("button", name="evidence").click()
    expect(tuner.get_by_label("evidence of gold questions, done")).to_be_visible()
    expect(tuner.locator(".hl-sweep-evidence-dot").first).to_be_visible()
    tuner.get_by_role("button", name="stop").click()
    expect(tuner.locator(".hl-sweep")).to_contain_text("stopped: what is done stays")
    assert tuner.locator(".hl-sweep-evidence-dot").count() < 20
    tuner.get_by_role("button", name="evidence").click()
    expect(tuner.locator(".hl-sweep-evidence-dot")).to_have_count(20, timeout=60_000)
    expect(tuner.get_by_label("evidence of gold questions, done")).to_be_hidden()


def test_a_function_is_run_when_one_says_so_and_not_before(tuner, page):
    text = tuner.get_by_label("trigger expression")
    before = text.input_value()
    tuner.get_by_role("button", name="function…").click()
    expect(text).to_have_value(re.compile("@hl.step_trigger"))
    page.wait_for_timeout(600)
    assert marks(tuner).count() > 0
    expect(tuner.get_by_role("alert")).to_be_hidden()
    text.fill("@hl.step_trigger(init=0)\ndef ninth(n, row):\n    return n + 1, n % 9 == 0, 1 / 0")
    page.keyboard.press("Control+Enter")
    expect(tuner.get_by_role("alert")).to_contain_text("division by zero")
    text.fill("@hl.step_trigger(init=0)\ndef ninth(n, row):\n    return n + 1, n % 9 == 0, 1.0")
    tuner.get_by_role("button", name="run", exact=True).click()
    expect(marks(tuner)).to_have_count(2)
    expect(tuner.get_by_role("alert")).to_be_hidden()
    expect(text).to_have_value(re.compile("def ninth"))
    text.fill(before)
    expect(tuner.get_by_label("trigger expression")).to_have_value(before)
