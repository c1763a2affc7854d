"""Fail when a committed figure was measured with other defaults than the library has now."""

from __future__ import annotations

import sys

import hydralab.benchmarks  # noqa: F401 (files the benchmarks)
from hydralab.benchmarks.results import find_stale, results_folder

__all__ = ["main"]


def main() -> int:
    """Print the stale results; return 1 when there are any."""
    stale = find_stale(results_folder())
    for file, name, reason in stale.rows():
        print(f"stale: data/results/{file}: {reason}; run `hydralab bench {name}` again", file=sys.stderr)
    if not stale.height:
        print("all committed figures were measured with the present defaults")
    return 1 if stale.height else 0


if __name__ == "__main__":
    sys.exit(main())
