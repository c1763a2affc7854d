"""Write the measured figures of README.md and docs/: `python scripts/write_figures.py [--check]`."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "data" / "results"
WRITTEN = "scripts/write_figures.py writes this part from data/results"
PART = rf"(?<=<!-- {{name}}: {WRITTEN} -->\n)(.*?)(?=<!-- end of {{name}} -->)"

Result = dict[str, Any]

BUDGET = (
    "Evidence of the gold questions that stands word for word in the prompt, at a budget of tokens. Questions are "
    "asked at least 40 turns after their evidence, so a window over the newest turns holds none of it:\n\n"
)
LOCOMO = (
    "The same on five dialogues of [LoCoMo](https://github.com/snap-research/locomo), on which hydralab was "
    "developed:\n\n"
)
ADAPTIVE = (
    "Hydration that adapts to its query (`adaptive=hl.Adaptive()`, at most so many tokens) beside hydration with the "
    "fixed budget that spends as many tokens in the mean; its settings were chosen on these dialogues:\n\n"
)
SEGMENTATION = (
    "Boundaries against gold: Score = (F1 + 1 − (Pk + WindowDiff) / 2) / 2, higher is better. *readme* is the "
    "trigger of the first cell with its Chinese or English words; the floors cut nowhere, everywhere, every N turns "
    "with N of each dialogue's own gold, and at random at the density of the gold:\n\n"
)
RETRIEVAL = (
    "Evidence found among the first 5 and 10 (proportional recall, all categories, default encoder), by turn and by "
    "session. The weights of the blend were chosen on LoCoMo and the long bundled dialogues; RealMem and MADial had no "
    "part in them:\n\n"
)
PUBLIC = (
    "Score on public sets, fitted on nothing and fitted on the corpus (slow topics cross-fitted without labels, the "
    "learned trigger on the labels of other dialogues); every N with N of each dialogue's own gold. "
    "[07_measured](../notebooks/07_measured.ipynb) holds all metrics, intervals and published figures:\n\n"
)
SPEED = (
    "Speed, on two cores; what misses its bar stands in [SHORTFALLS](../SHORTFALLS.md) with the reason:\n\n"
)


HEADLINES = (
    "Evidence of the gold questions that stands word for word in a prompt of 1,000 tokens; the questions of the two "
    "bundled dialogues are asked at least 40 turns after it, and hydralab was developed on all three sets:\n\n"
)
UNFITTED = (
    "Score of boundaries on public sets, one dialogue at a time and nothing fitted, beside the floor that cuts every N "
    "turns with N of the dialogue's own gold. The default trigger decides while a dialogue runs, and is below the "
    "floor on most; fitted on a corpus the scores are higher:\n\n"
)
HEADLINES_ZH = "1,000 词元的提示词里逐字在场的证据；自带对话隔 40 轮以上才问，三套数据都用于开发：\n\n"
UNFITTED_ZH = "公开数据上的边界得分，一次一段对话，不作拟合；默认触发器边聊边定，多数低于每 N 轮一切：\n\n"
PACKED = ("hydration", "hydration, adaptive", "bm25 fills the budget", "sliding_window")
UNTAUGHT = ("default", "valleys", "texttiling", "floor: every_n")

ENGINES = {"sqlite": "SQLite", "postgresql": "PostgreSQL", "redis+postgresql": "Redis + PostgreSQL"}
TIERS = {
    "of these: the prompt": "the prompt",
    "of the prompt: nearest turns and summaries": "of it: nearest turns and summaries",
}
SCALE = {
    "append in bulk, with vectors and checkpoints": "append in bulk, with vectors and checkpoints",
    "size on disk": "size on disk",
    "open the store": "open the store",
    "append a turn": "append a turn, durably",
    "read the newest 8 turns of a dialogue": "the newest 8 turns of a dialogue",
    "open an agent on a dialogue": "open an agent on a dialogue of 1,000 turns that none had before",
    "hydrate within the dialogue": "hydrate within it",
    "hydrate with facts across the user's dialogues": "hydrate with facts across a user's dialogues",
    "open a lab on the user's dialogues": "open a lab on one user's ten dialogues (`store.for_user`)",
    "each later hydrate": "hydrate in it",
    "open a lab on all dialogues": "open a lab on all of it",
}
"""What the table of stores shows → how it says so."""

SHOWN = (
    "floor: every_n",
    "default",
    "valleys",
    "texttiling",
    "slow topics, change points",
    "slow topics, change points, online",
    "learned, online",
)
"""Methods of the table of public sets; the others stand in the notebook."""


def main(arguments: Sequence[str]) -> int:
    """Write the parts, or with --check say whether they are what data/results hold; 1 if they aren't."""
    stale = 0
    for (page, name), figures in PARTS.items():
        text = page.read_text(encoding="utf-8")
        head, _, tail = re.split(PART.format(name=name), text, flags=re.DOTALL)
        fresh = head + figures() + tail
        stale += fresh != text
        if "--check" not in arguments:
            page.write_text(fresh, encoding="utf-8")
    return int("--check" in arguments and stale > 0)


def every_table() -> str:
    """Return all tables as Markdown; a benchmark without a result has none."""
    parts: list[str] = []
    for name, write in SECTIONS.items():
        result = _result(name.replace("_encoders", ""))
        if result is not None:
            source = f"`{result['command']}`, {result['measured']}."
            if parts and parts[-1].endswith(f"{source}\n\n"):
                parts[-1] = parts[-1].removesuffix(f"{source}\n\n")
            parts.append(f"{write(result)}\n\n{source}\n\n")
    return "\n" + "".join(parts)


def headlines(on_evidence: str, on_boundaries: str) -> str:
    """Return what a newcomer wants to know first: evidence at 1,000 tokens, and boundaries, each under its words."""
    evidence = [row for name in ("budget", "budget_locomo") for row in _rows(name)]
    evidence = [row for row in evidence if row["encoder"] == "use" and row["budget"] == 1_000]
    cells = {(row["method"], row["set"]): row["verbatim"] for row in evidence}
    sets = sorted({row["set"] for row in evidence}, key=lambda name: (name == "locomo", name))
    scores = {
        (row["method"], row["set"]): row["value"]
        for row in _rows("segmentation_public")
        if (row["metric"], row["encoder"], row["split"]) == ("score", "use", "one dialogue")
    }
    public = dict.fromkeys(name for _, name in scores)
    return (
        on_evidence
        + _table(
            ["", *sets],
            ([method, *(_share(cells.get((method, name))) for name in sets)] for method in PACKED),
        )
        + "\n\n"
        + on_boundaries
        + _table(
            ["", *public],
            ([method, *(_number(scores.get((method, name))) for name in public)] for method in UNTAUGHT),
        )
        + "\n\n"
    )


def scale() -> str:
    """Return what a million turns take, an engine a column."""
    results = [each for each in map(_result, ("scale", "scale_postgresql")) if each is not None]
    cells = {(row["what"], row["engine"]): row for result in results for row in result["rows"]}
    engines = dict.fromkeys(engine for _, engine in cells)
    return (
        "\n"
        + _table(
            ["", *(ENGINES[engine] for engine in engines)],
            ([told, *(_amount(cells.get((what, each))) for each in engines)] for what, told in SCALE.items()),
        )
        + "\n\n"
    )


def tiers() -> str:
    """Return what a message takes that is served from the tiers, a length a column."""
    rows = _rows("tiers")
    cells = {(row["engine"], row["what"], row["turns"]): row for row in rows}
    engines, lengths = (dict.fromkeys(row[name] for row in rows) for name in ("engine", "turns"))
    return (
        "\n"
        + _table(
            ["", *(f"{length:,} turns" for length in lengths)],
            (
                [
                    f"{ENGINES[engine]}: {told}",
                    *(_amount(cells.get((engine, what, each))) for each in lengths),
                ]
                for engine in engines
                for what, told in TIERS.items()
            ),
        )
        + "\n\n"
    )


def _amount(row: dict[str, Any] | None) -> str:
    """Return a measured value with its unit, in seconds from one on."""
    if row is None or row["value"] is None:
        return "–"
    value, unit = row["value"], row["unit"]
    if unit == "ms" and value >= 1_000:
        value, unit = value / 1_000, "s"
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.2g} {unit}"


def _result(name: str) -> Result | None:
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def _rows(name: str) -> list[dict[str, Any]]:
    result = _result(name)
    return [] if result is None else result["rows"]


def _budget(result: Result) -> str:
    rows = [row for row in result["rows"] if row["encoder"] == "use"]
    columns = sorted(
        {(row["set"], row["budget"]) for row in rows}, key=lambda each: (each[0] != "long_zh", *each)
    )
    cells = {(row["method"], row["set"], row["budget"]): row["verbatim"] for row in rows}
    methods = dict.fromkeys(row["method"] for row in rows)
    bundled = any(name == "long_zh" for name, _ in columns)
    return (BUDGET if bundled else LOCOMO) + _table(
        ["", *(f"{name}, {budget:,}" for name, budget in columns)],
        ([method, *(_share(cells.get((method, *column))) for column in columns)] for method in methods),
    )


def _encoders(result: Result) -> str:
    rows = [row for row in result["rows"] if row["budget"] == 1_000 and row["method"] == "hydration"]
    sets = sorted({row["set"] for row in rows}, reverse=True)
    cells = {(row["encoder"], row["set"]): row["verbatim"] for row in rows}
    names = dict.fromkeys(row["encoder"] for row in rows)
    return "The same for hydration at 1,000 tokens by encoder (MiniLM knows English only):\n\n" + _table(
        ["", *sets], ([name, *(_share(cells.get((name, each))) for each in sets)] for name in names)
    )


def _adaptive(result: Result) -> str:
    return ADAPTIVE + _table(
        ["", "tokens", "adaptive", "fixed"],
        (
            [
                f"{row['set']}, {row['budget']:,}",
                f"{row['tokens']:,.0f}",
                _share(row["verbatim"]),
                _share(row["fixed_verbatim"]),
            ]
            for row in result["rows"]
        ),
    )


def _segmentation(result: Result) -> str:
    rows = [row for row in result["rows"] if row["metric"] == "score" and row["encoder"] == "use"]
    sets = dict.fromkeys(row["set"] for row in rows)
    scores = {(row["method"], row["set"]): row["value"] for row in rows}
    methods = dict.fromkeys(row["method"] for row in rows)
    return SEGMENTATION + _table(
        ["", *sets],
        ([method, *(_number(scores.get((method, name))) for name in sets)] for method in methods),
    )


def _retrieval(result: Result) -> str:
    rows = [
        row
        for row in result["rows"]
        if (row["category"], row["metric"]) == ("all", "recall_proportional") and row["k"] in (5, 10)
    ]
    cells = {(row["set"], row["level"], row["k"], row["method"]): row["value"] for row in rows}
    methods = dict.fromkeys(row["method"] for row in rows)
    places = dict.fromkeys((row["set"], row["level"], row["k"]) for row in rows)
    return RETRIEVAL + _table(
        ["", *methods],
        (
            [f"{name}, {level}, {k}", *(_share(cells.get((name, level, k, method))) for method in methods)]
            for name, level, k in places
        ),
    )


def _public(result: Result) -> str:
    rows = [row for row in result["rows"] if row["metric"] == "score" and row["encoder"] == "use"]
    sets = dict.fromkeys(row["set"] for row in rows)
    shown = dict.fromkeys((row["split"] != "one dialogue", row["method"]) for row in rows)
    scores = {(row["split"] != "one dialogue", row["method"], row["set"]): row["value"] for row in rows}
    return PUBLIC + _table(
        ["", "fitted on", *sets],
        (
            [
                method,
                "the corpus" if fitted else "nothing",
                *(_number(scores.get((fitted, method, name))) for name in sets),
            ]
            for fitted, method in shown
            if method in SHOWN
        ),
    )


def _speed(result: Result) -> str:
    return SPEED + _table(
        ["", "measured", "bar"],
        (
            [row["what"], f"{_number(row['value'])} {row['unit']}", _number(row["bar"])]
            for row in result["rows"]
        ),
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [list(head), ["---", *["--:"] * (len(head) - 1)], *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}" if abs(value) >= 1 else f"{value:.2f}"


SECTIONS: dict[str, Callable[[Result], str]] = {
    "budget": _budget,
    "budget_encoders": _encoders,
    "budget_locomo": _budget,
    "adaptive": _adaptive,
    "retrieval": _retrieval,
    "segmentation": _segmentation,
    "segmentation_public": _public,
    "speed": _speed,
}

PARTS: dict[tuple[Path, str], Callable[[], str]] = {
    (ROOT / "docs" / "stores.md", "scale"): scale,
    (ROOT / "docs" / "stores.md", "tiers"): tiers,
    (ROOT / "README.md", "figures"): partial(headlines, HEADLINES, UNFITTED),
    (ROOT / "README.zh.md", "figures"): partial(headlines, HEADLINES_ZH, UNFITTED_ZH),
    (ROOT / "docs" / "measured.md", "figures"): every_table,
}
"""Page and name of a part → what makes it."""

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
