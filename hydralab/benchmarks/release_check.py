"""Fail when a committed figure rests on something else than the library of now, or when there is none."""

from __future__ import annotations

import sys
from pathlib import Path

import hydralab.benchmarks  # noqa: F401 (files the benchmarks)
from hydralab.benchmarks.results import find_stale, results_folder

__all__ = ["main"]


def main(folder: Path | None = None) -> int:
    """Print the stale results with the commands that measure them again; return 1 when there are any."""
    folder = folder or results_folder()
    count = len(list(folder.glob("*.json")))
    if not count:
        print(f"release-check: no results in {folder}, expected one of each benchmark", file=sys.stderr)
        return 1
    stale = find_stale(folder)
    for file, _, reason, command in stale.rows():
        print(f"stale: {file}: {reason}; run `{command}`", file=sys.stderr)
    if not stale.height:
        print(f"all {count} committed results rest on the library as it is")
    return 1 if stale.height else 0


if __name__ == "__main__":
    sys.exit(main())
