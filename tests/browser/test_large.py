"""What 5,000 turns cost between a key or a slider and the redrawn view: FAULTS 46."""

from statistics import median

import pytest
from jupyter_browser import start_all, view, wait_until_idle
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TURNS = 5_000
MOST_MS = 400
MOST_ROWS = 160

CELLS = [
    f"""
import hydralab as hl
import polars as pl
said = pl.concat([hl.read(hl.example(name)).select("role", "text") for name in ("long_en", "long_zh")])
copies = [said.with_columns(pl.col("text") + f" ({{number}})") for number in range({TURNS} // said.height + 1)]
lab = hl.Lab(hl.from_frame(pl.concat(copies).head({TURNS})))
run = lab.replay(hl.Hydration(), budget=1000)
""",
    "hl.widgets.Stepper(run, at=2500)",
    "hl.widgets.TriggerLab(lab)",
    "hl.widgets.RecallLab(lab, 'What was the marketing budget?')",
]

TIME_OF_KEY = """([key]) => new Promise((resolve) => {
  const root = document.querySelector(".hl-stepper");
  const heading = root.querySelector("h3").textContent;
  const started = performance.now();
  root.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const look = () => {
    if (root.querySelector("h3").textContent === heading) requestAnimationFrame(look);
    else requestAnimationFrame(() => resolve(performance.now() - started));
  };
  look();
})"""

TIME_OF_SLIDER = """([value]) => new Promise((resolve) => {
  const root = document.querySelector(".hl-triggerlab");
  const slider = root.querySelector("input[type=range]");
  const height = () => root.querySelector(".hl-threshold").getAttribute("y1");
  const before = height();
  const started = performance.now();
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  const look = () => {
    if (height() === before) requestAnimationFrame(look);
    else requestAnimationFrame(() => resolve(performance.now() - started));
  };
  look();
})"""

TIME_OF_WEIGHT = """([value]) => new Promise((resolve) => {
  const root = document.querySelector(".hl-recalllab");
  const slider = root.querySelector("input[aria-label='weight of dense']");
  const table = root.querySelector(".hl-candidates table");
  const started = performance.now();
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  const look = () => {
    if (root.querySelector(".hl-candidates table") === table) requestAnimationFrame(look);
    else requestAnimationFrame(() => resolve(performance.now() - started));
  };
  look();
})"""


@pytest.fixture
def views(jupyter, page):
    jupyter.write("large.ipynb", CELLS)
    jupyter.open(page, "large.ipynb")
    start_all(page)
    wait_until_idle(page, timeout=500)
    expect(view(page)).to_have_count(3)
    page.wait_for_timeout(1_000)
    return view(page)


def test_5000_turns_stay_smooth_and_only_rows_near_the_window_are_drawn(views, page, record_property):
    keys = ["ArrowRight"] * 12 + ["ArrowLeft"] * 6 + ["PageDown", "PageUp"] * 3 + ["End", "Home"] * 3
    steps = [page.evaluate(TIME_OF_KEY, [key]) for key in keys]
    slides = [page.evaluate(TIME_OF_SLIDER, [str(0.5 + number / 50)]) for number in range(15)]
    weights = [page.evaluate(TIME_OF_WEIGHT, [str(0.2 + number / 20)]) for number in range(15)]
    medians = {"key": median(steps), "slider": median(slides), "weight": median(weights)}
    record_property("milliseconds", medians)
    print(f"median ms: {medians}")
    assert max(medians.values()) < MOST_MS
    for place in ("End", "Home", "PageDown"):
        views.first.press(place)
        page.wait_for_timeout(600)
        assert 0 < views.first.locator(".hl-turn").count() <= MOST_ROWS
    views.first.locator(".hl-transcript").evaluate("list => { list.scrollTop = list.scrollHeight / 2; }")
    page.wait_for_timeout(600)
    assert 0 < views.first.locator(".hl-turn").count() <= MOST_ROWS
