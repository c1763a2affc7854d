import re

import pytest
from jupyter_browser import view
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CELLS = [
    'import hydralab as hl\nlab = hl.Lab(hl.read_all(hl.example("launch_zh")))',
    "widget = hl.widgets.RecallLab(lab, budget=600)\nwidget",
]


@pytest.fixture
def recaller(jupyter, page):
    jupyter.write("recalllab.ipynb", CELLS)
    jupyter.open(page, "recalllab.ipynb")
    jupyter.run_all(page)
    view(page).wait_for()
    return view(page)


def numbers(recaller, column):
    cells = recaller.locator(f".hl-candidates .hl-item tr:nth-child({column[0]}) td:nth-child({column[1]})")
    return [float(text) for text in cells.all_inner_texts()]


def test_candidates_sort_by_any_score(recaller):
    score = recaller.locator(".hl-candidates [data-by=score]")
    score.click()
    expect(recaller.locator(".hl-candidates th[aria-sort=descending]")).to_have_count(1)
    found = numbers(recaller, (2, 2))
    assert found == sorted(found, reverse=True)
    score.click()
    expect(score).to_be_focused()
    assert numbers(recaller, (2, 2)) == sorted(found)


def test_more_candidates_are_drawn_where_one_scrolls_to_them(jupyter, page):
    jupyter.write("long.ipynb", [CELLS[0].replace("launch_zh", "long_en"), CELLS[1]])
    jupyter.open(page, "long.ipynb")
    jupyter.run_all(page)
    rows, widget = view(page).locator(".hl-candidates .hl-item"), view(page)
    expect(rows.first).to_be_visible()
    listed = int(widget.locator(".hl-head").inner_text().split(" candidates")[0].split()[-1])
    assert rows.count() < listed
    for _ in range(20):
        widget.locator(".hl-candidates").evaluate("list => { list.scrollTop = list.scrollHeight; }")
        page.wait_for_timeout(60)
    expect(rows).to_have_count(min(listed, 100))


def test_a_query_is_typed_and_a_gold_question_picked(recaller):
    recaller.get_by_label("query", exact=True).fill("员工福利有什么更新？")
    expect(recaller.locator(".hl-items")).to_contain_text("员工福利有什么更新？")
    expect(recaller.locator(".hl-question")).to_have_count(0)
    recaller.get_by_label("gold question").select_option(index=2)
    expect(recaller.locator(".hl-question")).to_contain_text(re.compile("(✔ verbatim|✘)"))
    expect(recaller.locator(".hl-candidates .hl-gold-mark").first).to_be_attached()


def test_a_slider_makes_weights_of_ones_own_and_keeps_the_focus(recaller, page):
    slider = recaller.get_by_label("weight of recency")
    slider.focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(80)
    expect(recaller.get_by_label("blend", exact=True)).to_have_value("")
    expect(recaller.locator(".hl-candidates [data-by=recency]")).to_be_visible()
    expect(slider).to_be_focused()
    expect(slider).to_have_value("0.3")
    recaller.get_by_label("blend", exact=True).select_option("dense")
    expect(recaller.get_by_label("weight of recency")).to_have_value("0")


def test_a_budget_that_is_too_small_is_told_where_the_prompt_would_stand(recaller):
    recaller.get_by_label("weight of dense", exact=True).fill("0")
    recaller.get_by_label("budget", exact=True).fill("100")
    expect(recaller.locator(".hl-total")).to_contain_text("/ 100 tokens")


def test_the_prompt_is_behind_its_tab(recaller):
    recaller.get_by_role("tab", name="prompt").click()
    expect(recaller.locator(".hl-message pre").last).to_contain_text("之前提到的市场推广预算是多少？")
