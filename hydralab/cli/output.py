"""How every command hands out its result: a rich table, JSON on stdout, or a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

__all__ = ["AsJson", "Out", "as_rows", "emit", "show_table"]

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Out = Annotated[
    Path | None, typer.Option("--out", help="Write the result as JSON to this file.", show_default=False)
]

MOST_ROWS = 40
LONGEST_CELL = 72
SHORT_CELL = 22
LEAST_TEXT = 12


def emit(result: Mapping[str, Any], *, as_json: bool, out: Path | None) -> bool:
    """Write a result to a file, to stdout as JSON, or both; returns whether a table is to be shown."""
    text = json.dumps(result, ensure_ascii=False, indent=2, default=_plain)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text + "\n", encoding="utf-8")
    if as_json:
        typer.echo(text)
    return not as_json


def as_rows(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """Return a table as rows that JSON can hold."""
    return frame.to_dicts()


def show_table(title: str, frame: pl.DataFrame, columns: Sequence[str] | None = None) -> None:
    """Print the first rows of a table; long cells are cut, the number of further rows is said."""
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = frame.select(columns) if columns else frame
    rows = [[_cell(value) for value in row] for row in shown.head(MOST_ROWS).iter_rows()]
    widest = [
        max(map(cell_len, [name, *(row[place] for row in rows)])) for place, name in enumerate(shown.columns)
    ]
    # A line a row: short cells stay whole, long texts share what is left of the terminal's width.
    table = Table(
        title=title, title_justify="left", header_style="bold", expand=max(widest, default=0) > SHORT_CELL
    )
    for width, (name, dtype) in zip(widest, shown.schema.items(), strict=True):
        table.add_column(
            name,
            justify="right" if dtype.is_numeric() else "left",
            no_wrap=True,
            overflow="ellipsis",
            width=width if width <= SHORT_CELL else None,
            ratio=None if width <= SHORT_CELL else 1,
            min_width=None if width <= SHORT_CELL else LEAST_TEXT,
        )
    for row in rows:
        table.add_row(*map(Text, row))
    console = Console()
    console.print(table)
    if shown.height > MOST_ROWS:
        console.print(f"… and {shown.height - MOST_ROWS:,} more rows (--json or --out for all of them)")


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, pl.DataFrame):
        return value.to_dicts()
    return str(value)
