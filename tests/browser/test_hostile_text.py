"""A text of a dialogue is text, in the widgets and on their saved pages: nothing in it runs or becomes an element."""

import json

import polars as pl
import pytest
from jupyter_browser import view
from playwright.sync_api import expect

import hydralab as hl

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


def lab_of_texts():
    said = pl.DataFrame({"role": ["user", "assistant"] * 12, "text": TEXTS * 4, "speaker": TEXTS * 4})
    lab = hl.Lab(hl.from_frame(said.with_columns(dialogue=pl.lit(TEXTS[1]))))
    asked = {"question_id": "q1", "dialogue_id": lab.dialogue_id(), "text": TEXTS[0], "answer": TEXTS[1]}
    evidence = {"evidence": [lab.turns["turn_id"][1]], "asked_at": lab.turns["position"][-1]}
    lab.annotate(questions=hl.frames.build("questions", [asked | evidence]))
    return lab


def runs(lab):
    return [lab.replay(each, budget=700) for each in (hl.Hydration("every(n=4)"), hl.SlidingWindow())]


WIDGETS = {
    "Stepper": lambda lab: hl.widgets.Stepper(runs(lab)[0], at=20),
    "TriggerLab": hl.widgets.TriggerLab,
    "RecallLab": lambda lab: hl.widgets.RecallLab(lab, TEXTS[1]),
    "Compare": lambda lab: hl.widgets.Compare(runs(lab), at=20),
}


@pytest.mark.parametrize("name", WIDGETS)
def test_no_text_becomes_part_of_a_saved_page(name, page, tmp_path):
    widget = WIDGETS[name](lab_of_texts())
    page.goto(widget.to_html(tmp_path / "page.html").as_uri())
    view(page).wait_for()
    for unfolds in view(page).locator(".hl-unfold, .hl-checkpoints tbody tr, .hl-losses tbody tr").all()[:8]:
        unfolds.click()
    for tab in view(page).get_by_role("tab").all():
        tab.click()
        page.wait_for_timeout(60)
    assert "onerror=" in view(page).inner_text()
    assert page.evaluate("window.stolen === undefined")
    assert view(page).locator("script, img, a, style, svg[onload]").count() == 0
