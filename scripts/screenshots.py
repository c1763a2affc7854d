"""Take the pictures of the widgets that README and documentation show: data/figures/*.png.

Opens a JupyterLab of its own in headless Chromium (Debian: `chromium`, `fonts-noto-cjk`), runs a notebook
with the widget and photographs it, at the size at which the pictures are shown.

    python scripts/screenshots.py [NAME …]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from jupyter_browser import chromium, jupyter_lab, view, watched_page
from PIL import Image
from playwright.sync_api import Locator

FIGURES = Path(__file__).resolve().parent.parent / "data" / "figures"
LARGEST = 200_000
COLOURS = 256
PATIENCE = 600
"""Seconds for the cells of a picture; one loads a model."""

STEPPER = """
import hydralab as hl
lab = hl.Lab(hl.read_all(hl.example("{dialogue}")))
run = lab.replay(hl.Hydration({trigger}), budget={budget})
"""
LAB = """
import hydralab as hl
lab = hl.Lab(hl.read_all(hl.example("{dialogue}")))
"""
ATTENTION = """
import hydralab as hl
lab = hl.Lab(hl.read_all(hl.example("launch_en")))
run = lab.replay(hl.Hydration("every(n=4)", turns=0, recent_rounds=1, least=0), budget=500)
found = hl.attend("smollm2", run.step(14), max_new_tokens=12)
"""
README_TRIGGER = """((hl.col.shift > 0.8) | hl.cue("换个话题|另外")).place(min_turns=4, max_turns=40)"""


@dataclass(frozen=True)
class Shot:
    """A picture: the notebook's cells, the theme, and what is done before the shutter."""

    cells: tuple[str, str]
    dark: bool = False
    before: Callable[[Locator], None] = lambda widget: None


def open_question(widget: Locator) -> None:
    """Show the prompt of the first gold question that was asked at this turn, and its evidence."""
    widget.locator(".hl-chooser button").nth(1).click()
    widget.page.wait_for_timeout(800)
    widget.locator(".hl-question button").first.click()


def lower_threshold(widget: Locator) -> None:
    """Move the slider, so that the trigger before it is shown too, and look at a boundary."""
    widget.get_by_label("threshold of shift").fill("0.9")
    widget.page.wait_for_timeout(1_500)
    widget.locator(".hl-checkpoints tbody tr").nth(3).click()


def pick_layer(widget: Locator) -> None:
    """Show a layer whose heads copy, and what the sum looked at."""
    widget.locator(".hl-word").last.click()
    widget.page.wait_for_timeout(1_500)
    widget.get_by_label("layer", exact=True).select_option("18")
    widget.page.wait_for_timeout(1_500)
    widget.locator("button.hl-item-name").nth(1).click()


def pick_question(widget: Locator) -> None:
    """Show a gold question with some of its evidence lost, and the text of the best candidate."""
    widget.get_by_label("gold question").select_option(index=15)
    widget.page.wait_for_timeout(1_000)
    widget.locator(".hl-candidates .hl-unfold").first.click()


SHOTS = {
    "stepper_light": Shot(
        (
            STEPPER.format(dialogue="long_en", trigger="", budget=1000),
            "hl.widgets.Stepper(run, at=125)",
        ),
        before=open_question,
    ),
    "stepper_dark": Shot(
        (
            STEPPER.format(dialogue="launch_zh", trigger="", budget=600),
            "hl.widgets.Stepper(run, at=14)",
        ),
        dark=True,
    ),
    "triggerlab_light": Shot(
        (LAB.format(dialogue="long_en"), f"hl.widgets.TriggerLab(lab, trigger={README_TRIGGER!r})"),
        before=lower_threshold,
    ),
    "attention_light": Shot((ATTENTION, "hl.widgets.AttentionExplorer(found)"), before=pick_layer),
    "recalllab_light": Shot(
        (LAB.format(dialogue="long_en"), "hl.widgets.RecallLab(lab)"), before=pick_question
    ),
}


def main(names: list[str]) -> None:
    """Take the named pictures, or all."""
    FIGURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, jupyter_lab(Path(folder)) as lab, chromium() as browser:
        for name in names or SHOTS:
            shot = SHOTS[name]
            with watched_page(browser, width=1280, height=1100, scale=1.5) as page:
                lab.write(f"{name}.ipynb", shot.cells)
                lab.open(page, f"{name}.ipynb", dark=shot.dark)
                lab.run_all(page, timeout=PATIENCE)
                widget = view(page)
                widget.wait_for()
                page.wait_for_timeout(2_000)
                shot.before(widget)
                page.mouse.move(0, 0)
                page.wait_for_timeout(2_500)
                saved = save_small(widget.screenshot(), FIGURES / f"{name}.png")
                print(f"{saved.relative_to(FIGURES.parent.parent)}  {saved.stat().st_size / 1000:.0f} kB")


def save_small(png: bytes, path: Path) -> Path:
    """Write a picture in few colours; one that is still too large is an error."""
    with Image.open(BytesIO(png)) as picture:
        picture.convert("RGB").quantize(
            COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
        ).save(path, optimize=True)
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path.name} has {path.stat().st_size:,} bytes, expected at most {LARGEST:,}")
    return path


if __name__ == "__main__":
    main(sys.argv[1:])
