import re

import polars as pl
import pytest
from jupyter_browser import view
from playwright.sync_api import expect

import hydralab as hl

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
    hl.widgets.Stepper(lab.replay(hl.Hydration(), budget=600), at=14).to_html(folder / "launch.html")
    texts = ["<script>window.stolen = 1</script>", "</script><img src=x onerror='window.stolen = 2'>"] * 4
    hostile = hl.Lab(hl.from_frame(pl.DataFrame({"role": ["user", "assistant"] * 4, "text": texts})))
    hl.widgets.Stepper(hostile.replay(hl.SlidingWindow(), budget=600)).to_html(folder / "hostile.html")
    return folder


def test_a_page_steps_without_a_kernel(page, written):
    """FAULTS 36, 45."""
    page.goto((written / "launch.html").as_uri())
    stepper = view(page)
    expect(stepper.locator("h3")).to_have_text("what the model saw at turn 14")
    stepper.focus()
    page.keyboard.press("ArrowRight")
    expect(stepper.locator("h3")).to_have_text("what the model saw at turn 14, which turn 15 follows")
    page.keyboard.press("Home")
    expect(stepper.locator("h3")).to_have_text("what the model saw at turn 0")
    stepper.get_by_role("tab", name="misses").click()
    stepper.locator(".hl-misses tbody tr").first.click()
    expect(stepper.locator("h3")).to_have_text("what the model saw at gold q01")
    stepper.get_by_role("tab", name="prompt").click()
    expect(stepper.locator(".hl-message pre").last).to_contain_text("市场推广预算")
    stepper.get_by_role("tab", name="diff").click()
    expect(stepper.locator(".hl-panel .hl-muted").first).to_have_text("against the prompt of turn 14")
    stepper.get_by_label("search the transcript").fill("预算")
    expect(stepper.locator(".hl-search output")).to_have_text(re.compile(r"^1 / \d+$"))


def test_no_text_becomes_part_of_a_page(page, written):
    page.goto((written / "hostile.html").as_uri())
    expect(view(page).locator(".hl-turn .hl-text").first).to_have_text("<script>window.stolen = 1</script>")
    assert page.evaluate("window.stolen === undefined")
    assert page.locator("main script, main img").count() == 0
