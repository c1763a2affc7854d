"""Polars expressions as settings: written out as text, and refused where they carry Python."""

from __future__ import annotations

import json
from typing import Any

import polars as pl

from hydralab.errors import HydralabError

__all__ = ["carries_code", "written_out"]

RUNS_CODE = ("Anonymous", "Plugin", "Python")
"""Parts of the names under which Polars' JSON carries code."""


def written_out(what: str, expression: pl.Expr) -> str:
    """Return Polars' JSON text of an expression; equal texts compute the same.

    An expression's `str` is no such text: it has no address, but leaves settings out.

    Parameters
    ----------
    what
        What the expression is for, as the sentence names it.

    Raises
    ------
    HydralabError
        The expression carries a function, which can be neither compared nor read again.

    >>> written_out("blend", pl.col("dense"))
    '{"Column":"dense"}'
    >>> written_out("blend", pl.col("dense").map_batches(lambda dense: dense))
    Traceback (most recent call last):
    ...
    hydralab.errors.HydralabError: blend: the expression carries a function, expected one of Polars' own parts
    """
    try:
        code: str = expression.meta.serialize(format="json")
        carries = carries_code(code)
    except RecursionError as error:
        raise HydralabError(f"{what}: the expression is too deeply nested") from error
    except pl.exceptions.PolarsError:  # only of a function is there nothing to be written
        carries = True
    if carries:
        raise HydralabError(f"{what}: the expression carries a function, expected one of Polars' own parts")
    return code


def carries_code(code: str) -> bool:
    """Return whether Polars' JSON text of an expression carries a function.

    Raises
    ------
    json.JSONDecodeError, RecursionError
        Text that is no JSON, or too deeply nested.
    """
    return any(part in name for name in _keys(json.loads(code)) for part in RUNS_CODE)


def _keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(_keys, value.values()))
    if isinstance(value, list):
        return set().union(*map(_keys, value))
    return set()
