"""Every block of Python in the README and in docs/ runs, one after the other, as a newcomer would run them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import hydralab as hl

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "README.zh.md", *sorted((ROOT / "docs").glob("*.md"))]
README = PAGES[0].read_text(encoding="utf-8")


def blocks(page):
    return re.findall(
        r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )


def headings(page):
    """Names under which headings of a page can be pointed at, as GitHub makes them."""
    lines = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", line).lower().replace(" ", "-") for line in lines}


WITH_A_MODEL = [block for block in blocks(PAGES[0]) if "hl.attend(" in block]


@pytest.fixture
def export(tmp_path, monkeypatch):
    """A folder with what the README calls the reader's own ChatGPT export."""
    exported = ROOT / "tests" / "readers" / "fixtures" / "chatgpt.json"
    with ZipFile(tmp_path / "chatgpt-export.zip", "w") as archive:
        archive.write(exported, "conversations.json")
        archive.writestr("chat.html", "<html></html>")
    shutil.copy(exported, tmp_path / "conversations.json")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("export")
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: page.name)
def test_every_block_of_python_runs(page):
    names = {}
    for block in blocks(page):
        if block not in WITH_A_MODEL:
            exec(compile(block, page.name, "exec"), names)
    assert names["lab"].turns.height > 0


@pytest.mark.model
@pytest.mark.slow
def test_every_block_with_a_model_runs():
    names = {"hl": hl}
    for block in WITH_A_MODEL:
        exec(compile(block, "README.md", "exec"), names)
    assert "84,500" in names["found"].context.prompt
    assert names["found"].control.height > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_points_at_is_there(page):
    for target in re.findall(r"\]\(([^)]*)\)", page.read_text(encoding="utf-8")):
        name, _, heading = target.partition("#")
        if not target.startswith("https://"):
            place = page.parent / name if name else page
            assert place.exists(), target
            assert not heading or heading in headings(place), target


def test_the_commands_it_names_are_there():
    made = (ROOT / "Makefile").read_text(encoding="utf-8")
    for name in set(re.findall(r"(?:^|`)make ([a-z-]+)", README, flags=re.MULTILINE)) - {"g"}:
        assert re.search(rf"^{name}:", made, flags=re.MULTILINE), name


def test_the_figures_are_those_that_were_measured():
    checked = subprocess.run([sys.executable, ROOT / "scripts" / "write_figures.py", "--check"])
    assert checked.returncode == 0, "run scripts/write_figures.py"
