"""Triggers that are written as functions: their source is run, as a cell would run it, and kept."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from hydralab.errors import HydralabError
from hydralab.triggers import Trigger

__all__ = ["run_source", "save_module"]

MODULE_HEAD = '"""A trigger written by hydralab\'s TriggerLab."""'
MODULE = "my_trigger"
"""What the view calls the module: functions that are run here and those of the module are the same to the registry."""

IMPORTS = "import numpy as np\nimport polars as pl\n\nimport hydralab as hl"


def run_source(source: str) -> Trigger:
    r"""Run Python that makes a trigger, and return it: the value of the last line, else what was made last.

    `hl`, `np` and `pl` are known. What a function with `@hl.trigger`, `@hl.step_trigger` or `@hl.segmenter`
    is called, it is filed by.

    Raises
    ------
    HydralabError
        It is no Python, raises, or makes no trigger; with the line.

    >>> sixth = "@hl.step_trigger(init=0)\ndef sixth(n, row):\n    return n + 1, n % 6 == 0, 1.0\n"
    >>> run_source(sixth + "sixth.place(min_turns=2)")
    hl.get_trigger('sixth').place(min_turns=2)
    """
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise HydralabError(f"trigger source, line {error.lineno}: {error.msg}") from error
    last = tree.body[-1] if tree.body else None
    ends = [ast.Expression(last.value)] if isinstance(last, ast.Expr) else []
    tree.body = tree.body[: len(tree.body) - len(ends)]
    space: dict[str, Any] = {
        "hl": import_module("hydralab"),
        "np": np,
        "pl": pl,
        "__name__": MODULE,
    }
    try:
        exec(compile(tree, NAME, "exec"), space)
        values = [eval(compile(end, NAME, "eval"), space) for end in ends]
    except HydralabError:
        raise
    except Exception as error:
        raise HydralabError(
            f"trigger source, line {_line_of(error)}: {type(error).__name__}: {error}"
        ) from error
    made = [*values, *reversed(space.values())]
    found = next((each for each in made if isinstance(each, Trigger)), None)
    if found is None:
        raise HydralabError(
            "trigger source: it makes no trigger, expected a function with @hl.trigger above it"
        )
    return found


NAME = "<trigger>"


def _line_of(error: Exception) -> int | str:
    """Return the line of the source that an error came from."""
    line: int | str = "?"
    place = error.__traceback__
    while place is not None:
        if place.tb_frame.f_code.co_filename == NAME:
            line = place.tb_lineno
        place = place.tb_next
    return line


def save_module(text: str, path: str | Path, source: str = "") -> Path:
    """Write a trigger as a Python module that defines `trigger`; returns its path.

    Parameters
    ----------
    text
        The trigger's own text.
    path
        A name such as "my_trigger.py".
    source
        What its functions were made by.

    Raises
    ------
    HydralabError
        No name of a module, or a file is there that wasn't written here.
    """
    target = Path(path)
    if target.suffix != ".py" or not target.stem.isidentifier():
        raise HydralabError(f"{target.name!r} is no name of a module, expected one such as 'my_trigger.py'")
    if target.exists() and not target.read_text(encoding="utf-8").startswith(MODULE_HEAD):
        raise HydralabError(f"{target} exists and was not written here; expected a new name")
    above = f"{IMPORTS}\n\n\n{source.strip()}\n\n\n" if source else "import hydralab as hl\n\n"
    target.write_text(f"{MODULE_HEAD}\n\n{above}trigger = {text}\n", encoding="utf-8")
    return target
