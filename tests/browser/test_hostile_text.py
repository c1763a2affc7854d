import json

import pytest
from jupyter_browser import view
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TEXTS = [
    "<script>window.stolen = 'script'</script>",
    "<img src=x onerror=\"window.stolen = 'image'\">",
    "</pre></td></style><svg onload=\"window.stolen = 'svg'\">",
    "مرحبا بالعالم، كم الميزانية؟ budget 48.6",
    "预算 👩‍👩‍👧‍👦 🇨🇳 ok \u202e reversed \u202c end",
    "[link](javascript:alert(1)) $x$ {{7*7}} ${window.stolen='template'}",
]

CELLS = [
    f"""
import json
import hydralab as hl
import polars as pl
texts = json.loads({json.dumps(TEXTS)!r}) * 4
roles = ["user", "assistant"] * 12
lab = hl.Lab(hl.from_frame(pl.DataFrame({{"role": roles, "text": texts, "speaker": texts, "dialogue": "<b>bold</b>"}})))
run = lab.replay(hl.Hydration("hl.cue('script|مرحبا').place(min_turns=2, max_turns=8)"), budget=900)
""",
    "hl.widgets.Stepper(run, at=20)",
    "hl.widgets.TriggerLab(lab)",
    "hl.widgets.RecallLab(lab, texts[1])",
]


@pytest.fixture
def views(jupyter, page):
    jupyter.write("hostile.ipynb", CELLS)
    jupyter.open(page, "hostile.ipynb")
    jupyter.run_all(page)
    expect(view(page)).to_have_count(3)
    return view(page)


def test_no_text_of_a_dialogue_becomes_part_of_the_page(views, page):
    stepper, tuner, recaller = (views.nth(number) for number in range(3))
    for tab in ("items", "prompt", "diff", "misses"):
        stepper.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(150)
    expect(stepper.locator(".hl-turn .hl-text").first).to_have_text(TEXTS[0])
    stepper.get_by_label("search the transcript").fill("<script>")
    expect(stepper.locator("mark").first).to_have_text("<script>")
    tuner.locator("svg.hl-curve").click(position={"x": 200, "y": 50})
    expect(tuner.locator(".hl-peek div").first).to_be_visible()
    for candidate in recaller.locator(".hl-unfold").all()[:6]:
        candidate.click()
    recaller.get_by_role("tab", name="prompt").click()
    expect(recaller.locator(".hl-message pre").last).to_have_text(TEXTS[1])
    assert page.evaluate("window.stolen === undefined")
    assert page.locator(".hl-view script, .hl-view img, .hl-view a, .hl-view style").count() == 0


def test_right_to_left_text_runs_its_own_way(views):
    text = views.first.locator(".hl-text", has_text="مرحبا").first
    assert text.evaluate("node => getComputedStyle(node).direction") == "rtl"
    latin = views.first.locator(".hl-text", has_text="script").first
    assert latin.evaluate("node => getComputedStyle(node).direction") == "ltr"
