import pytest
from jupyter_browser import view
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CELLS = [
    """
import hydralab as hl
lab = hl.Lab(hl.read_all(hl.example("launch_zh")))
strategies = (hl.Hydration(), hl.SlidingWindow(rounds=2))
runs = [lab.replay(strategy, budget=budget) for budget in (250, 600) for strategy in strategies]
""",
    "hl.widgets.Compare(runs, at=14)",
]


@pytest.fixture
def compare(jupyter, page):
    jupyter.write("compare.ipynb", CELLS)
    jupyter.open(page, "compare.ipynb")
    jupyter.run_all(page)
    view(page).wait_for()
    return view(page)


def columns(compare):
    return compare.locator(".hl-column")


def test_prompts_stand_side_by_side_and_step_together(compare, page):
    expect(columns(compare)).to_have_count(2)
    expect(compare.locator("h3")).to_have_text("what the model saw at turn 14")
    expect(compare.locator(".hl-said")).to_have_text("之前提到的市场推广预算是多少？")
    compare.focus()
    page.keyboard.press("End")
    expect(compare.locator(".hl-counter")).to_have_text("19 / 19")
    page.keyboard.press("Home")
    expect(compare.locator("h3")).to_have_text("what the model saw at turn 0")
    compare.get_by_role("slider").fill("16")
    expect(compare.locator("h3")).to_have_text("what the model saw at turn 16")


def test_runs_are_chosen_by_their_names(compare):
    compare.get_by_role("button", name="hydration, 600").click()
    expect(columns(compare)).to_have_count(3)
    compare.get_by_role("button", name="hydration, 250").click()
    expect(columns(compare)).to_have_count(2)
    expect(columns(compare).last).to_contain_text("hydration, 600")
    expect(compare.locator(".hl-losses thead th")).to_have_count(5)


def test_a_row_of_lost_evidence_shows_the_prompts_of_its_question(compare):
    rows = compare.locator(".hl-losses tbody tr")
    expect(rows).to_have_count(6)
    rows.nth(1).click()
    expect(compare.locator("h3")).to_have_text("what the model saw at gold q02")
    expect(columns(compare).last.locator(".hl-verdicts")).to_contain_text("✘ outside the window")
    compare.get_by_role("button", name="differences").click()
    assert rows.count() <= 6
    expect(compare.get_by_role("img", name="evidence in the prompt against the budget")).to_be_visible()
