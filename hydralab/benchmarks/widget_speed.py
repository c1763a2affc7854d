"""How long a hand waits: from a key or a slider's event to the redrawn widget, in JupyterLab in a browser."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import polars as pl

from hydralab.benchmarks.fingerprints import source_fingerprints
from hydralab.benchmarks.results import BENCHES, Bench
from hydralab.errors import HydralabError

__all__ = ["large_notebook", "measure_widgets", "time_events"]

BARS = {1_000: 150.0, 5_000: 400.0}
"""Turns → milliseconds in the median."""

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"

LAB = """
import hydralab as hl
import polars as pl
said = pl.concat([hl.read(hl.example(name)).select("role", "text") for name in ("long_en", "long_zh")])
copies = [said.with_columns(pl.col("text") + f" ({{number}})") for number in range({turns} // said.height + 1)]
lab = hl.Lab(hl.from_frame(pl.concat(copies).head({turns})))
name = lab.dialogue_id()
gold = [{{"dialogue_id": name, "position": turn, "annotator": "every 17"}} for turn in range(17, {turns}, 17)]
lab.annotate(gold=hl.frames.build("gold", gold))
run = lab.replay(hl.Hydration(), budget=1000)
"""
VIEWS = (
    "hl.widgets.Stepper(run, at={turns} // 2)",
    "hl.widgets.TriggerLab(lab)",
    "hl.widgets.RecallLab(lab, 'What was the marketing budget?')",
    "hl.widgets.Compare([run, lab.replay(hl.SlidingWindow(), budget=1000)], at={turns} // 2)",
)

TIMED = """([selector, act, shown]) => new Promise((resolve, reject) => {
  const root = document.querySelector(selector);
  const look = new Function("root", `return ${shown}`);
  const before = look(root);
  const started = performance.now();
  new Function("root", act)(root);
  const wait = () => {
    if (performance.now() - started > 30000) reject(new Error(`${selector} shows nothing new after ${act}`));
    else if (look(root) === before) requestAnimationFrame(wait);
    else requestAnimationFrame(() => resolve(performance.now() - started));
  };
  wait();
})"""
"""Act, and wait until what is shown is another, and drawn: from one frame to the next."""

KEY = 'root.dispatchEvent(new KeyboardEvent("keydown", {{ key: "{}", bubbles: true, cancelable: true }}))'
SLIDE = """const slider = root.querySelector("input[aria-label='{}']");
slider.value = "{}"; slider.dispatchEvent(new Event("input", {{ bubbles: true }}))"""
HEADING = 'root.querySelector("h3").textContent'

KEYS = ["ArrowRight", "ArrowRight", "PageDown", "ArrowLeft", "ArrowLeft", "End", "Home", "PageDown"]


def measure_widgets(*, turns: Sequence[int] = tuple(BARS), repeats: int = 40) -> pl.DataFrame:
    """Measure every widget that answers a hand, on dialogues of some lengths.

    Parameters
    ----------
    turns
        Lengths of the dialogues.
    repeats
        Events of each kind.

    Returns
    -------
    DataFrame
        event, turns, milliseconds (median), slowest_twentieth, bar, and the machine's load when it began.

    Raises
    ------
    HydralabError
        It is run outside of a checkout, whose scripts it needs.
    """
    browser = _browser()
    rows = []
    with (
        tempfile.TemporaryDirectory() as folder,
        browser.jupyter_lab(Path(folder)) as lab,
        browser.chromium() as chromium,
    ):
        for length in turns:
            with browser.watched_page(chromium) as page:
                lab.write("large.ipynb", large_notebook(length))
                lab.open(page, "large.ipynb")
                browser.start_all(page)
                browser.wait_until_idle(page, timeout=600)
                page.locator(".hl-compare").wait_for()
                page.wait_for_timeout(3_000)
                load = round(os.getloadavg()[0], 1)
                for event, times in time_events(page, repeats).items():
                    slow = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
                    rows.append(
                        (event, length, round(median(times), 1), round(slow, 1), BARS.get(length), load)
                    )
    columns = ["event", "turns", "milliseconds", "slowest_twentieth", "bar", "load"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def large_notebook(turns: int) -> list[str]:
    """Return the cells of a notebook that opens every widget on a dialogue of so many turns."""
    return [LAB.format(turns=turns), *(view.format(turns=turns) for view in VIEWS)]


def time_events(page: Any, repeats: int) -> Mapping[str, list[float]]:
    """Return event → milliseconds of each repeat, on a page that shows `large_notebook`."""
    keys = [KEYS[number % len(KEYS)] for number in range(repeats)]
    steps = [("End", "ArrowLeft", "ArrowLeft", "Home", "ArrowRight")[number % 5] for number in range(repeats)]
    shares = [round(0.3 + number % 60 / 100, 2) for number in range(repeats)]
    weights = [round(0.05 + 0.05 * (7 * number % 19), 2) for number in range(repeats)]
    timed = {
        "Stepper, key": (".hl-stepper", [KEY.format(key) for key in keys], HEADING),
        "TriggerLab, threshold": (
            ".hl-triggerlab",
            [SLIDE.format("threshold of shift", share) for share in shares],
            'root.querySelector(".hl-threshold").getAttribute("y1")',
        ),
        "RecallLab, weight": (
            ".hl-recalllab",
            [SLIDE.format("weight of dense", weight) for weight in weights],
            'root.querySelector(".hl-candidates table")',
        ),
        "Compare, key": (".hl-compare", [KEY.format(key) for key in steps], HEADING),
    }
    return {
        event: [page.evaluate(TIMED, [where, act, shown]) for act in acts]
        for event, (where, acts, shown) in timed.items()
    }


def _browser() -> Any:
    """Return the module that runs a JupyterLab and a browser in front; it is no part of the package."""
    if not (SCRIPTS / "jupyter_browser.py").exists():
        raise HydralabError(
            "bench widgets: there is no scripts/jupyter_browser.py, expected a checkout of hydralab"
        )
    if str(SCRIPTS) not in sys.path:
        sys.path.append(str(SCRIPTS))
    return import_module("jupyter_browser")


BENCHES.add(
    "widgets",
    Bench(
        run=measure_widgets,
        defaults=lambda: {
            "widgets": source_fingerprints("hydralab.widgets.compare")["widgets"],
            "bars": BARS,
        },
        about="From a key or a slider to the redrawn widget, in a browser: medians at 1,000 and 5,000 turns.",
    ),
)
