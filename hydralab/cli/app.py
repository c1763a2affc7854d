"""The `hydralab` command. Bad input ends in one clear line on stderr and exit code 2."""

from __future__ import annotations

import os
import sys
import warnings
from importlib.metadata import version
from io import TextIOWrapper
from typing import Annotated

import typer

from hydralab.cli import bench, checkpoints, demo, doctor, hydrate, notebooks, read, replay
from hydralab.errors import HydralabError

__all__ = ["app", "main"]


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"hydralab {version('hydralab')}")
        raise typer.Exit


app = typer.Typer(
    name="hydralab",
    help="Memory of long LLM dialogues: read them, place checkpoints, hydrate prompts, replay.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


@app.callback()
def options(
    asked: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Say the version and stop.")
    ] = False,
) -> None:
    """Memory of long LLM dialogues: read them, place checkpoints, hydrate prompts, replay."""


app.command("read")(read.read_command)
app.command("checkpoints")(checkpoints.checkpoints_command)
app.command("hydrate")(hydrate.hydrate_command)
app.command("replay")(replay.replay_command)
app.command("bench", context_settings={"allow_extra_args": False})(bench.bench_command)
app.command("doctor")(doctor.doctor_command)
app.command("lab")(notebooks.lab_command)
app.command("demo")(demo.demo_command)


def main() -> None:
    """Run the command; what goes wrong with the input is told in one line."""
    warnings.showwarning = _one_line
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal may know no Chinese
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except HydralabError as error:
        _refuse(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(141) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _refuse(f"{where}{error.strerror or error}")


def _refuse(message: str) -> None:
    typer.echo(f"hydralab: {' '.join(message.split())}", err=True)
    raise SystemExit(2)


def _one_line(message: Warning | str, *_: object, **__: object) -> None:
    typer.echo(f"hydralab: {message}", err=True)
