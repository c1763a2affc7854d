"""Saved pages of the widgets in a browser, without a kernel and without a network: FAULTS 36, 45."""

import re

import pytest
from jupyter_browser import view
from playwright.sync_api import expect

import hydralab as hl
from tests.plots.attentions import attention

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HOSTILE = "<img src=x onerror='window.stolen = 1'><script>window.stolen = 2</script>"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
    hl.widgets.TriggerLab(lab).to_html(folder / "trigger.html")
    hl.widgets.RecallLab(lab, budget=600).to_html(folder / "recall.html", blends=["lexical"])
    runs = [lab.replay(each, budget=400) for each in (hl.Hydration(), hl.SlidingWindow())]
    hl.widgets.Compare(runs, at=14).to_html(folder / "compare.html")
    found = attention(["the launch is in autumn", f"预算 {HOSTILE}"], effects=[0.1, 6.5])
    hl.widgets.AttentionExplorer(found).to_html(folder / "attention.html")
    return folder


def opened(page, path):
    page.goto(path.as_uri())
    view(page).wait_for()
    return view(page)


def test_a_trigger_moves_on_its_page(page, written):
    lab = opened(page, written / "trigger.html")
    text = lab.get_by_label("trigger expression")
    lab.get_by_label("threshold of shift").fill("1")
    expect(text).to_have_value(re.compile(r"shift > 1(\.0)?\b"))
    few = lab.locator(".hl-mark-boundary").count()
    lab.get_by_label("threshold of shift").fill("0.1")
    expect(text).to_have_value(re.compile(r"shift > 0\.1\b"))
    assert lab.locator(".hl-mark-boundary").count() > few
    expect(lab.locator(".hl-scores tbody tr").nth(1)).to_contain_text("the one before")
    expect(lab.locator(".hl-sweep-score")).to_have_count(1)
    lab.get_by_label("fewest turns of a span").fill("8")
    expect(text).to_have_value(re.compile(r"min_turns=8"))
    lab.locator(".hl-checkpoints tbody tr").first.click()
    expect(lab.locator(".hl-peek-here")).to_contain_text("新品发布会")


def test_gold_questions_are_picked_on_the_page_of_recall(page, written):
    lab = opened(page, written / "recall.html")
    expect(lab.locator(".hl-candidates .hl-item").first).to_be_visible()
    lab.get_by_label("gold question").select_option(index=1)
    expect(lab.get_by_label("query", exact=True)).not_to_have_value("之前提到的市场推广预算是多少？")
    lab.get_by_label("blend").select_option("lexical")
    expect(lab.locator(".hl-candidates th button").filter(has_text="lexical")).to_have_count(1)
    lab.locator('[data-by="tokens"]').click()
    expect(lab.locator('th[aria-sort="descending"]')).to_contain_text("tokens")
    lab.get_by_role("tab", name="prompt").click()
    expect(lab.locator(".hl-message pre").last).to_be_visible()


def test_runs_are_stepped_side_by_side_on_the_page_of_a_comparison(page, written):
    compare = opened(page, written / "compare.html")
    expect(compare.locator("h3")).to_have_text("what the model saw at turn 14")
    compare.focus()
    page.keyboard.press("ArrowRight")
    expect(compare.locator("h3")).to_have_text("what the model saw at turn 14, which turn 15 follows")
    page.keyboard.press("End")
    expect(compare.locator(".hl-counter")).to_have_text("19 / 19")
    compare.get_by_role("button", name="sliding_window").click()
    expect(compare.locator(".hl-column")).to_have_count(1)
    compare.locator(".hl-losses tbody tr").first.click()
    expect(compare.locator("h3")).to_have_text("what the model saw at gold q01")


def test_layers_words_and_items_are_picked_on_the_page_of_attention(page, written):
    explorer = opened(page, written / "attention.html")
    before = explorer.locator(".hl-attended tbody").inner_text()
    explorer.get_by_label("layer", exact=True).select_option("1")
    expect(explorer.locator(".hl-attended tbody")).not_to_have_text(before)
    explorer.locator(".hl-item-name").nth(2).click()
    expect(explorer.locator(".hl-tokens")).to_contain_text("onerror")
    explorer.get_by_label("layer", exact=True).select_option("-1")
    explorer.locator(".hl-word").first.click()
    expect(explorer.locator(".hl-picked-word")).to_contain_text("of the word")
    explorer.get_by_label("layer", exact=True).select_option("0")
    explorer.get_by_label("head", exact=True).select_option("0")
    expect(explorer.get_by_role("alert")).to_contain_text("this page doesn't hold")
    assert page.evaluate("window.stolen === undefined")
