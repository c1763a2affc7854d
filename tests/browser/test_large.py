"""What 5,000 turns cost between a key or a slider and the redrawn view: FAULTS 46."""

from statistics import median

import pytest
from jupyter_browser import start_all, view, wait_until_idle
from playwright.sync_api import expect

from hydralab.benchmarks.widget_speed import large_notebook, time_events

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TURNS = 5_000
MOST_MS = 400
MOST_ROWS = 160
REPEATS = 15


@pytest.fixture
def views(jupyter, page):
    jupyter.write("large.ipynb", large_notebook(TURNS))
    jupyter.open(page, "large.ipynb")
    start_all(page)
    wait_until_idle(page, timeout=500)
    expect(view(page)).to_have_count(4)
    page.wait_for_timeout(1_000)
    return view(page)


def test_5000_turns_stay_smooth_and_only_rows_near_the_window_are_drawn(views, page, record_property):
    medians = {event: median(times) for event, times in time_events(page, REPEATS).items()}
    record_property("milliseconds", medians)
    assert len(medians) == 4
    assert max(medians.values()) < MOST_MS, medians
    for place in ("End", "Home", "PageDown"):
        views.first.press(place)
        page.wait_for_timeout(600)
        assert 0 < views.first.locator(".hl-turn").count() <= MOST_ROWS
    views.first.locator(".hl-transcript").evaluate("list => { list.scrollTop = list.scrollHeight / 2; }")
    page.wait_for_timeout(600)
    assert 0 < views.first.locator(".hl-turn").count() <= MOST_ROWS
