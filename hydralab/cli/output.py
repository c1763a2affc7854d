"""How every command hands out its result: a rich table, JSON on stdout, a file, or a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, TypeGuard

import polars as pl
import typer

__all__ = ["AsJson", "Out", "emit", "is_folder", "named_path", "show_table"]


def named_path(text: str) -> Path:
    """Return the path that is named; a blank name, as an unset variable of a shell gives, names none."""
    if not text.strip():
        raise typer.BadParameter("got a blank name, expected a file or folder")
    return Path(text)


AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        parser=named_path,
        metavar="PATH",
        help="Write the result: to a file when its name ends in .json, else into this folder.",
        show_default=False,
    ),
]

MOST_ROWS = 40
LONGEST_CELL = 72
SHORT_CELL = 22
LEAST_TEXT = 24
BORDER = 3
"""What a column takes beside its text: a blank on both sides and a line."""


def is_folder(out: Path | None) -> TypeGuard[Path]:
    """Say whether a result goes into a folder; it does unless the name ends in .json."""
    return out is not None and out.suffix != ".json"


def emit(
    result: Mapping[str, Any], tables: Mapping[str, pl.DataFrame], *, as_json: bool, out: Path | None
) -> bool:
    """Write a result where it is wanted; returns whether tables are to be shown.

    Parameters
    ----------
    result, tables
        What goes into the JSON, the tables as lists of rows.
    as_json
        Print it.
    out
        A file that ends in .json; else a folder, for result.json and a Parquet file a table.
    """
    whole = {**result, **{name: table.to_dicts() for name, table in tables.items()}}
    text = json.dumps(whole, ensure_ascii=False, indent=2, default=_plain)
    if out is not None:
        target = out / "result.json" if is_folder(out) else out
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text + "\n", encoding="utf-8", errors="replace")
    if is_folder(out):
        for name, table in tables.items():
            table.write_parquet(out / f"{name}.parquet")
    if as_json:
        typer.echo(text)
    return not as_json


def show_table(
    title: str,
    frame: pl.DataFrame,
    columns: Sequence[str] | None = None,
    *,
    spare: Sequence[str] = (),
    whole: str | None = None,
) -> None:
    """Print the first rows of a table; long cells are cut, the number of further rows is said.

    Parameters
    ----------
    columns
        Which, in order; all when None.
    spare
        Those that are left out, first to last, as far as the terminal is too narrow for all.
    whole
        The column whose texts are not cut but take as many lines as they need, such as reasons.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    shown = frame.select(columns) if columns else frame
    cells = {
        column.name: [
            str(value or "") if column.name == whole else _cell(value) for value in column.to_list()
        ]
        for column in shown.head(MOST_ROWS).iter_columns()
    }
    widths = {name: _width([name, *texts]) for name, texts in cells.items()}
    kept = _fitting(widths, spare, console.width)
    # A line a row: short cells stay whole, long texts share what is left of the terminal's width.
    is_wide = any(widths[name] > SHORT_CELL for name in kept)
    table = Table(title=title, title_justify="left", header_style="bold", expand=is_wide)
    for name in kept:
        is_short = widths[name] <= SHORT_CELL
        table.add_column(
            name,
            justify="right" if shown.schema[name].is_numeric() else "left",
            no_wrap=name != whole,
            overflow="fold" if name == whole else "ellipsis",
            width=widths[name] if is_short else None,
            ratio=None if is_short else 1,
            min_width=None if is_short else LEAST_TEXT,
        )
    for row in zip(*(cells[name] for name in kept), strict=True):
        table.add_row(*map(Text, row))
    console.print(table)
    if shown.height > MOST_ROWS:
        console.print(
            f"… and {shown.height - MOST_ROWS:,} more rows (--json or --out for all of them)", soft_wrap=True
        )
    left = [name for name in widths if name not in kept]
    if left:
        console.print(f"too narrow for {', '.join(left)} (--json or --out for all of it)", soft_wrap=True)


def _fitting(widths: Mapping[str, int], spare: Sequence[str], room: int) -> list[str]:
    """Return the columns that have room, spare ones left out first, then the last ones."""
    kept = list(widths)
    for name in [*(name for name in spare if name in widths), *reversed(list(widths))]:
        needed = sum(
            min(widths[each], SHORT_CELL if widths[each] <= SHORT_CELL else LEAST_TEXT) for each in kept
        )
        if needed + BORDER * len(kept) < room or len(kept) == 1:
            break
        if name in kept:
            kept.remove(name)
    return kept


def _width(texts: Sequence[str]) -> int:
    from rich.cells import cell_len

    return max(map(cell_len, texts))


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.3f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
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
