"""Read every file below a folder and hold the counts against those taken independently.

`python -m hydralab.benchmarks.data_check FOLDER` prints what was read of each file and, where the
folder has an EXPECTED.tsv (file or glob, count, value), each of its counts beside the one read. It
exits with 1 when a count differs and the difference is not explained, when a record fails, or when a
file that looks like data is refused.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table

from hydralab.benchmarks.set_counts import DIFFERENCES, SET_COUNTS
from hydralab.errors import HydralabError, unknown_name
from hydralab.frames import Corpus
from hydralab.readers.files import Chosen, Refused, find_sources
from hydralab.readers.reading import yield_all
from hydralab.readers.tables import build_corpus

__all__ = ["Check", "Reading", "check_counts", "main", "read_folder"]

EXPECTED = "EXPECTED.tsv"
SHOWN = ("dialogues", "sessions", "turns", "boundaries", "questions", "evidence_links")


@dataclass(frozen=True)
class Reading:
    """What one source gave.

    Parameters
    ----------
    file
        Its path below the folder.
    reader
        The reader's name; "" when the file was refused.
    corpus, whole
        What is read by default, and with all branches.
    refusal
        Why it was refused; "" when it was read.
    is_data
        Whether a refused file looked like data.
    """

    file: str
    reader: str
    corpus: Corpus
    whole: Corpus
    refusal: str = ""
    is_data: bool = False


@dataclass(frozen=True)
class Check:
    """One count: taken from the file, and as read; `note` explains a difference."""

    file: str
    count: str
    expected: int
    read: int | None
    note: str = ""

    @property
    def verdict(self) -> str:
        """Return "agrees", "explained" or "differs"."""
        if self.read == self.expected:
            return "agrees"
        return "explained" if self.note and self.read is not None else "differs"


def read_folder(folder: Path) -> list[Reading]:
    """Read every file below a folder, each on its own."""
    found = find_sources(folder, wanted=None, encoding=None, options={})
    return [_read(one, folder) for one in found if one.source.path.name != EXPECTED]


def check_counts(readings: Sequence[Reading], expected: Path) -> list[Check]:
    """Hold what was read against a table of file (or glob), count and value."""
    with expected.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [_check(readings, row["file"], row["count"], int(row["value"])) for row in rows]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the check; return the exit code."""
    parser = argparse.ArgumentParser(prog="data_check", description=str(__doc__).split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--out", type=Path, help="write the result as JSON to a file")
    given = parser.parse_args(arguments)
    try:
        readings = read_folder(given.folder)
        expected = given.folder / EXPECTED
        checks = check_counts(readings, expected) if expected.is_file() else []
    except HydralabError as error:
        print(error, file=sys.stderr)
        return 2
    problems = list(_problems(readings, checks))
    result = json.dumps(_result(readings, checks, problems), ensure_ascii=False, indent=1)
    if given.out:
        given.out.write_text(result + "\n", encoding="utf-8")
    if given.json:
        print(result)
    else:
        _show(readings, checks, problems)
    return 1 if problems else 0


def _read(one: Chosen | Refused, folder: Path) -> Reading:
    file = one.source.path.relative_to(folder).as_posix()
    if one.source.member:
        file = f"{file}/{one.source.member}"
    if isinstance(one, Refused):
        return Reading(file, "", Corpus(), Corpus(), one.reason, one.is_data)
    corpus = build_corpus(yield_all([one]))
    return Reading(file, one.name, corpus, build_corpus(yield_all([_with_branches(one)])))


def _with_branches(one: Chosen) -> Chosen:
    reader: Any = one.reader
    if "branches" not in {option.name for option in fields(reader)}:
        return one
    return replace(one, reader=replace(reader, branches="all"))


def _check(readings: Sequence[Reading], pattern: str, count: str, expected: int) -> Check:
    matching = [one for one in readings if one.reader and fnmatch(one.file, pattern)]
    note = DIFFERENCES.get((PurePosixPath(pattern).name, count), "")
    read = sum(_counted(one, count) for one in matching) if matching else None
    return Check(pattern, count, expected, read, note)


def _counted(one: Reading, count: str) -> int:
    if count in TREE_COUNTS:
        return TREE_COUNTS[count](one.whole)
    counts = {**SET_COUNTS, **EXPORT_COUNTS}
    if count not in counts:
        raise unknown_name("count", count, [*counts, *TREE_COUNTS])
    return counts[count](one.corpus)


def _longest(corpus: Corpus) -> int:
    return int(corpus.turns.group_by("dialogue_id").len()["len"].max() or 0)  # type: ignore[arg-type]


def _conversations(corpus: Corpus) -> int:
    return _nodes(corpus)["conversation"].n_unique()


def _messages_in_trees(corpus: Corpus) -> int:
    return _nodes(corpus).unique().height


def _nodes_with_text(corpus: Corpus) -> int:
    """Count what people and models wrote; the text of tools stands in other fields of a node."""
    is_written = pl.col("role").is_in(["user", "assistant"]) & (pl.col("text") != "")
    return _nodes(corpus, is_written).unique().height


def _nodes(corpus: Corpus, chosen: pl.Expr | bool = True) -> pl.DataFrame:
    """Return conversation and node of each turn; those that branches share come several times."""
    return corpus.turns.filter(chosen).select(
        conversation=pl.col("dialogue_id").str.split("#").list.first(),
        node=pl.col("turn_id").str.split(":").list.last(),
    )


def _problems(readings: Sequence[Reading], checks: Sequence[Check]) -> Iterator[str]:
    for one in readings:
        if one.is_data:
            yield one.refusal
        yield from one.corpus.events.filter(pl.col("status") == "failed")["detail"]
    for check in checks:
        if check.verdict == "differs":
            read = "not read" if check.read is None else f"{check.read} read"
            yield f"{check.file}: {check.count}: {check.expected} expected, {read}"


def _result(readings: Sequence[Reading], checks: Sequence[Check], problems: Sequence[str]) -> dict[str, Any]:
    return {
        "files": [
            {"file": one.file, "reader": one.reader, "refusal": one.refusal, **_shown_counts(one)}
            for one in readings
        ],
        "checks": [{**asdict(check), "verdict": check.verdict} for check in checks],
        "problems": list(problems),
    }


def _shown_counts(one: Reading) -> dict[str, int]:
    return {count: SET_COUNTS[count](one.corpus) for count in SHOWN} if one.reader else {}


def _show(readings: Sequence[Reading], checks: Sequence[Check], problems: Sequence[str]) -> None:
    console = Console()
    read = Table(title="what was read", title_justify="left")
    for name in ("file", "reader", *SHOWN, "salvaged"):
        read.add_column(name.replace("_", " "), justify="left" if name in ("file", "reader") else "right")
    for one in readings:
        if one.reader:
            salvaged = one.corpus.events.filter(pl.col("status") == "salvaged").height
            read.add_row(one.file, one.reader, *map(str, _shown_counts(one).values()), str(salvaged))
    console.print(read)
    refused = [one for one in readings if not one.reader]
    named = ", ".join(one.file for one in refused)
    console.print(f"{len(refused)} files are no dialogues: {named}", soft_wrap=True, highlight=False)
    if checks:
        console.print(_checks_table(checks))
    for problem in problems:
        console.print(f"[red]unexplained:[/red] {problem}", soft_wrap=True, highlight=False)


def _checks_table(checks: Sequence[Check]) -> Table:
    table = Table(title=f"counts of {EXPECTED} beside those read", title_justify="left")
    for name in ("file", "count", "expected", "read", "verdict"):
        table.add_column(name, justify="right" if name in ("expected", "read") else "left")
    colours = {"agrees": "green", "explained": "yellow", "differs": "red"}
    for check in checks:
        said = f"[{colours[check.verdict]}]{check.verdict}[/]"
        told = f"{said}: {check.note}" if check.verdict == "explained" else said
        read = "–" if check.read is None else str(check.read)
        table.add_row(check.file, check.count, str(check.expected), read, told)
    return table


EXPORT_COUNTS: Mapping[str, Callable[[Corpus], int]] = MappingProxyType(
    {"longest": _longest, "messages": SET_COUNTS["turns"], "day_files": SET_COUNTS["sessions"]}
)
"""Name of a count of an export → what counts it."""

TREE_COUNTS: Mapping[str, Callable[[Corpus], int]] = MappingProxyType(
    {
        "trees": _conversations,
        "conversations": _conversations,
        "messages_in_trees": _messages_in_trees,
        "nodes_with_text": _nodes_with_text,
    }
)
"""The same for counts over all branches."""


if __name__ == "__main__":
    raise SystemExit(main())
