"""`hydralab bench`: measure, and keep the figures with what made them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

from hydralab.cli.output import AsJson, Out, emit, is_folder, show_table

__all__ = ["bench_command"]

INTERVAL = "lo to hi"
SPARE = ("seconds", "default", "excluded", "early", "unacknowledged", "index_rebuilt", "n", INTERVAL, "split")
"""Columns that a narrow terminal goes without first."""


def bench_command(
    name: Annotated[str, typer.Argument(help="The benchmark; `hydralab bench list` lists them.")],
    sets: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME=PATH]…", help="Sets to measure on.")
    ] = None,
    encoder: Annotated[
        str | None, typer.Option("--encoder", help="One encoder, or several by comma.")
    ] = None,
    methods: Annotated[
        str | None, typer.Option("--methods", help="Some of the methods, by semicolon.")
    ] = None,
    budgets: Annotated[str | None, typer.Option("--budgets", help="Token budgets by comma.")] = None,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Also without each part that can be left out.")
    ] = False,
    metrics: Annotated[str | None, typer.Option("--metrics", help="Some of the metrics, by comma.")] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", help="Processes side by side.")] = None,
    llm: Annotated[str | None, typer.Option("--llm", help="The chat model that answers.")] = None,
    judge: Annotated[str | None, typer.Option("--judge", help="The chat model that grades.")] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="So many questions of each set.")
    ] = None,
    turns: Annotated[int | None, typer.Option("--turns", min=1, help="So many turns to make.")] = None,
    dialogues: Annotated[int | None, typer.Option("--dialogues", min=1, help="In so many dialogues.")] = None,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Run a benchmark on the bundled data, or on sets that are named."""
    import json

    import polars as pl

    import hydralab.benchmarks  # noqa: F401 (files the benchmarks)
    from hydralab.benchmarks.results import BENCHES, make_result, write_result

    if name == "list":
        listed = pl.DataFrame(
            [(each, BENCHES[each].about) for each in BENCHES], schema=["name", "about"], orient="row"
        )
        if emit({}, {"benchmarks": listed}, as_json=as_json, out=out):
            show_table("benchmarks", listed, whole="about")
        return
    bench = BENCHES[name]
    options = _options(
        name,
        bench.run,
        sets=_paths(sets),
        encoder=encoder,
        methods=methods,
        budgets=budgets,
        ablate=ablate or None,
        metrics=metrics,
        jobs=jobs,
        llm=llm,
        judge=judge,
        limit=limit,
        turns=turns,
        dialogues=dialogues,
    )
    frame = bench.run(**options)
    result = make_result(name, frame, command=["hydralab", *map(_without_path, sys.argv[1:])])
    if out is not None:
        write_result(out / f"{name}.json" if is_folder(out) else out, result)
    if as_json:
        typer.echo(json.dumps(result, ensure_ascii=False, indent=2))
    else:
        same = _said_once(frame)
        told = ", ".join(f"{name} {_plain(value)}" for name, value in same.items())
        title = f"{bench.about}\nin all rows: {told}" if same else bench.about
        show_table(title, _with_intervals(frame.drop(same)), spare=SPARE)


def _said_once(frame: pl.DataFrame) -> dict[str, Any]:
    """Return the columns that are the same in all of several rows, with what they hold."""
    if frame.height < 2:
        return {}
    return {
        column.name: column[0]
        for column in frame.iter_columns()
        if column.n_unique() == 1 and not isinstance(column.dtype, pl.List)
    }


def _with_intervals(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with both ends of an interval in one column."""
    if not {"lo", "hi"} <= set(frame.columns):
        return frame
    ends = [pl.col(name).cast(pl.Float64).round(3).cast(pl.String).fill_null("") for name in ("lo", "hi")]
    both = pl.when(pl.col("lo").is_null()).then(pl.lit("")).otherwise(pl.concat_str(ends, separator=" to "))
    return frame.with_columns(both.alias("lo")).drop("hi").rename({"lo": INTERVAL})


def _plain(value: object) -> str:
    return "–" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)


def _without_path(argument: str) -> str:
    """Return an argument as it is kept with a result: where a set lies on one machine is of no use."""
    name, found, path = argument.partition("=")
    return f"{name}={Path(path).name}" if found and Path(path).exists() else argument


def _paths(sets: list[str] | None) -> dict[str, Path] | None:
    from hydralab.errors import HydralabError

    if not sets:
        return None
    named = {}
    for each in sets:
        name, found, path = each.partition("=")
        if not found or not Path(path).exists():
            raise HydralabError(f"{each!r}: expected NAME=PATH with a path that exists")
        named[name] = Path(path)
    return named


def _numbers(text: str) -> list[int]:
    from hydralab.errors import HydralabError

    try:
        return [int(each) for each in text.split(",")]
    except ValueError:
        raise HydralabError(
            f"--budgets {text!r}: expected whole numbers by comma, such as 1000,2000"
        ) from None


def _options(name: str, run: Any, **given: Any) -> dict[str, Any]:
    """Keep the options that were given, in the words of the benchmark's own parameters."""
    from inspect import signature

    from hydralab.errors import HydralabError

    taken = signature(run).parameters
    split = {
        "sets": given["sets"],
        "encoders": given["encoder"].split(",") if given["encoder"] else None,
        "encoder": given["encoder"],
        "methods": [each.strip() for each in given["methods"].split(";")] if given["methods"] else None,
        "metrics": [each.strip() for each in given["metrics"].split(",")] if given["metrics"] else None,
        "budgets": _numbers(given["budgets"]) if given["budgets"] else None,
        **{name: given[name] for name in ("ablate", "jobs", "llm", "judge", "limit", "turns", "dialogues")},
    }
    for option, value in given.items():
        known = option in taken or (option == "encoder" and "encoders" in taken)
        if value is not None and not known:
            raise HydralabError(
                f"benchmark {name!r} takes no {option}; it takes {', '.join(taken) or 'nothing'}"
            )
    options = {key: value for key, value in split.items() if key in taken and value is not None}
    return options | ({"progress": sys.stderr.isatty()} if "progress" in taken else {})
