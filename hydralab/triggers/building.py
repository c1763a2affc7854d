"""What triggers are written with: `col`, `cue` and `expr`."""

from __future__ import annotations

import io
import json
import math
import re
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal, NoReturn

import polars as pl

from hydralab.errors import HydralabError
from hydralab.frames import ROLES
from hydralab.signals import DEFAULT_SIGNALS, SIGNALS
from hydralab.signals.base import Lookahead
from hydralab.triggers.expressions import carries_code, written_out
from hydralab.triggers.tree import Comparison, Cue, Trigger, Wrapped
from hydralab.triggers.values import checked_lookahead

__all__ = ["Column", "col", "cue", "expr"]

_ATOM = r'(?:col\("[^"]*"\)|-?[\w.]+)'
"""A name or a number, as Polars writes it."""


@dataclass(frozen=True, eq=False)
class Column:
    """A signal by name; compared with a number it becomes a trigger, alone it is none."""

    name: str
    __array_ufunc__ = None  # so that a NumPy number on the left leaves the comparison to the signal

    def __gt__(self, threshold: float) -> Trigger:
        return Comparison(self.name, ">", _threshold(self.name, threshold))

    def __ge__(self, threshold: float) -> Trigger:
        return Comparison(self.name, ">=", _threshold(self.name, threshold))

    def __lt__(self, threshold: float) -> Trigger:
        return Comparison(self.name, "<", _threshold(self.name, threshold))

    def __le__(self, threshold: float) -> Trigger:
        return Comparison(self.name, "<=", _threshold(self.name, threshold))

    def _refuse(self, *_: object) -> NoReturn:
        raise HydralabError(
            f"{self!r} is a signal, not a trigger: compare it with a number by >, >=, < or <=, "
            f"such as {self!r} > 0.8"
        )

    __bool__ = __invert__ = __and__ = __or__ = __rand__ = __ror__ = __eq__ = __ne__ = _refuse
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"hl.col.{self.name}" if self.name.isidentifier() else f"hl.col[{self.name!r}]"


class Columns:
    """Signals by attribute: ``hl.col.shift``, or ``hl.col["shift"]``."""

    def __getattr__(self, name: str) -> Column:
        if name.startswith("_"):
            raise AttributeError(name)
        return Column(name)

    def __getitem__(self, name: str) -> Column:
        return Column(name)

    def __dir__(self) -> list[str]:
        return sorted({*DEFAULT_SIGNALS, *SIGNALS})

    def __repr__(self) -> str:
        return "hl.col"


col = Columns()
"""Signals by name: ``hl.col.shift > 0.8`` is a trigger."""


def cue(pattern: str, *, role: str | None = "user", cut: Literal["before", "after"] = "before") -> Trigger:
    """Fire at turns whose text holds a pattern. Causal.

    Parameters
    ----------
    pattern
        Regular expression (Rust syntax: no look-around), searched anywhere in the text, letter case
        ignored.
    role
        Whose turns are searched; None for everybody's.
    cut
        "before": the turn itself starts a new span ("换个话题"). "after": the first turn of the next round
        does ("总结一下").

    Raises
    ------
    HydralabError
        The pattern is no regular expression, or role or cut is none of the known ones.

    >>> cue("总结一下|sum up", cut="after")
    hl.cue('总结一下|sum up', cut='after')
    """
    if not isinstance(pattern, str) or not pattern:
        raise HydralabError(f"cue: pattern is {pattern!r}, expected a regular expression")
    try:
        pl.Series([""]).str.contains(f"(?i){pattern}", strict=True)
    except pl.exceptions.ComputeError as error:
        raise HydralabError(
            f"cue: {pattern!r} is no regular expression (Rust syntax, no look-around): {_regex_error(error)}"
        ) from error
    if role is not None and not (isinstance(role, str) and role in ROLES):
        raise HydralabError(f"cue: role is {role!r}, expected one of {', '.join(ROLES)}, or None")
    if not isinstance(cut, str) or cut not in ("before", "after"):
        raise HydralabError(f"cue: cut is {cut!r}, expected 'before' or 'after'")
    return Cue(str(pattern), role, cut)


def expr(
    expression: pl.Expr | str, *, lookahead: Lookahead | None = None, source: str | None = None
) -> Trigger:
    """Fire where a Polars expression over signals and turns is true.

    Parameters
    ----------
    expression
        A Boolean expression over the columns of turns and signals, or Polars' JSON text of one.
        Computed a dialogue at a time; null counts as false.
    lookahead
        Turns ahead that the expression itself reaches, beyond what its signals do; None counts as the
        whole dialogue, so that nothing is taken for causal that wasn't said to be.
    source
        How the expression was written, for reading: `repr` shows it before Polars' JSON text. None takes
        Polars' own way to write it, tidied.

    Raises
    ------
    HydralabError
        Something else than an expression, one that carries a function (`trigger` takes functions), or
        JSON text that is none.

    >>> expr(pl.col("tokens").shift(1) > 400, lookahead=0).lookahead
    0
    >>> trigger = expr(pl.col("shift") > pl.col("shift").mean())
    >>> trigger.lookahead, trigger.record()["source"]
    ('all', 'col("shift") > (col("shift").mean())')
    """
    stated = checked_lookahead("expr", "all" if lookahead is None else lookahead)
    if isinstance(expression, str):
        expression = _read_expression(expression)
    if not isinstance(expression, pl.Expr):
        raise HydralabError(f"expr: got {type(expression).__name__}, expected a Polars expression")
    code = written_out("expr", expression)
    return Wrapped(code, stated, _spoken(expression) if source is None else source, expression)


def _spoken(expression: pl.Expr) -> str:
    """Return a Polars expression as Polars writes it, without the brackets around single names and numbers."""
    text = re.sub(r"\bdyn (?:int|float): ", "", str(expression)).replace("([", "(").replace("])", ")")
    text = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    return re.sub(rf"(?<![\w)])\(({_ATOM})\)", r"\1", text)


def _threshold(name: str, given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, Real) or not math.isfinite(given):
        raise HydralabError(f"hl.col.{name}: compared with {given!r}, expected a finite number")
    return int(given) if isinstance(given, Integral) else float(given)


def _read_expression(code: str) -> pl.Expr:
    try:
        if carries_code(code):
            raise HydralabError(
                "expr: the text carries a function, expected an expression without; see @hl.trigger"
            )
        return pl.Expr.deserialize(io.StringIO(code), format="json")
    except (json.JSONDecodeError, pl.exceptions.PolarsError, RecursionError) as error:
        raise HydralabError(
            f"expr: {code[:40]!r} is not Polars' JSON of an expression: {_last_line(error)}"
        ) from error


def _regex_error(error: BaseException) -> str:
    """Return what is wrong with the pattern, without the expression that Polars shows after it."""
    reason = re.search(r"^error: (.+)$", str(error), flags=re.MULTILINE)
    return reason[1] if reason else _last_line(error)


def _last_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
