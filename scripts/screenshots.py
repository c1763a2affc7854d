"""Take the pictures of the widgets that README and documentation show: data/figures/*.png.

Opens a JupyterLab of its own in headless Chromium (Debian: `chromium`, `fonts-noto-cjk`, and for emoji
`fonts-noto-color-emoji`), runs a notebook with the widget and photographs it in both themes, at the size at
which the pictures are shown.

    python scripts/screenshots.py [NAME …]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from jupyter_browser import chromium, command, jupyter_lab, view, watched_page
from PIL import Image
from playwright.sync_api import Locator

FIGURES = Path(__file__).resolve().parent.parent / "data" / "figures"
LARGEST = 120_000
COLOURS = (256, 128, 64)
"""The first with which a picture is small enough."""
PATIENCE = 600
"""Seconds for the cells of a picture; one loads a model."""

LAB = """
import hydralab as hl
lab = hl.Lab(hl.read_all(hl.example("{dialogue}")))
"""
STEPPER = f"{LAB}run = lab.replay(hl.Hydration(), budget={{budget}})"
COMPARE = f"""{LAB}
strategies = (hl.Hydration(), hl.SlidingWindow())
runs = [lab.replay(each, budget=budget) for budget in (500, 1000, 2000) for each in strategies]
"""
ATTENTION = """
import hydralab as hl
lab = hl.Lab(hl.read_all(hl.example("launch_en")))
run = lab.replay(hl.Hydration("every(n=4)", turns=0, recent_rounds=1, least=0), budget=500)
found = hl.attend("smollm2", run.step(14), max_new_tokens=12)
"""
CHAT = """
import hydralab as hl
said = {
    "We launch a new e-bike in May. The marketing budget is 84,500 euros.": "Noted: launch in May, 84,500 euros.",
    "The event is in Berlin on 12 May, for two hundred guests from bike shops.": "Berlin, 12 May, 200 guests.",
    "/checkpoint Launch plan": "",
    "By the way, our staff now gets thirty days of leave and flexible hours.": "Thirty days, and flexible hours.",
    "Who could explain the flexible hours to the team?": "The head of personnel, at the next meeting.",
    "/checkpoint Staff": "",
    "What was the marketing budget we mentioned earlier?": "84,500 euros, for the launch in May.",
}
answers = hl.Scripted([reply for reply in said.values() if reply])
memory = hl.Hydration(recent_rounds=1)
agent = hl.Agent(answers, memory, dialogue="e-bike launch", budget=800, max_tokens=100)
chat = hl.widgets.Chat(agent)
for words in said:
    chat.say(words)
    agent.drain()
agent.pin(agent.checkpoints["checkpoint_id"][0])
"""
SCRIPTS = """
import hydralab as hl
import polars as pl
said = [
    ("user", "我们的发布会预算是多少？🎉"),
    ("assistant", "市场推广预算是 84,500 欧元 💶，发布会在柏林。"),
    ("user", "שלום, מתי האירוע בברלין? (12.5)"),
    ("assistant", "האירוע יתקיים ב־12 במאי, עם 200 אורחים 🚲."),
    ("user", "كم ميزانية التسويق؟ budget 84,500 €"),
    ("assistant", "ميزانية التسويق 84,500 يورو، والحفل في برلين 🇩🇪."),
    ("user", "Who comes? 👩‍👩‍👧‍👦 谁会来？ من سيأتي؟"),
    ("assistant", "200 guests · 两百位客人 · 200 ضيف · 200 אורחים"),
    ("user", "预算 84,500 欧元够吗？ 👍🏽"),
]
turns = pl.DataFrame(said, schema=["role", "text"], orient="row")
lab = hl.Lab(hl.from_frame(turns.with_columns(dialogue=pl.lit("发布会 · حفل · השקה 🚀"))))
run = lab.replay(hl.Hydration("every(n=2)", recent_rounds=1), budget=500)
"""
README_TRIGGER = (
    """((hl.col.shift > 0.8) | hl.cue("by the way|on another note")).place(min_turns=4, max_turns=40)"""
)


@dataclass(frozen=True)
class Shot:
    """A picture in both themes: the notebook's cells, and what is done before the shutter."""

    cells: tuple[str, str]
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


def lose_evidence(widget: Locator) -> None:
    """Show the prompts of a gold question that not every run has the evidence of."""
    widget.get_by_role("button", name="differences").click()
    widget.locator(".hl-losses tbody tr").nth(2).click()


SHOTS = {
    "stepper": Shot(
        (STEPPER.format(dialogue="long_en", budget=1000), "hl.widgets.Stepper(run, at=125)"), open_question
    ),
    "triggerlab": Shot(
        (LAB.format(dialogue="long_en"), f"hl.widgets.TriggerLab(lab, trigger={README_TRIGGER!r})"),
        lower_threshold,
    ),
    "recalllab": Shot((LAB.format(dialogue="long_en"), "hl.widgets.RecallLab(lab)"), pick_question),
    "compare": Shot((COMPARE.format(dialogue="long_en"), "hl.widgets.Compare(runs, at=125)"), lose_evidence),
    "attention": Shot((ATTENTION, "hl.widgets.AttentionExplorer(found)"), pick_layer),
    "chat": Shot((CHAT, "chat")),
    "scripts": Shot((SCRIPTS, "hl.widgets.Stepper(run, at=8)")),
}


def main(names: list[str]) -> None:
    """Take the named pictures, or all."""
    FIGURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, jupyter_lab(Path(folder)) as lab, chromium() as browser:
        for name in names or SHOTS:
            shot = SHOTS[name]
            with watched_page(browser, width=1280, height=1400, scale=1.5) as page:
                lab.write(f"{name}.ipynb", shot.cells)
                lab.open(page, f"{name}.ipynb")
                lab.run_all(page, timeout=PATIENCE)
                widget = view(page)
                widget.wait_for()
                page.wait_for_timeout(2_000)
                shot.before(widget)
                page.mouse.move(0, 0)
                for theme in ("light", "dark"):
                    command(page, "apputils:change-theme", theme=f"JupyterLab {theme.title()}")
                    page.wait_for_timeout(2_500)
                    saved = save_small(widget.screenshot(), FIGURES / f"{name}_{theme}.png")
                    print(f"{saved.relative_to(FIGURES.parent.parent)}  {saved.stat().st_size / 1000:.0f} kB")


def save_small(png: bytes, path: Path) -> Path:
    """Write a picture in few colours; one that is still too large is an error."""
    with Image.open(BytesIO(png)) as picture:
        full = picture.convert("RGB")
    for colours in COLOURS:
        few = full.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
        if path.stat().st_size <= LARGEST:
            return path
    raise ValueError(f"{path.name} has {path.stat().st_size:,} bytes, expected at most {LARGEST:,}")


if __name__ == "__main__":
    main(sys.argv[1:])
