import re
from pathlib import Path

import pytest
from jupyter_browser import view
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [
    "the launch is planned for autumn",
    "市场推广 预算 是 48.6 万元",
    "<img src=x onerror=\"window.stolen = 'image'\"> <script>window.stolen = 'script'</script>",
]
CELLS = [
    f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import hydralab as hl
from tests.plots.attentions import attention
texts = {TEXTS!r}
found = attention(texts, effects=[0.1, 6.5, -0.2], layers=4)
other = attention(texts[:2], effects=[0.3, 2.5], layers=4)
""",
    "widget = hl.widgets.AttentionExplorer(found)\nwidget",
    "hl.widgets.AttentionExplorer(found, other, names=('with <b>it</b>', 'without'))",
]


@pytest.fixture
def views(jupyter, page):
    jupyter.write("attention.ipynb", CELLS)
    jupyter.open(page, "attention.ipynb")
    jupyter.run_all(page)
    expect(view(page)).to_have_count(2)
    return view(page)


def name(views, text):
    return views.first.locator("button.hl-item-name", has_text=text)


def test_a_click_on_an_item_shows_its_tokens_as_text_alone(views, page):
    expect(views.first.locator(".hl-tokens")).to_have_text(TEXTS[1])
    name(views, "turn 2").click()
    expect(views.first.locator(".hl-tokens")).to_have_text(TEXTS[2])
    expect(views.nth(1).locator("h3").first).to_have_text("with <b>it</b>")
    assert page.evaluate("window.stolen === undefined")
    assert page.locator(".hl-view script, .hl-view img").count() == 0


def test_layer_head_and_measure_change_the_bars(views):
    values = views.first.locator(".hl-attended-row td:nth-child(3)")
    before = values.all_inner_texts()
    views.first.get_by_label("layer", exact=True).select_option("2")
    expect(values.first).not_to_have_text(before[0])
    views.first.get_by_label("head", exact=True).select_option("1")
    views.first.get_by_label("measure").select_option("sink_free")
    expect(values.first).to_have_text(re.compile(r"^\d+\.\d %$"))
    expect(views.first.locator(".hl-corner")).to_contain_text("sink-free mass and leave one out")


def test_a_word_shows_its_own_attention_and_lets_go(views):
    words = views.first.locator(".hl-word")
    words.nth(2).click()
    expect(words.nth(2)).to_have_attribute("aria-selected", "true")
    expect(views.first.locator(".hl-picked-word")).to_contain_text("84,500.")
    views.first.get_by_label("all words").click()
    expect(views.first.locator(".hl-word[aria-selected=true]")).to_have_count(0)


def test_arrow_keys_go_through_items_and_words_and_keep_the_focus(views, page):
    name(views, "turn 1").focus()
    page.keyboard.press("ArrowDown")
    expect(views.first.locator(".hl-shaded h3")).to_have_text("turn 2")
    expect(name(views, "turn 2")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(name(views, "turn 1")).to_be_focused()
    assert views.first.locator(".hl-attended button[tabindex='0'].hl-item-name").count() == 1
    views.first.locator(".hl-word").first.focus()
    page.keyboard.press("ArrowRight")
    expect(views.first.locator(".hl-word[aria-selected=true]")).to_have_text("was")


def test_a_screen_reader_is_told_what_the_colours_mean(views):
    expect(views.first.page.get_by_role("group", name="attention explorer")).to_have_count(2)
    spoken = views.first.locator(".hl-word").first.get_attribute("aria-label")
    assert re.fullmatch(r"It: looked at turn \d most, \d+ percent", spoken)
    expect(views.first.get_by_label("text of turn 1, tokens shaded by attention")).to_be_visible()


def test_columns_sort_and_go_back_to_the_order_of_the_prompt(views):
    names = views.first.locator(".hl-attended-row .hl-item-name")
    before = names.all_inner_texts()
    views.first.locator("[data-by=effect]").click()
    assert names.all_inner_texts()[:3] == ["turn 1", "turn 0", "turn 2"]
    views.first.locator("[data-by=effect]").click()
    assert names.all_inner_texts() == before


def test_an_item_that_only_one_context_has_is_said_to_be_missing(views):
    both = views.nth(1)
    both.locator("button.hl-item-name", has_text="turn 2").click()
    expect(both.locator(".hl-side").nth(1).locator(".hl-shaded")).to_have_text(
        "this item is not in this context"
    )
