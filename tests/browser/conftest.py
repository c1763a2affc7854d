import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

from jupyter_browser import chromium, jupyter_lab, watched_page
from playwright.sync_api import expect

expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def jupyter(tmp_path_factory):
    with jupyter_lab(tmp_path_factory.mktemp("jupyter")) as lab:
        yield lab


@pytest.fixture(scope="session")
def browser():
    with chromium() as running:
        yield running


@pytest.fixture
def page(browser):
    """A page on which nothing may go wrong: no console error, no request to another machine (FAULTS 45)."""
    with watched_page(browser) as opened:
        yield opened
        assert opened.complaints == []
        assert opened.strangers == []
